"""The zip that Lambda runs: compiled modules only, and the same bytes for the same sources.

Lambda cannot keep what it compiles, so a container that finds sources compiles them at every cold start. Docstrings are
left out, line numbers stay. The file is run as a script, in a process of its own: what a process has imported before
shows in the bytes that it compiles.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
import sys
import zipfile
from pathlib import Path, PurePosixPath

# The earliest time that a zip can hold.
_TIME = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_LEFT_OUT_FOLDERS = ("__pycache__", "tests")
_STORE_FOR_TESTS = "chalicelib/store/memory"
"""What its files' names begin with."""
_LEFT_OUT_SUFFIXES = (".pyc", ".pyi", ".typed")
_UNCHECKED = (1).to_bytes(4, "little")
"""PEP 552: there is no source to compare the hash with."""
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)
"""What loses its docstring. A class keeps it: a dataclass without one makes one, in a tenth of a millisecond each."""
TASK = "/var/task/"
"""Where Lambda unpacks the zip: tracebacks name the files there."""
COMMAND = (sys.executable, "-I", "-S", "-X", "no_debug_ranges", __file__)
"""With the zip's path behind it. Columns within a line would be a quarter of all bytes, and no log has them."""


def is_needed(name: str) -> bool:
    """Whether Lambda needs this file. Of what describes a package only its licences are kept."""
    path = PurePosixPath(name)
    if path.suffix in _LEFT_OUT_SUFFIXES or not set(_LEFT_OUT_FOLDERS).isdisjoint(path.parts):
        return False
    if name.startswith(_STORE_FOR_TESTS):
        return False
    return not path.parts[0].endswith(".dist-info") or "licenses" in path.parts


def compiled(name: str, source: bytes) -> bytes:
    """A module as a .pyc file, without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if node.body[1:] else [ast.copy_location(ast.Pass(), node.body[0])]
    code = compile(tree, TASK + name, "exec", dont_inherit=True, optimize=0)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(source) + marshal.dumps(code)


def rewrite(archive: Path) -> None:
    """Rewrite a zip in place: needed files only, compiled, in order, without times."""
    with zipfile.ZipFile(archive) as before:
        files = {name: before.read(name) for name in sorted(before.namelist()) if is_needed(name)}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as after:
        for name, content in files.items():
            is_module = name.endswith(".py")
            entry = zipfile.ZipInfo(name + "c" if is_module else name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = _READABLE
            after.writestr(entry, compiled(name, content) if is_module else content)


if __name__ == "__main__":
    rewrite(Path(sys.argv[1]))
