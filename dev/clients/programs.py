"""Programs around the generated clients, where Debian or PyPI carries the compiler, and the guide's code."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dev.clients.tools import HERE, OUT, ROOT, Missing, command, generator_jar, java, kotlin_jars, python, run

GUIDE = ROOT / "docs/guide.md"
CRATES = Path("/usr/share/cargo/registry")
_QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx900m"]
"""Half the time of a short run, by leaving out what only pays in a long one."""


def code(language: str) -> str:
    """All blocks of a language in the guide, as one text. Every line stands where it stands in the guide, so that a
    compiler's complaint names the guide's own line."""
    lines, inside = [], False
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        inside = line == f"```{language}" if fence and not inside else inside and not fence
    return "\n".join(lines) + "\n"


def go(folder: Path) -> list[str]:
    compiler = command("go", "Go, 1.19 or newer (golang-go),")
    shutil.rmtree(folder / "test", ignore_errors=True)  # wants a library that Debian's Go does not have
    shutil.copy(HERE / "go/go.mod", folder)
    (folder / "play").mkdir(exist_ok=True)
    shutil.copy(HERE / "go/main.go", folder / "play")
    environment = os.environ | {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    run([compiler, "build", "-o", "play.out", "./play"], environment, folder)
    return [str(folder / "play.out")]


def java_program(folder: Path) -> list[str]:
    compiler = command("javac", "a JDK, 11 or newer (default-jdk-headless),")
    libraries, classes = generator_jar(), str(folder / "classes")
    sources = [*(folder / "src/main").rglob("*.java"), *(HERE / "java").glob("*.java")]
    options = [f"-J{option}" for option in _QUICK] + ["-nowarn", "-proc:none", "-cp", libraries, "-d", classes]
    run([compiler, *options, *map(str, sources)])
    return [java(), *_QUICK, "-cp", os.pathsep.join((classes, libraries)), "Play"]


def python_program(folder: Path) -> list[str]:
    return ["env", f"PYTHONPATH={folder}", python(), "-W", "error", str(HERE / "python/play.py")]


def rust(folder: Path) -> list[str]:
    cargo = command("cargo", "Rust (cargo)")
    if not any(CRATES.glob("reqwest-*")):
        raise Missing(f"Rust's crates are not in {CRATES}: .ci/run says which packages bring them")
    for own in (HERE / "rust").iterdir():
        shutil.copy(own, folder)
    source = ['source.crates-io.replace-with="debian"', f'source.debian.directory="{CRATES}"']
    settings = [word for line in source for word in ("--config", line)]
    target = OUT / ".rust"  # outlives the client: the crates are compiled once
    run([cargo, "build", "--quiet", "--offline", *settings], os.environ | {"CARGO_TARGET_DIR": str(target)}, folder)
    return [str(target / "debug/play")]


PROGRAMS: Mapping[str, Callable[[Path], list[str]]] = {
    "go": go,
    "java": java_program,
    "python": python_program,
    "rust": rust,
}
"""Language → from a client's folder to the command of a program that plays a deal with it. `Missing`: no compiler."""


def kotlin(sources: Sequence[Path], classes: Path, main: str, *arguments: str) -> str:
    """What a Kotlin program prints, compiled from files and folders into `classes`. `Failed` if it does not compile."""
    classes.mkdir(parents=True, exist_ok=True)
    # The compiler's own jar names a plugin that gets in its way, so this one names serialization alone.
    plugin = classes.parent / "serialization-plugin.jar"
    with zipfile.ZipFile(plugin, "w") as jar:
        jar.writestr(
            "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar",
            "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar",
        )
    compiler = _jars("*-all", "kotlin-stdlib-*", "kotlin-reflect-*", "kotlin-script-runtime-*")
    libraries = _jars("kotlin-stdlib-*", "kotlinx-serialization-core-*", "kotlinx-serialization-json-*", "*-all")
    options = ["-no-stdlib", "-no-reflect", "-Xdisable-default-scripting-plugin", f"-Xplugin={plugin}"]
    options += ["-cp", libraries, "-d", str(classes), *map(str, sources)]
    run([java(), *_QUICK, "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", *options])
    return run([java(), *_QUICK, "-cp", os.pathsep.join((str(classes), libraries)), main, *arguments])


def _jars(*patterns: str) -> str:
    return os.pathsep.join(str(jar) for pattern in patterns for jar in sorted(kotlin_jars().glob(f"{pattern}.jar")))
