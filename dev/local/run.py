"""One local run: what is started, in order, and stopped again in the other order."""

from __future__ import annotations

import argparse
import errno
import importlib
import math
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from dev.local.gateway import Gateway
from dev.local.http_server import Web, listener, serving
from dev.local.servers import LOOPBACK, STORE_CREDENTIALS, ServerFailed, free_port, start_local_store, supervised
from dev.local.state import NotUsable, check_format, claimed, mark_format, signing_keys

TRY_IT = """
Play Do Dooni at {page}  (Ctrl-C stops it)

The API is at {url}; make play{elsewhere} plays with it in another terminal.

  curl {url}/health
  TOKEN=$(curl -s -X POST {url}/players -H 'Content-Type: application/json' -d '{{"name": "Asha"}}' \\
    | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
  curl -X POST {url}/matches -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{{}}'
"""


def run(arguments: Sequence[str], wait_for_stop: Callable[[], object]) -> int:
    """Serve until `wait_for_stop` returns: 0; 1 when something was in the way, after a line that says what."""
    options = _options(arguments)
    try:
        with ExitStack() as stack:
            _serve(options, stack)
            wait_for_stop()
    except (NotUsable, ServerFailed) as fault:
        print(fault, file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"port {options.port} is in use: stop what listens there, or choose another PORT", file=sys.stderr)
        return 1
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dev.local", description="The API on loopback, with its store.")

    def option(name: str, kind: Callable[[str], object], default: object, words: str, unit: str | None = None) -> None:
        parser.add_argument(name, type=kind, default=default, help=words, metavar=unit)

    option("--port", _number(int, 1, 65535), 8000, "where it listens")
    option("--state", Path, Path(".state"), "the folder that is kept between runs")
    option("--store", str, None, "a DynamoDB-compatible server that runs already", "URL")
    option("--sweep", float, 5, "between two sweeps; 0: none", "SECONDS")
    option("--rate", _number(float, 0), 100, "multiplies the rate limits; 1: as deployed, 0: none", "FACTOR")
    option("--token-seconds", _number(int, 1), None, "how long an access token is good for", "SECONDS")
    option("--faults", _number(float, 0, 1), 0, "of the requests, answered 503; 0 to 1", "SHARE")
    return parser.parse_args(arguments)


def _number(kind: type[int] | type[float], least: float, most: float = math.inf) -> Callable[[str], float]:
    def number(text: str) -> float:
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be from {least:g} to {most:g}")
        return value

    return number


def _serve(options: argparse.Namespace, stack: ExitStack) -> None:
    """Start everything; what the stack holds stops it."""
    port = stack.enter_context(listener(options.port))
    os.environ.setdefault("DO_DOONI_TABLE", "do-dooni")
    os.environ["DO_DOONI_DYNAMODB_URL"] = options.store or _own_store(options.state, stack)
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)
    if "DO_DOONI_SIGNING_KEYS" not in os.environ:
        os.environ["DO_DOONI_SIGNING_KEYS"] = signing_keys(options.state)
    from chalicelib.api import auth, keyring
    from chalicelib.api.app import create_app
    from chalicelib.service.services import Services
    from chalicelib.store import DynamoStore, create_table
    from dev.local.clock import swept_every

    create_table()
    services, keys = Services(DynamoStore()), auth.Keys(keyring.deployed, options.token_seconds or auth.LIFETIME)
    app = create_app(services, keys, rate_factor=options.rate)
    stack.enter_context(swept_every(services, options.sweep))
    stack.enter_context(serving(Web(Gateway(app), options.faults), port))
    page = f"http://{LOOPBACK}:{options.port}/"
    elsewhere = "" if options.port == 8000 else f" PORT={options.port}"
    print(TRY_IT.format(page=page, url=f"{page}v1", elsewhere=elsewhere), flush=True)


def _own_store(folder: Path, stack: ExitStack) -> str:
    """Start a store that keeps its tables in the folder, and is started again if it ends; its url."""
    stack.enter_context(claimed(folder))
    file, log, port = folder / "store.db", folder / "store.log", free_port()
    log.unlink(missing_ok=True)
    if not file.exists():
        mark_format(folder)
    # The app's libraries are imported while the store starts.
    threading.Thread(target=importlib.import_module, args=("chalicelib.store",), daemon=True).start()
    url = stack.enter_context(supervised(lambda: start_local_store(port, file, log)))
    check_format(folder)
    return url
