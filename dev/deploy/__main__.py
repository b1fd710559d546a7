"""`python -m dev.deploy COMMAND …`: prints what it did, or in one line what was in the way."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.service.ports import Unavailable
from chalicelib.store import DynamoStore
from dev.deploy import CommandFailed, check, local
from dev.deploy.bill import bill
from dev.deploy.keys import rotate
from dev.deploy.package import ROOT, STAGES, Package, package
from dev.deploy.restore import LONGEST_RUN, restore
from dev.deploy.restore_match import MatchRestoration
from dev.deploy.stack import Deployment, outputs_of
from dev.deploy.table import forget, forms
from dev.local.servers import ServerFailed

_ID = re.compile(r"[A-Za-z0-9_-]{16}")
Options = argparse.Namespace


def an_id(text: str) -> str:
    """A player's or a match's id, alone or as the table's key has it (`player#…`, `match#…`)."""
    bare = text.rpartition("#")[2]
    if not _ID.fullmatch(bare):
        raise argparse.ArgumentTypeError(f"{text!r} is not an id: 16 letters, digits, hyphens or underscores")
    return bare


def setting(text: str) -> tuple[str, str]:
    """A parameter's name and value, of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _built(options: Options) -> Package:
    return package(options.stage, ROOT / "build" / options.stage)


def _package(options: Options) -> str:
    made = _built(options)
    size = made.archive.stat().st_size
    return f"{made.template.relative_to(ROOT)} and {made.archive.relative_to(ROOT)}, {size:,} bytes"


def _deploy(options: Options) -> str:
    outputs = Deployment(boto3.client).deploy(_built(options), dict(options.set))
    return f"{outputs['FrontDoorURL']}\n{outputs['EndpointURL'].rstrip('/')}/v1"


def _used_table(options: Options) -> str:
    return outputs_of(boto3.client, options.stage)["TableName"]


def _restore_match(options: Options) -> str:
    used = _used_table(options)
    return MatchRestoration(boto3.client("dynamodb"), options.table, used).restore(options.match)


STAGE: Mapping[str, Any] = {"--stage": {"choices": STAGES, "required": True}}
# An id may begin with a hyphen, so it is an option's value, given with `=`.
ID: Mapping[str, Any] = {"type": an_id, "required": True}
RESTORED: Mapping[str, Any] = {"--table": {"required": True, "help": "the restored table's name"}}
WAIT = {"type": float, "default": LONGEST_RUN, "metavar": "SECONDS", "help": "for requests that run when it stops them"}
SET = {"type": setting, "action": "append", "default": [], "metavar": "NAME=VALUE", "help": "a parameter of the stack"}
COMMANDS: Mapping[str, tuple[Callable[[Options], str], Mapping[str, Any]]] = {
    "package": (_package, STAGE),
    "deploy": (_deploy, {**STAGE, "--set": SET}),
    "deploy-local": (lambda _: local.serve(), {}),
    "rotate-keys": (lambda options: rotate(boto3.client, options.stage).text(options.stage), STAGE),
    "forget": (lambda options: forget(DynamoStore(_used_table(options)), options.player), {**STAGE, "--player": ID}),
    "forms": (lambda options: forms(boto3.client, options.stage), STAGE),
    "restore": (
        lambda options: restore(boto3.client, options.stage, options.table, options.wait),
        {**STAGE, **RESTORED, "--wait": WAIT},
    ),
    "restore-match": (_restore_match, {**STAGE, **RESTORED, "--match": ID}),
    "bill": (lambda options: bill(write=options.write), {"--write": {"action": "store_true"}}),
    "checkov": (lambda _: check.check(), {}),
}


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="python -m dev.deploy", description=__doc__)
    commands = whole.add_subparsers(dest="command", required=True)
    for name, (_run, arguments) in COMMANDS.items():
        command = commands.add_parser(name)
        for argument, settings in arguments.items():
            command.add_argument(argument, **settings)
    return whole


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    run, _arguments = COMMANDS[options.command]
    try:
        print(run(options))
    except (CommandFailed, ServerFailed, Unavailable, ClientError, BotoCoreError) as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
