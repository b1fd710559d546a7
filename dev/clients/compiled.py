"""Programs around the generated clients, compiled with what Debian carries: Go's standard library, the JDK and the
generator's own jar, Rust's crates. Each plays a deal and refreshes its tokens (dev/clients/go, java, rust)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from dev.clients.tools import HERE, OUT, Missing, command, generator_jar, java, run

CRATES = Path("/usr/share/cargo/registry")
_QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
"""Half the time of a short run, by leaving out what only pays in a long one."""


def go(folder: Path) -> list[str]:
    """The program's command. `Missing`: no Go."""
    compiler = command("go", "Go, 1.19 or newer (golang-go),")
    shutil.rmtree(folder / "test", ignore_errors=True)  # wants a library that Debian's Go does not have
    shutil.copy(HERE / "go/go.mod", folder)
    (folder / "play").mkdir(exist_ok=True)
    shutil.copy(HERE / "go/main.go", folder / "play")
    environment = os.environ | {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    run([compiler, "build", "-o", "play.out", "./play"], environment, folder)
    return [str(folder / "play.out")]


def java_program(folder: Path) -> list[str]:
    """The program's command. `Missing`: no JDK."""
    compiler = command("javac", "a JDK, 11 or newer (default-jdk-headless),")
    libraries, classes = generator_jar(), str(folder / "classes")
    sources = [*(folder / "src/main").rglob("*.java"), *(HERE / "java").glob("*.java")]
    options = [f"-J{option}" for option in _QUICK] + ["-nowarn", "-proc:none", "-cp", libraries, "-d", classes]
    run([compiler, *options, *map(str, sources)])
    return [java(), *_QUICK, "-cp", os.pathsep.join((classes, libraries)), "Play"]


def rust(folder: Path) -> list[str]:
    """The program's command. `Missing`: no Rust, or not Debian's crates."""
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


PROGRAMS: Mapping[str, Callable[[Path], list[str]]] = {"go": go, "java": java_program, "rust": rust}
