"""What whoever runs a stage's commands is told when something is in the way: a line, and no traceback."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import NoCredentialsError

from chalicelib.store.memory import MemoryStore
from dev.deploy import CommandFailed
from dev.deploy.__main__ import COMMANDS, main, parser, setting
from dev.deploy.package import ROOT, check_python
from dev.deploy.table import forget
from dev.local import servers
from tests.deploy.test_stack import Cloud

PLAYER = "-_aaaaaaaaaaaaaa"
FORGET = ("forget", "--stage=dev", f"--player={PLAYER}")
NO_STACK = "there is no stack do-dooni-dev in this account and region"


def _fails(error: Exception) -> Any:
    def client(*_arguments: object) -> None:
        raise error

    return client


@pytest.mark.parametrize(
    ("arguments", "client", "told"),
    [
        (("rotate-keys", "--stage=dev"), Cloud(None).client, NO_STACK),
        (FORGET, Cloud(None).client, NO_STACK),
        (("deploy", "--stage=dev"), _fails(NoCredentialsError()), "Unable to locate credentials"),
        (FORGET, _fails(NoCredentialsError()), "Unable to locate credentials"),
        (("bill",), None, "dynoxide is not here: it comes with npm (make setup)"),
    ],
)
def test_what_is_in_the_way_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    client: Any,
    told: str,
) -> None:
    """A stage that was never deployed, a shell without credentials, a store that is not installed."""
    monkeypatch.setattr(boto3, "client", client)
    monkeypatch.setattr(servers, "DYNOXIDE", tmp_path / "dynoxide")
    assert 1 == main(list(arguments))
    assert f"failed: {told}\n" == capsys.readouterr().err


def test_a_player_who_is_not_there() -> None:
    """It is the player who is missing, not the stage."""
    with pytest.raises(CommandFailed, match=f"there is no player {PLAYER}"):
        forget(MemoryStore(), PLAYER)


@pytest.mark.parametrize("version", [(3, 10), (3, 15)])
def test_a_python_that_lambda_does_not_run_makes_no_package(version: tuple[int, int]) -> None:
    """The line says which do."""
    with pytest.raises(CommandFailed, match=rf"Lambda does not run Python 3.{version[1]}: .* 3.13 or 3.14"):
        check_python(version)
    check_python((3, 12))


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [(("forget", "--stage=dev", f"--player={text}"), text) for text in ("", "Asha", PLAYER + "x", "player#")]
    + [(("deploy", "--stage=dev", "--set", text), text) for text in ("AlarmEmail", "=ops@example.org", "")],
)
def test_a_slip_of_the_pen_is_quoted(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], quoted: str
) -> None:
    """Before anything is looked for: what is no id, and no NAME=VALUE."""
    with pytest.raises(SystemExit, match="2"):
        main(list(arguments))
    assert f"{quoted!r} is not " in capsys.readouterr().err


def test_a_setting_may_hold_anything_and_be_empty() -> None:
    """Only the first sign of equality parts the name from the value."""
    assert [("A", "b=c"), ("A", "")] == [setting(text) for text in ("A=b=c", "A=")]


@pytest.mark.parametrize("target", COMMANDS)
def test_make_hands_arguments_on_as_they_are(target: str) -> None:
    """Also an id that begins with a hyphen, and a whole key of the table's."""
    given = {"STAGE": "prod", "PLAYER": f"player#{PLAYER}", "MATCH": PLAYER, "TABLE": "restored"}
    asked = ["make", "--no-print-directory", "-n", target, *(f"{name}={value}" for name, value in given.items())]
    recipe = shlex.split(
        subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    )
    options = vars(parser().parse_args(recipe[recipe.index("dev.deploy") + 1 :]))
    expected = {"command": target, "stage": "prod", "player": PLAYER, "match": PLAYER, "table": "restored"}
    assert options == options | {name: value for name, value in expected.items() if name in options}
    assert ("stage" in options) == (target not in ("deploy-local", "bill", "checkov"))
