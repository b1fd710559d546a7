"""What the commands of a stage are told: which stage, and ids, of which one in 32 begins with a hyphen.

An id is therefore an option's value, given with `=`, and never a word of its own, which would be read as an option.
"""

from __future__ import annotations

import argparse
import re

from dev.deploy.package import STAGES

_ID = re.compile(r"[A-Za-z0-9_-]{16}")


def stage_parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """A parser that knows --stage; `command` is the module's name."""
    parser = argparse.ArgumentParser(prog=f"python -m {command}", description=description)
    parser.add_argument("--stage", choices=STAGES, required=True)
    return parser


def an_id(text: str) -> str:
    """A player's or a match's id, alone or as the table's key has it (`player#…`, `match#…`)."""
    bare = text.rpartition("#")[2]
    if not _ID.fullmatch(bare):
        raise argparse.ArgumentTypeError(f"{text!r} is not an id: 16 letters, digits, hyphens or underscores")
    return bare
