"""`make web`: check the types of web/ and clients/typescript against the contract, and build both."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from dev.clients.tools import NODE_MODULES, Missing, node, node_tool, run
from dev.local.servers import ROOT

BUILT = ROOT / "web/built"
LIBRARY = ROOT / "clients/typescript"
RECORD = BUILT / "sources.sha256"
SOURCES = ("web/src/**/*", "web/public/**/*", "clients/typescript/src/*.ts", "dev/node/build_web.mjs")
GENERATED = LIBRARY / "src/schema.d.ts"


def sources() -> list[Path]:
    """Every file that the built page is made of, in order."""
    found = {path for pattern in SOURCES for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(found - {GENERATED})


def digest() -> str:
    """SHA-256 of the sources' names and contents."""
    total = hashlib.sha256()
    for path in sources():
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(ROOT)} {content}\n".encode())
    return total.hexdigest()


def generate_types() -> None:
    """Write the library's types anew from the contract."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / GENERATED.name
        options = ["--default-non-nullable", "false", "--output", str(written)]
        run([*node_tool("openapi-typescript"), str(ROOT / "openapi.yaml"), *options])
        put(written, GENERATED)


def check_types() -> None:
    """Raise Failed where the page or the library does not fit the contract."""
    generate_types()
    run([*node_tool("tsc"), "-p", str(LIBRARY), "--noEmit"])
    run([*node_tool("tsc"), "-p", str(ROOT / "web")])


def build_page(target: Path) -> None:
    """Bundle the page into the folder `target`."""
    if not (NODE_MODULES / "esbuild").exists():
        raise Missing("esbuild is not here: it comes with npm (make setup)")
    run([node(), str(ROOT / "dev/node/build_web.mjs"), str(target)])


def bundled_library() -> bytes:
    """The library in one minified file, as a browser's bundle has it."""
    options = ["--bundle", "--minify", "--format=esm", "--target=es2022"]
    return run([*node_tool("esbuild"), str(LIBRARY / "src/index.ts"), *options]).encode()


def build_library() -> None:
    """Compile the library into its own `dist`, as npm packs it."""
    generate_types()
    dist = LIBRARY / "dist"
    dist.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run([*node_tool("tsc"), "-p", str(LIBRARY), "--outDir", folder])
        built = [*Path(folder).iterdir(), GENERATED]
        for stale in {file.name for file in dist.iterdir()} - {file.name for file in built}:
            (dist / stale).unlink()
        for file in built:
            put(file, dist / file.name)


def put(file: Path, target: Path) -> None:
    """Copy a file so that whoever reads the target meanwhile finds the old one or the new one, whole."""
    with tempfile.TemporaryDirectory(dir=LIBRARY) as beside:
        Path(shutil.copyfile(file, Path(beside) / file.name)).replace(target)


def main() -> None:
    check_types()
    build_page(BUILT)
    RECORD.write_text(digest() + "\n")
    build_library()


if __name__ == "__main__":
    main()
