"""The folder that a local run keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.local.state import NotUsable, claimed, signing_keys


def test_the_signing_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    """The same key at every start of a folder, another one in another, readable by its owner only."""
    keys = signing_keys(tmp_path)
    (other := tmp_path / "other").mkdir()

    assert keys == signing_keys(tmp_path)
    assert keys != signing_keys(other)
    assert 43 == len(next(iter(json.loads(keys).values())))
    assert ["0o100600"] == [oct(file.stat().st_mode) for file in tmp_path.iterdir() if file.is_file()]


@pytest.mark.parametrize("older", ["store.db", "format"])
def test_another_versions_folder_is_refused(tmp_path: Path, older: str) -> None:
    """One line says what to do; a folder of this version opens again."""
    (tmp_path / older).write_text("")
    with pytest.raises(NotUsable) as refused, claimed(tmp_path):
        pass
    assert f"{tmp_path} is from another version: delete it (rm -r {tmp_path}), or choose another STATE" == str(
        refused.value
    )
    with claimed(tmp_path / "new"):
        (tmp_path / "new/store.db").write_text("")
    with claimed(tmp_path / "new"):
        pass
