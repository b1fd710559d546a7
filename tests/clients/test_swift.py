"""The Swift client and the guide's Swift: no compiler for it is to be had here, so they are parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.clients.guide import code
from dev.clients.tools import HERE, Failed, python, run
from tests.clients.conftest import Client, or_skip


def parse(*files: Path) -> str:
    return run([or_skip(python), str(HERE / "syntax.py"), "swift", *map(str, files)])


def test_every_generated_file_parses(client: Client) -> None:
    """Every file of the client is well-formed Swift."""
    files = list((client("swift") / "Sources").rglob("*.swift"))
    assert len(files) > 70
    assert "" == parse(*files)


def test_the_guide_parses(tmp_path: Path) -> None:
    """The guide's code is well-formed Swift."""
    guide = tmp_path / "guide.swift"
    guide.write_text(code("swift"), encoding="utf-8")
    assert "" == parse(guide)


def test_what_is_not_swift_does_not_parse(tmp_path: Path) -> None:
    """The parser is one that refuses."""
    wrong = tmp_path / "wrong.swift"
    wrong.write_text("func half(a: Int {\n    return a\n}\n")
    with pytest.raises(Failed, match=r"wrong\.swift:1"):
        parse(wrong)
