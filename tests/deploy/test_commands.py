"""What whoever runs a stage's commands is told when something is in the way: a line, and no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import boto3
import pytest
from botocore.exceptions import NoCredentialsError

from chalicelib.store.memory import MemoryStore
from dev.deploy import bill, forget, keys, stack
from dev.deploy.arguments import an_id, stage_parser
from dev.deploy.package import ROOT
from dev.local import servers
from tests.deploy.test_stack import Cloud

PLAYER = "-_aaaaaaaaaaaaaa"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with these arguments: the status it ends with, and what it says of what went wrong."""

    def run(command: ModuleType, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["command", *arguments])
        try:
            status = command.main()
        except SystemExit as ended:
            status = ended.code
        return status, capsys.readouterr().err

    return run


@pytest.mark.parametrize(("command", "more"), [(keys, ()), (forget, (f"--player={PLAYER}",))])
def test_a_stage_that_was_never_deployed(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: ModuleType, more: tuple[str, ...]
) -> None:
    """It is the stack that is missing, and the line names it."""
    monkeypatch.setattr(boto3, "client", Cloud(None).client)
    status, told = run(command, "--stage", "dev", *more)
    assert (1, "failed: there is no stack do-dooni-dev in this account and region\n") == (status, told)


def test_a_player_who_is_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the player who is missing, not the stage."""
    monkeypatch.setattr(boto3, "client", Cloud("CREATE_COMPLETE").client)
    monkeypatch.setattr(forget, "DynamoStore", lambda _table: MemoryStore())
    assert (1, f"failed: there is no player {PLAYER}\n") == run(forget, "--stage", "dev", f"--player={PLAYER}")


@pytest.mark.parametrize("written", ["", "Asha", PLAYER + "x", "player#"])
def test_what_is_no_id_is_quoted(run: Run, written: str) -> None:
    """A slip of the pen is told before anything is looked for."""
    status, told = run(forget, "--stage", "dev", f"--player={written}")
    assert 2 == status and f"{written!r} is not an id" in told


@pytest.mark.parametrize(
    ("target", "variable", "written"), [("forget", "PLAYER", f"player#{PLAYER}"), ("restore-match", "MATCH", PLAYER)]
)
def test_make_hands_an_id_on_as_it_is(target: str, variable: str, written: str) -> None:
    """Also one that begins with a hyphen, and a whole key of the table's."""
    asked = ["make", "--no-print-directory", "-n", target, "STAGE=prod", f"{variable}={written}"]
    recipe = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    options = shlex.split(recipe)
    parser = stage_parser("command", None)
    parser.add_argument(f"--{variable.lower()}", type=an_id)
    known, _others = parser.parse_known_args(options[options.index("-m") + 2 :])
    assert {"stage": "prod", variable.lower(): PLAYER} == vars(known)


@pytest.mark.parametrize(("command", "more"), [(stack, ()), (keys, ()), (forget, (f"--player={PLAYER}",))])
def test_a_shell_without_credentials(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: ModuleType, more: tuple[str, ...]
) -> None:
    """What AWS's own client says stands in one line."""

    def fails(*_arguments: object) -> None:
        raise NoCredentialsError

    monkeypatch.setattr(boto3, "client", fails)
    monkeypatch.setattr(stack.Deployment.__init__, "__defaults__", (fails, 5))
    status, told = run(command, "--stage", "dev", *more)
    assert (1, 1) == (status, told.count("\n")) and "credentials" in told


@pytest.mark.parametrize("setting", ["AlarmEmail", "=ops@example.org", ""])
def test_a_setting_that_sets_nothing(run: Run, setting: str) -> None:
    """A parameter is a name and a value; what was written instead is quoted."""
    status, told = run(stack, "--stage", "dev", "--set", setting)
    assert 2 == status and f"{setting!r} is not NAME=VALUE" in told


def test_a_setting_may_hold_anything_and_be_empty() -> None:
    """Only the first sign of equality parts the name from the value."""
    assert [("A", "b=c"), ("A", "")] == [stack.setting(text) for text in ("A=b=c", "A=")]


def test_a_bill_without_the_store_that_measures(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The line says what is missing and where it comes from."""
    monkeypatch.setattr(servers, "DYNOXIDE", tmp_path / "dynoxide")
    assert (1, "failed: dynoxide is not here: it comes with npm (make setup)\n") == run(bill)
