"""What the contract tells a newcomer."""

from __future__ import annotations

from pathlib import Path

INFO = Path(__file__).with_name("introduction.md").read_text(encoding="utf-8")

TAGS = {
    "Players": "Guests, names, devices and tokens. An access token is good for a quarter of an hour, and the refresh "
    "token gets the next one: each device has its own family of them. A transfer code signs another device in; the "
    "recovery code is the way back in when all are lost. A device that is signed out can write nothing more; its moves "
    "and reads go on until its access token ends.",
    "Matches": "Making matches and seeing them. A view is made for one seat: nobody's cards but yours are in it.",
    "Seats": "Sitting down with an invite code, leaving, coming back, starting. Before the start seats may be changed; "
    "once cards are dealt you can only ever hold the seat you had, because leaving one to sit on another would show "
    "you two hands. Whoever leaves is followed by a bot.",
    "Play": "Moves, and the feed of what happened. One request plays on until it is a human's turn again.",
    "Deals": "Finished deals, whole, with everything that is needed to check that the cards were fixed before the "
    "auction and not steered.",
    "Service": "The API itself.",
}
