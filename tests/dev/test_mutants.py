"""The faults that are put in to try the tests can still be put in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dev.mutants.mutations import MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.what)
def test_a_fault_has_its_place(tmp_path: Path, mutation: Mutation) -> None:
    """The text that it takes the place of is in the file once, and what comes of it is Python."""
    (tmp_path / mutation.file).parent.mkdir(parents=True)
    shutil.copy(ROOT / mutation.file, tmp_path / mutation.file)
    before = mutation.apply(tmp_path)
    after = (tmp_path / mutation.file).read_text(encoding="utf-8")
    assert before != after
    compile(after, mutation.file, "exec")
