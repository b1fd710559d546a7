"""The feed, read while the match goes on."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from random import Random

from dev.trust.phones import Phone, seat_four
from dev.trust.tally import Tally
from dev.trust.transport import Json, Transport

MOVES = 130
"""Past the ends of two deals, where what is read lies in several items."""


def read_while_played(transport: Transport, reads: int) -> Tally:
    """Two phones read from anywhere while four play; what they were told is held against the feed of the end."""
    tally = Tally("a feed read while others move tells each event once, in order, as it is told ever after")
    with ThreadPoolExecutor(2) as pool:
        while tally.tried < reads:
            table, over = seat_four(transport, tally.tried), threading.Event()
            phones = table.phones[:2]
            reading = [pool.submit(_read_on, phone, table.path, over, seed) for seed, phone in enumerate(phones)]
            try:
                table.play(MOVES)
            finally:
                over.set()
            for phone, pages in zip(phones, reading, strict=True):
                whole = phone.get(f"{table.path}/events?after=0&limit=1000")["items"]
                for after, page in pages.result():
                    items = page["items"]
                    tally.expect(whole[after : after + len(items)], items, f"events after {after}")
                    tally.expect(after + len(items), page["version"], f"the version of events after {after}")
    return tally


def _read_on(phone: Phone, path: str, over: threading.Event, seed: int) -> list[tuple[int, Json]]:
    """Pages of the feed, each with the version it was asked after."""
    chance, version = Random(seed), 0
    pages: list[tuple[int, Json]] = []
    while not over.is_set():
        after = chance.choice((0, chance.randint(0, version), version))
        page = phone.get(f"{path}/events?after={after}&limit=1000")
        pages.append((after, page))
        version = max(version, page["version"])
    return pages
