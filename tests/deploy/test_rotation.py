"""A rotation of the signing keys, cut short anywhere and run again, as phones see it: no token that should hold is
refused by any container that may answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from dev.deploy.keys import GENERATION, rotate
from tests.deploy.cut_short import MOST_CALLS, Cloud, CutShort, anywhere, before_and_after

Keys = tuple[str, ...]


class Stage(Cloud):
    """A stage's secret and its function, whose containers are those started since the last renewal came to its end."""

    outputs: Mapping[str, str] = {"SigningKeysArn": "keys", "APIHandlerName": "api"}

    def __init__(self, keys: Mapping[str, str], failing: int = -1, *, after: bool = False) -> None:
        super().__init__(failing, after=after)
        self.versions = [json.dumps(keys)]
        self.variables = {"OTHER": "stays"}
        self.status = "Successful"
        self.running: set[Keys] = {tuple(keys)}
        """The keys that containers may hold, the one that signs first."""
        self.signed: set[str] = {next(iter(keys))}
        """Keys of all tokens that are out."""

    @property
    def keys(self) -> Keys:
        return tuple(json.loads(self.versions[-1]))

    @property
    def whole(self) -> bool:
        """Whether the last renewal of the containers was of the secret as it is, and came to its end."""
        return self.status == "Successful" and self.variables.get(GENERATION) == f"v{len(self.versions)}"

    def deployed(self) -> None:
        """A deployment replaces all containers, and takes the variable that it does not know away."""
        self.variables.pop(GENERATION, None)
        self.running = {self.keys}

    def answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        match name:
            case "secretsmanager.get_secret_value":
                return {"SecretString": self.versions[-1], "VersionId": f"v{len(self.versions)}"}
            case "secretsmanager.put_secret_value":
                self.versions.append(arguments["SecretString"])
            case "lambda.get_function_configuration":
                return {"LastUpdateStatus": self.status, "Environment": {"Variables": dict(self.variables)}}
            case "lambda.update_function_configuration":
                assert self.status == "Successful", "Lambda refuses an update during another one"
                self.variables = dict(arguments["Environment"]["Variables"])
                self.status = "InProgress"
            case _:
                assert name == "lambda.function_updated_v2"
                if self.status == "InProgress":
                    self.status, self.running = "Successful", {self.keys}
        return None

    def check(self, name: str) -> None:
        """A new container may start at any time. Whatever container has signed a token, any other that
        may answer knows it."""
        self.running.add(self.keys)
        self.signed |= {keys[0] for keys in self.running}
        for signer in self.running:
            for other in self.running:
                assert signer[0] in other, f"at {name}: a token by {signer[0]} is refused by {other}"


@before_and_after
@anywhere
@pytest.mark.parametrize(
    ("keys", "noted"),
    [({"1": "a"}, False), ({"2": "b", "1": "a"}, True), ({"2": "b", "1": "a"}, False)],
    ids=["first", "later", "deployed"],
)
def test_a_rotation_that_was_cut_short_is_finished(
    keys: dict[str, str], noted: bool, failing: int, after: bool
) -> None:
    """Wherever the first run ended, the next one finishes: the new key signs, all containers know it, and every token
    that was signed since the rotation began still holds. (`noted`: the function tells what its containers have read.)
    """
    stage = Stage(keys, failing, after=after)
    if noted:
        stage.variables[GENERATION] = "v1"
    try:
        rotate(stage.client, "dev")
        assert stage.calls < MOST_CALLS
    except CutShort:
        whole = stage.whole and stage.keys[0] not in keys
        rotation = rotate(stage.client, "dev")
        assert stage.keys[0] == rotation.key_id
        if whole:
            assert not rotation.resumed, "nothing was left to finish"
            return
        if rotation.key_id in keys:
            assert rotation.resumed and not noted, "only the containers had been renewed, to be safe"
            rotate(stage.client, "dev")
    assert stage.keys[0] not in keys and stage.whole
    assert {stage.keys} == stage.running and len(stage.keys) == 2
    assert stage.signed <= set(stage.keys)
    assert "stays" == stage.variables["OTHER"]


def test_each_whole_run_is_a_new_key() -> None:
    """Two runs one after the other take a key out that has leaked. A deployment in between takes the note away of what
    the containers have read; the next run is a rotation all the same."""
    stage = Stage({"1": "a"})
    assert ["2", "3"] == [rotate(stage.client, "dev").key_id for _ in range(2)]
    assert ("3", "2") == stage.keys
    stage.deployed()
    rotation = rotate(stage.client, "dev")
    assert ("4", False) == (rotation.key_id, rotation.resumed)
