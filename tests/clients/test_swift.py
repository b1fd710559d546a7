"""The Swift client and the guide's Swift: no compiler for it is to be had here, so they are parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.clients.programs import code
from dev.clients.tools import HERE, Failed, python, run
from tests.clients.conftest import Client, or_skip


def parse(*files: Path) -> str:
    return run([or_skip(python), str(HERE / "syntax.py"), *map(str, files)])


def test_it_parses(client: Client, tmp_path: Path) -> None:
    """Every file of the client and the guide's code are well-formed Swift."""
    files = list((client("swift") / "Sources").rglob("*.swift"))
    assert len(files) > 70
    (guide := tmp_path / "guide.swift").write_text(code("swift"), encoding="utf-8")
    assert "" == parse(guide, *files)


@pytest.mark.parametrize("text", ["func half(a: Int {\n    return a\n}\n", ""])
def test_what_is_not_swift_does_not_parse(tmp_path: Path, text: str) -> None:
    """The parser is one that refuses."""
    (wrong := tmp_path / "wrong.swift").write_text(text)
    with pytest.raises(Failed, match=r"wrong\.swift:1"):
        parse(wrong)
