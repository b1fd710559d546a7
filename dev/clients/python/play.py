"""Plays a solo deal with the generated client against the server of the first argument, and reads an answer of the future
(the second, a file)."""

import json
import sys
from pathlib import Path

from do_dooni_client import (
    ApiClient,
    Configuration,
    MatchesApi,
    MatchSetup,
    MatchUpdate,
    NewGuest,
    PlayApi,
    PlayersApi,
)


def play(server: str) -> None:
    configuration = Configuration(host=server)
    with ApiClient(configuration) as client:
        came = PlayersApi(client).create_player(NewGuest(name="Ila"))
        configuration.access_token = came.tokens.access_token
        update = MatchesApi(client).create_match(MatchSetup(deals=1))
        match, told = update.match, len(update.events)
        while match.status == "playing":
            update = PlayApi(client).make_move(match.id, match.next_move, match.you.legal_moves[0])
            match = update.match
            told += len(update.events)
        print(json.dumps({"status": match.status, "scores": match.result.scores.to_dict(), "told": told}))


def read(file: str) -> None:
    """An app of today reads what a server of tomorrow sends."""
    update = MatchUpdate.from_json(Path(file).read_text(encoding="utf-8"))
    known = [event for event in update.events if event.type in ("call", "play", "banked")]
    seats = [seat.type for seat in update.match.seats]
    print(json.dumps({"seats": seats, "events": len(update.events), "known": len(known)}))


play(sys.argv[1])
read(sys.argv[2])
