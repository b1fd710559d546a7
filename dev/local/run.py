"""One local run: what is started, in order, and stopped again in the other order."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from dev.local.faults import Faults
from dev.local.http_server import LoopbackServer, dev_server
from dev.local.servers import LOOPBACK, STORE_CREDENTIALS, ServerFailed, free_port, start_local_store, supervised
from dev.local.state import InUse, claimed, signing_keys

TRY_IT = """
Play Do Dooni at {page}  (Ctrl-C stops it)

The API is at {url}; make play{port} plays with it in another terminal.

  curl {url}/health
  TOKEN=$(curl -s -X POST {url}/players -H 'Content-Type: application/json' -d '{{"name": "Asha"}}' \\
    | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
  curl -X POST {url}/matches -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{{}}'
"""
_LETTING_GO = 0.1
"""Seconds within which the server notices that it is to stop."""


def run(arguments: Sequence[str], wait_for_stop: Callable[[], object]) -> int:
    """Serve until `wait_for_stop` returns: 0; 1 when something was in the way, after a line that says what."""
    options = _options(arguments)
    try:
        with ExitStack() as stack:
            _serve(options, stack)
            wait_for_stop()
    except (InUse, ServerFailed) as fault:
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
    parser.add_argument("--port", type=_port, default=8000)
    parser.add_argument("--state", type=Path, default=Path(".state"), help="the folder that is kept between runs")
    parser.add_argument("--store", metavar="URL", help="a DynamoDB-compatible server that runs already")
    parser.add_argument("--sweep", type=float, default=5, metavar="SECONDS", help="between two sweeps; 0: none")
    parser.add_argument(
        "--rate", type=_factor, default=100, metavar="FACTOR", help="of the rate limits; 1: as deployed"
    )
    parser.add_argument("--token-seconds", type=_seconds, help="how long an access token is good for")
    parser.add_argument(
        "--faults", type=_share, default=0, metavar="SHARE", help="of the requests, answered 503; 0 to 1"
    )
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 1 << 16:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return number


def _seconds(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("a token is good for 1 second at least")
    return number


def _factor(text: str) -> float:
    number = float(text)
    if not 0 <= number:
        raise argparse.ArgumentTypeError("a factor is a number from 0; 0: no limits")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("a share is a number from 0 to 1")
    return number


def _serve(options: argparse.Namespace, stack: ExitStack) -> None:
    """Start everything; what the stack holds stops it."""
    listener = LoopbackServer(options.port)
    stack.callback(listener.server_close)
    # The app reads its settings when it is first called.
    os.environ.setdefault("DO_DOONI_TABLE", "do-dooni")
    os.environ.setdefault("DO_DOONI_RATE_FACTOR", str(options.rate))  # one developer is many players
    os.environ["DO_DOONI_DYNAMODB_URL"] = options.store or _own_store(options.state, stack)
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)
    if "DO_DOONI_SIGNING_KEYS" not in os.environ:
        os.environ["DO_DOONI_SIGNING_KEYS"] = signing_keys(options.state)

    importlib.import_module("chalicelib.store").create_table()
    if options.token_seconds:
        from chalicelib.api import auth

        auth.LIFETIME = options.token_seconds
    server = dev_server(importlib.import_module("app").app, listener, Faults(options.faults)).server
    stack.enter_context(importlib.import_module("dev.local.clock").swept_every(options.sweep))
    stack.callback(server.shutdown)
    threading.Thread(target=server.serve_forever, args=(_LETTING_GO,), daemon=True).start()
    page = f"http://{LOOPBACK}:{options.port}/"
    url, port = f"{page}v1", "" if options.port == 8000 else f" PORT={options.port}"
    print(TRY_IT.format(page=page, url=url, port=port), flush=True)


def _own_store(folder: Path, stack: ExitStack) -> str:
    """Start a store that keeps its tables in the folder, and is started again if it ends; its url."""
    stack.enter_context(claimed(folder))
    log, port = folder / "store.log", free_port()
    log.unlink(missing_ok=True)
    return stack.enter_context(supervised(lambda: start_local_store(port, folder / "store.db", log)))
