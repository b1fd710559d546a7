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

from dev.local.http_server import LoopbackServer, dev_server
from dev.local.servers import LOOPBACK, STORE_CREDENTIALS, ServerFailed, free_port, start_ministack
from dev.local.state import InUse, claimed, signing_keys

TRY_IT = """
Do Dooni is served at {url}  (Ctrl-C stops it)

  make play{port}    (in another terminal: you and three bots)

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
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 1 << 16:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return number


def _serve(options: argparse.Namespace, stack: ExitStack) -> None:
    """Start everything; what the stack holds stops it."""
    listener = LoopbackServer(options.port)
    stack.callback(listener.server_close)
    # The app reads its settings when it is first called.
    os.environ.setdefault("DO_DOONI_TABLE", "do-dooni")
    os.environ.setdefault("DO_DOONI_RATE_FACTOR", "100")  # one developer is many players
    os.environ["DO_DOONI_DYNAMODB_URL"] = options.store or _own_store(options.state, stack)
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)
    if "DO_DOONI_SIGNING_KEYS" not in os.environ:
        os.environ["DO_DOONI_SIGNING_KEYS"] = signing_keys(options.state)

    importlib.import_module("chalicelib.store").create_table()
    server = dev_server(importlib.import_module("app").app, listener).server
    stack.enter_context(importlib.import_module("dev.local.clock").swept_every(options.sweep))
    stack.callback(server.shutdown)
    threading.Thread(target=server.serve_forever, args=(_LETTING_GO,), daemon=True).start()
    url, port = f"http://{LOOPBACK}:{options.port}/v1", "" if options.port == 8000 else f" PORT={options.port}"
    print(TRY_IT.format(url=url, port=port), flush=True)


def _own_store(folder: Path, stack: ExitStack) -> str:
    """Start a store whose tables are kept in the folder; its url."""
    stack.enter_context(claimed(folder))
    log = folder / "ministack.log"
    log.unlink(missing_ok=True)
    store = stack.enter_context(start_ministack(free_port(), folder / "store", keep=True, log=log))
    return store.url
