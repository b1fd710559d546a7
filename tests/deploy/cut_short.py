"""A cloud in which any one call may fail, before or after it has done its work, so that every place is tried where a
command can be cut short."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

MOST_CALLS = 30
"""More than a command makes."""
anywhere = pytest.mark.parametrize("failing", range(MOST_CALLS))
before_and_after = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


class CutShort(BaseException):
    """The run ends here: a call failed, its answer was lost, or somebody pressed Ctrl-C."""


class Cloud:
    """The call of the number `failing` fails; if the run is `killed` there, so does all that it still tries."""

    outputs: Mapping[str, str] = {}
    """Of the stage's stack."""
    stack_status = "UPDATE_COMPLETE"

    def __init__(self, failing: int = -1, *, after: bool = False, killed: bool = False) -> None:
        self.calls = 0
        self._failing, self._after, self._killed = failing, after, killed

    def client(self, service: str) -> Any:
        cloud = self

        class Client:
            def __getattr__(self, operation: str) -> Any:
                return lambda **arguments: cloud.call(f"{service}.{operation}", arguments)

            def get_waiter(self, name: str) -> Any:
                return SimpleNamespace(wait=lambda **arguments: cloud.call(f"{service}.{name}", arguments))

        return Client()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        number, self.calls = self.calls, self.calls + 1
        fails = number == self._failing or (self._killed and -1 < self._failing < number)
        if fails and not (self._after and number == self._failing):
            raise CutShort(name)
        if name == "cloudformation.describe_stacks":
            outputs = [{"OutputKey": key, "OutputValue": value} for key, value in self.outputs.items()]
            answer: Any = {"Stacks": [{"StackStatus": self.stack_status, "Outputs": outputs}]}
        else:
            answer = self.answer(name, arguments)
        self.check(name)
        if fails:
            raise CutShort(name)
        return answer

    def revive(self) -> None:
        """Nothing fails any more."""
        self._failing = -1

    def answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def check(self, name: str) -> None:
        """Asserts what holds after every call."""
        raise NotImplementedError
