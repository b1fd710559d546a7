"""`make forget STAGE=… PLAYER=…`: delete a player who asks for it by other ways than the app.

It does what `DELETE /v1/me` does, with the credentials of whoever runs it. Repeatable; the sweep finishes what is cut
short.
"""

from __future__ import annotations

import argparse
import sys

import boto3

from chalicelib.service.accounts import delete_player
from chalicelib.service.house import House
from chalicelib.store import DynamoStore
from dev.deploy.package import STAGES
from dev.deploy.stack import outputs, stack_name


def forget(store: DynamoStore, player_id: str) -> bool:
    """Whether there is such a player; if so, now a deleted one."""
    if store.player(player_id) is None:
        return False
    delete_player(House(store), player_id)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.deploy.forget", description=__doc__)
    parser.add_argument("--stage", choices=STAGES, required=True)
    parser.add_argument("player_id")
    options = parser.parse_args()
    told = outputs(boto3.client("cloudformation"), stack_name(options.stage))
    if told is None or not forget(DynamoStore(told["TableName"]), options.player_id):
        print("there is no such player", file=sys.stderr)
        return 1
    print("deleted; backups know the player for 35 days more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
