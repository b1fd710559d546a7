"""A rotation of the signing keys, cut short anywhere and run again, as phones see it: no token that should hold is
refused by any container that may answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from dev.deploy.keys import GENERATION, rotate
from dev.deploy.stack import stack_name

FUNCTION, SECRET = "api", "keys"
Keys = tuple[str, ...]


class CutShort(Exception):
    """The run ends here: a call failed, its answer was lost, or somebody pressed Ctrl-C."""


class Stage:
    """A stage's secret and its function, whose containers are those started since the last renewal came to its end.

    The call of this number fails, before or after it has done its work.
    """

    def __init__(self, keys: Mapping[str, str], failing: int = -1, *, after: bool = False) -> None:
        self.versions = [json.dumps(keys)]
        self.variables = {"OTHER": "stays"}
        self.status = "Successful"
        self.running: set[Keys] = {tuple(keys)}
        """The keys that containers may hold, the one that signs first."""
        self.signed: set[str] = {next(iter(keys))}
        """Keys of all tokens that are out."""
        self.calls = 0
        self._failing, self._after = failing, after

    @property
    def keys(self) -> Keys:
        return tuple(json.loads(self.versions[-1]))

    @property
    def whole(self) -> bool:
        """Whether the last renewal of the containers was of the secret as it is, and came to its end."""
        return self.status == "Successful" and self.variables.get(GENERATION) == f"v{len(self.versions)}"

    def client(self, service: str) -> Any:
        stage = self

        class Client:
            def __getattr__(self, operation: str) -> Any:
                return lambda **arguments: stage.call(f"{service}.{operation}", arguments)

            def get_waiter(self, name: str) -> Any:
                class Waiter:
                    def wait(self, **arguments: Any) -> None:
                        stage.call(f"{service}.{name}", arguments)

                return Waiter()

        return Client()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        self.calls += 1
        fails = self.calls - 1 == self._failing
        if fails and not self._after:
            raise CutShort(name)
        answer = self._answer(name, arguments)
        self.running.add(self.keys)  # a new container may start at any time
        self.signed |= {keys[0] for keys in self.running}
        self.check(name)
        if fails:
            raise CutShort(name)
        return answer

    def check(self, when: str) -> None:
        """Whatever container has signed a token of the key in use, any other that may answer knows it."""
        for signer in self.running:
            for other in self.running:
                assert signer[0] in other, f"at {when}: a token by {signer[0]} is refused by {other}"

    def deployed(self) -> None:
        """A deployment replaces all containers, and takes the variable that it does not know away."""
        self.variables.pop(GENERATION, None)
        self.running = {self.keys}

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        match name:
            case "cloudformation.describe_stacks":
                assert arguments["StackName"] == stack_name("dev")
                told = {"SigningKeysArn": SECRET, "APIHandlerName": FUNCTION}
                outputs = [{"OutputKey": key, "OutputValue": value} for key, value in told.items()]
                return {"Stacks": [{"StackStatus": "CREATE_COMPLETE", "Outputs": outputs}]}
            case "secretsmanager.get_secret_value":
                return {"SecretString": self.versions[-1], "VersionId": f"v{len(self.versions)}"}
            case "secretsmanager.put_secret_value":
                self.versions.append(arguments["SecretString"])
                return {"VersionId": f"v{len(self.versions)}"}
            case "lambda.get_function_configuration":
                return {"LastUpdateStatus": self.status, "Environment": {"Variables": dict(self.variables)}}
            case "lambda.update_function_configuration":
                assert self.status == "Successful", "Lambda refuses an update during another one"
                self.variables = dict(arguments["Environment"]["Variables"])
                self.status = "InProgress"
                return {}
            case "lambda.function_updated_v2":
                if self.status == "InProgress":
                    self.status, self.running = "Successful", {self.keys}
                return None
        raise AssertionError(f"nobody asks {name}")


MOST_CALLS = 30
"""More than a rotation makes."""


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("failing", range(MOST_CALLS))
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
    """Two runs one after the other take a key out that has leaked."""
    stage = Stage({"1": "a"})
    assert ["2", "3"] == [rotate(stage.client, "dev").key_id for _ in range(2)]
    assert ("3", "2") == stage.keys


def test_a_deployment_between_two_rotations_changes_nothing() -> None:
    """It takes the note away of what the containers have read; the next run is a rotation all the same."""
    stage = Stage({"1": "a"})
    rotate(stage.client, "dev")
    stage.deployed()
    rotation = rotate(stage.client, "dev")
    assert ("3", False) == (rotation.key_id, rotation.resumed)
