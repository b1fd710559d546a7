"""The folder that a local run keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.local.state import InUse, claimed, signing_keys


def test_the_signing_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    """The same key at every start of a folder, another one in another, readable by its owner only."""
    keys = signing_keys(tmp_path)
    (other := tmp_path / "other").mkdir()

    assert keys == signing_keys(tmp_path)
    assert keys != signing_keys(other)
    assert 43 == len(next(iter(json.loads(keys).values())))
    assert ["0o100600"] == [oct(file.stat().st_mode) for file in tmp_path.iterdir() if file.is_file()]


def test_a_folder_has_one_run_at_a_time(tmp_path: Path) -> None:
    """A second run in the same folder is refused, with a message that names it; afterwards the folder is free again."""
    with claimed(tmp_path / "state") as folder, pytest.raises(InUse, match="state"), claimed(folder):
        raise AssertionError("claimed twice")
    with claimed(folder):
        pass
