"""`make trust`: every promise attacked with large counts, one line each; 1 if one is broken."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from dev.local.servers import Server, free_port, start_dynoxide
from dev.trust.surroundings import prepare

prepare()

from chalicelib.service.services import Services  # noqa: E402 - the app reads its settings when it is imported
from chalicelib.store import DynamoStore, create_table  # noqa: E402 - as above
from dev.trust import (  # noqa: E402
    account_races,
    devices,
    fairness,
    guessing,
    matrix,
    people,
    quiet,
    reading_races,
    seat_races,
    sweep_races,
)
from dev.trust.crashes import play_through_crashes  # noqa: E402
from dev.trust.faults import try_dying, try_faults  # noqa: E402
from dev.trust.items import bare_client  # noqa: E402
from dev.trust.noninterference import try_to_see  # noqa: E402
from dev.trust.proxy import StoreProxy  # noqa: E402
from dev.trust.races import two_phones  # noqa: E402
from dev.trust.tally import Tally  # noqa: E402
from dev.trust.transport import InProcess, OverHttp  # noqa: E402
from dev.trust.whole_match import Meter, play_checked  # noqa: E402
from tests.servers import ApiProcess  # noqa: E402

Attack: TypeAlias = "Callable[[Place], Tally | tuple[Tally, ...]]"


class Place:
    """Where an attack is made: a store in memory, and a folder for what is kept on disk."""

    def __init__(self, folder: Path, store: Server) -> None:
        self.folder, self.store = folder, store

    def transport(self, table: str) -> InProcess:
        """The app in this process, on a table of its own of the real store."""
        create_table(table, self.store.url)
        return InProcess(Services(DynamoStore(table, self.store.url)))

    def api(self, table: str, store_url: str) -> ApiProcess:
        create_table(table, self.store.url)
        return ApiProcess(store_url, table, self.folder / f"{table}.log").start()


def whole_match(place: Place) -> tuple[Tally, ...]:
    meter = Meter()
    with StoreProxy(place.store.url, on_answer=meter) as proxy:
        api = place.api("whole", proxy.url)
        try:
            with OverHttp(api.url) as transport:
                return play_checked(transport, meter, bare_client(place.store.url), "whole", 16)
        finally:
            api.stop()


def phones_at_once(place: Place) -> tuple[Tally, ...]:
    api = place.api("phones", place.store.url)
    try:
        with OverHttp(api.url) as transport:
            return two_phones(transport, 100)
    finally:
        api.stop()


def dying_api(place: Place) -> Tally:
    tally = Tally("the API killed (kill -9) and restarted 10 times in a match of 16 deals: no move lost, none doubled")
    api = place.api("dying", place.store.url)
    crashed = 0

    def crash() -> None:
        nonlocal crashed
        api.kill()
        api.start()
        crashed += 1

    try:
        with OverHttp(api.url) as transport:
            play_through_crashes([transport], crash, 10, 16, tally, to_the_end=True)
    finally:
        api.stop()
    tally.notes.append(f"{crashed} crashes; an attempt is an acknowledged move, or a phone's feed")
    return tally


def dying_store(place: Place) -> Tally:
    tally = Tally("the store killed (kill -9) and restarted 20 times under load: no acknowledged move lost")
    port, crashed = free_port(), 0
    server = start_dynoxide(port, place.folder / "store.db")

    def crash() -> None:
        nonlocal server, crashed
        server.kill()
        server = start_dynoxide(port, place.folder / "store.db")
        crashed += 1

    try:
        create_table("killed", server.url)
        transport = InProcess(Services(DynamoStore("killed", server.url)))
        play_through_crashes([transport] * 4, crash, 20, 16, tally)
    finally:
        server.stop()
    tally.notes.append(f"{crashed} crashes, 4 matches at once; an attempt is an acknowledged move, or a phone's feed")
    return tally


ATTACKS: tuple[Attack, ...] = (
    lambda _: try_to_see(moments=40, worlds=4),
    lambda _: fairness.opened_in_time(60),
    lambda _: matrix.try_without_token(),
    lambda _: matrix.try_as_others(),
    lambda _: people.names(2000),
    lambda _: people.export_is_complete(),
    lambda _: people.deletion_leaves_nothing(),
    lambda _: devices.families(200),
    lambda _: devices.thieves(100),
    lambda _: devices.transfers(50),
    lambda _: devices.signing_out(),
    lambda _: guessing.codes(50_000),
    lambda _: guessing.invites(50),
    lambda _: guessing.limits(),
    lambda _: quiet.quiet_log(10),
    whole_match,
    phones_at_once,
    dying_api,
    dying_store,
    lambda place: seat_races.last_seat(place.transport("seats"), 100),
    lambda place: seat_races.leave_and_sit(place.transport("crossing"), 100),
    lambda place: seat_races.start_once(place.transport("starts"), 50),
    lambda place: seat_races.create_once(place.transport("creating"), 20),
    lambda place: seat_races.refresh_once(place.transport("tokens"), 100),
    lambda place: account_races.renamed_at_once(place.transport("renaming"), 60),
    lambda place: account_races.live_limit(place.transport("limit"), 3),
    lambda place: account_races.sent_away(place.transport("sent"), 10),
    lambda place: account_races.offers_cost_nothing(place.transport("offers"), 60),
    lambda place: reading_races.read_while_played(place.transport("reading"), 5000),
    lambda place: sweep_races.time_out_once(place.transport("sweeping").services.store, 60),
    lambda place: try_dying(place.store.url),
    lambda place: try_faults(place.store.url),
)


def tallies(folder: Path, first: int) -> Iterator[Tally]:
    for number, attack in enumerate(ATTACKS[first - 1 :], first):
        # A fresh store for each: dynoxide keeps a stream of every write, and each costs more than the one before.
        with start_dynoxide(free_port()) as store:
            own = folder / str(number)
            own.mkdir()
            found = attack(Place(own, store))
        yield from (found,) if isinstance(found, Tally) else found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.trust", description=__doc__)
    parser.add_argument("--first", type=int, default=1, help="begin at this attack")
    options = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    began, broken, promises = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for tally in tallies(Path(folder), options.first):
            print(f"{time.monotonic() - began:5.0f} s  {tally.line()}", flush=True)
            for fault in tally.broken:
                print(f"           {fault}", flush=True)
            promises += 1
            broken += not tally.kept
    print(f"{promises - broken} of {promises} promises held, in {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
