"""The sweep of a local run: what a schedule calls every minute once deployed, here every few seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.service.sets.upkeep import prepare_daily


@contextmanager
def swept_every(services: Services, seconds: float) -> Iterator[None]:
    """Within the `with`, a thread plays on what is overdue; 0 seconds: nothing does."""
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(seconds):
            try:
                sweep(services, stop.is_set)
                prepare_daily(services)
            except Exception as error:
                # The next one goes on where this one stopped; a store that is stopping is no news either.
                print(f"sweep: {type(error).__name__}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=run, name="sweep", daemon=True)
    if seconds:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if seconds:
            thread.join(5)
