"""The zip that Lambda runs: what must be in it and nothing else, and the same bytes for the same sources.

Lambda compiles every module anew at each cold start, and so reads what nobody reads there: docstrings and comments are
left out too (a third of all bytes). Each line stays where it was, so that a traceback tells the right one.
"""

from __future__ import annotations

import ast
import io
import tokenize
import zipfile
from pathlib import Path, PurePosixPath

# The earliest time that a zip can tell.
_TIME = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_LEFT_OUT_FOLDERS = ("__pycache__", "tests")
_LEFT_OUT_FILES = ("chalicelib/store/memory.py", "chalicelib/store/memory_accounts.py")
"""A store for tests."""
_LEFT_OUT_SUFFIXES = (".pyc", ".pyi", ".typed")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def is_needed(name: str) -> bool:
    """Whether a file of the zip is of use there. Of what describes a package only its licences are kept."""
    path = PurePosixPath(name)
    if any(part in _LEFT_OUT_FOLDERS for part in path.parts) or path.suffix in _LEFT_OUT_SUFFIXES:
        return False
    if name in _LEFT_OUT_FILES:
        return False
    return not path.parts[0].endswith(".dist-info") or "licenses" in path.parts


def rewrite(archive: Path) -> None:
    """Rewrite a zip in place: needed files only, in order, without times, packed as small as can be."""
    with zipfile.ZipFile(archive) as before:
        kept = {name: before.read(name) for name in sorted(before.namelist()) if is_needed(name)}
    kept |= {name: bare(source.decode()).encode() for name, source in kept.items() if name.endswith(".py")}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as after:
        for name, content in kept.items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = _READABLE
            after.writestr(entry, content)


def bare(source: str) -> str:
    """A module without docstrings and comments, every statement on the line where it was."""
    lines = source.split("\n")
    for text, is_all in _texts(ast.parse(source)):
        end = text.end_lineno or text.lineno
        if lines[text.lineno - 1][: text.col_offset].strip():
            continue  # `def f(): "says so"`, which is rare
        lines[text.lineno - 1 : end] = [""] * (end - text.lineno + 1)
        if is_all:
            lines[text.lineno - 1] = " " * text.col_offset + "pass"
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines)


def _texts(tree: ast.Module) -> list[tuple[ast.Expr, bool]]:
    """Every statement that is a mere text, and whether it is all of its block."""
    return [
        (statement, len(node.body) == 1)
        for node in ast.walk(tree)
        if isinstance(node, _DOCUMENTED)
        for statement in node.body
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]
