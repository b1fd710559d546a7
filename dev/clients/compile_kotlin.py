"""The Kotlin compiler, with kotlinx.serialization, out of the jars that a package of PyPI brings."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

from dev.clients.tools import Missing, java, kotlin_jars, run

_COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
_PLUGINS = "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
_SERIALIZATION = "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar"
# Half the time of a short run, by leaving out what only pays in a long one.
_BRISK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx900m"]


def compile_kotlin(sources: Sequence[Path], classes: Path) -> str:
    """Compile files and folders into `classes`; what the compiler said. `Failed` if they do not compile."""
    classes.mkdir(parents=True, exist_ok=True)
    compiler = [*_BRISK, "-cp", _path("*-all", "kotlin-stdlib-*", "kotlin-reflect-*", "kotlin-script-runtime-*")]
    options = ["-no-stdlib", "-no-reflect", "-Xdisable-default-scripting-plugin"]
    options += [f"-Xplugin={_plugin(classes.parent)}", "-cp", _path(*_LIBRARIES, "*-all"), "-d", str(classes)]
    return run([java(), *compiler, _COMPILER, *options, *map(str, sources)])


def run_kotlin(classes: Path, main: str, *arguments: str) -> str:
    """What a compiled program prints."""
    path = os.pathsep.join([str(classes), _path(*_LIBRARIES, "*-all")])
    return run([java(), *_BRISK, "-cp", path, main, *arguments])


_LIBRARIES = ("kotlin-stdlib-*", "kotlinx-serialization-core-*", "kotlinx-serialization-json-*")


def _plugin(folder: Path) -> Path:
    """A jar that names the serialization plugin alone: the compiler's own jar names one that gets in its way, too."""
    plugin = folder / "serialization-plugin.jar"
    with zipfile.ZipFile(plugin, "w") as jar:
        jar.writestr(_PLUGINS, _SERIALIZATION)
    return plugin


def _path(*patterns: str) -> str:
    found = []
    for pattern in patterns:
        jars = sorted(kotlin_jars().glob(f"{pattern}.jar"))
        if not jars:
            raise Missing(f"{pattern}.jar is not among the Kotlin compiler's")
        found += jars
    return os.pathsep.join(map(str, found))
