"""The folder that a local run keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.local.state import NotUsable, check_format, mark_format, signing_keys


def test_the_signing_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    """The same key at every start of a folder, another one in another, readable by its owner only."""
    keys = signing_keys(tmp_path)
    (other := tmp_path / "other").mkdir()

    assert keys == signing_keys(tmp_path)
    assert keys != signing_keys(other)
    assert 43 == len(next(iter(json.loads(keys).values())))
    assert ["0o100600"] == [oct(file.stat().st_mode) for file in tmp_path.iterdir() if file.is_file()]


def test_another_versions_folder_is_refused(tmp_path: Path) -> None:
    """One line says what to do, whether the folder has another mark or, of old, none; one of this version is opened."""
    said = f"{tmp_path} is from another version: delete it (rm -r {tmp_path}), or choose another STATE"
    for older in (True, False):
        if not older:
            (tmp_path / "format").write_text("another")
        with pytest.raises(NotUsable) as refused:
            check_format(tmp_path)
        assert said == str(refused.value)
    mark_format(tmp_path)
    check_format(tmp_path)
