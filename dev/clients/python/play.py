"""Plays a solo deal with the generated client against the server of the first argument, and reads an answer of the
future (the second, a file)."""

import json
import sys
from pathlib import Path

from do_dooni_client import ApiClient, Configuration, MatchesApi, MatchSetup, MatchUpdate, NewGuest, PlayApi, PlayersApi


def play(server: str) -> None:
    configuration = Configuration(host=server)
    with ApiClient(configuration) as client:
        configuration.access_token = PlayersApi(client).create_player(NewGuest(name="Ila")).tokens.access_token
        update = MatchesApi(client).create_match(match_setup=MatchSetup(deals=1))
        match, events = update.match, update.events
        while match.status == "playing":
            update = PlayApi(client).make_move(match.id, match.next_move, match.you.legal_moves[0])
            match, events = update.match, [*events, *update.events]
        plays = sum(event.type == "play" for event in events)
        print(json.dumps({"status": match.status, "scores": match.result.scores.to_dict(), "plays": plays}))


def read(file: str) -> None:
    """An app of today reads what a server of tomorrow sends."""
    update = MatchUpdate.from_json(Path(file).read_text(encoding="utf-8"))
    seats = [seat.type for seat in update.match.seats]
    types, cards = zip(*((event.type, event.card) for event in update.events), strict=True)
    print(json.dumps({"seats": seats, "types": types, "cards": cards}))


play(sys.argv[1])
read(sys.argv[2])
