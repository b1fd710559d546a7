"""`make forget STAGE=… PLAYER=…`: delete a player who asks for it by other ways than the app.

It does what `DELETE /v1/me` does, with the credentials of whoever runs it. Repeatable; the sweep finishes what is cut
short.
"""

from __future__ import annotations

import sys

import boto3

from chalicelib.service.people.accounts import delete_player
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore
from dev.deploy.arguments import an_id, stage_parser
from dev.deploy.stack import NotThere, in_a_line, outputs_of


def forget(store: DynamoStore, player_id: str) -> None:
    """Make the player a deleted one. Raises `NotThere`."""
    if store.player(player_id) is None:
        raise NotThere(f"there is no player {player_id}")
    delete_player(Services(store), player_id)


def main() -> int:
    parser = stage_parser("dev.deploy.forget", __doc__)
    parser.add_argument("--player", type=an_id, required=True, help="the player's id")
    options = parser.parse_args()

    def delete() -> str:
        forget(DynamoStore(outputs_of(boto3.client, options.stage)["TableName"]), options.player)
        return "deleted; backups know the player for 35 days more"

    return in_a_line(delete)


if __name__ == "__main__":
    sys.exit(main())
