"""`make run`: the API on loopback, with its store, until Ctrl-C."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

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


class Stop(BaseException):
    """Ctrl-C or SIGTERM: leave by the way everything was entered."""


def main() -> int:
    """Serve until stopped; 0 then, 1 when something was in the way."""
    options = _options()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        with ExitStack() as stack:
            _serve(options, stack)
    except Stop:
        return 0
    except (InUse, ServerFailed) as fault:
        print(fault, file=sys.stderr)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"port {options.port} is in use: stop what listens there, or choose another PORT", file=sys.stderr)
    return 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dev.local", description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--state", type=Path, default=Path(".state"), help="the folder that is kept between runs")
    parser.add_argument("--store", metavar="URL", help="a DynamoDB-compatible server that runs already")
    parser.add_argument("--sweep", type=float, default=5, metavar="SECONDS", help="between two sweeps; 0: none")
    return parser.parse_args()


def _stop(_number: int, _frame: FrameType | None) -> None:
    # Once is enough: a second Ctrl-C must not cut the saving short.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise Stop


def _serve(options: argparse.Namespace, stack: ExitStack) -> None:
    listener = LoopbackServer(options.port)
    stack.callback(listener.server_close)
    # The app reads its settings when it is imported.
    os.environ.setdefault("DO_DOONI_TABLE", "do-dooni")
    os.environ.setdefault("DO_DOONI_RATE_FACTOR", "100")  # one developer is many players
    os.environ["DO_DOONI_DYNAMODB_URL"] = options.store or _own_store(options.state, stack)
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)
    if "DO_DOONI_SIGNING_KEYS" not in os.environ:
        os.environ["DO_DOONI_SIGNING_KEYS"] = signing_keys(options.state)

    importlib.import_module("chalicelib.store").create_table()
    server = dev_server(importlib.import_module("app").app, listener)
    print(TRY_IT.format(url=f"http://{LOOPBACK}:{options.port}/v1", port=_port_argument(options.port)), flush=True)
    with importlib.import_module("dev.local.clock").swept_every(options.sweep):
        server.server.serve_forever()


def _own_store(folder: Path, stack: ExitStack) -> str:
    """Start a store whose tables are kept in the folder; its url."""
    stack.enter_context(claimed(folder))
    log = folder / "ministack.log"
    log.unlink(missing_ok=True)
    store = stack.enter_context(start_ministack(free_port(), folder / "store", keep=True, log=log))
    return store.url


def _port_argument(port: int) -> str:
    return "" if port == 8000 else f" PORT={port}"


if __name__ == "__main__":
    sys.exit(main())
