"""The keys as a deployment reads them: one secret, asked for once, patiently."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest

from chalicelib.api import keyring
from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.api.dispatch import STORE_SECONDS
from chalicelib.service.ports import Store, Unavailable
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client

KEYS = json.dumps({"new": "A" * 43, "old": "B" * 43})
NONCE = "n" * 22
ARN = "arn:aws:secretsmanager:us-east-1:000000000000:secret:keys"


class Vault:
    """A Secrets Manager that gives these statuses, one a request, and the keys with 200; `refusal` with any other."""

    def __init__(self) -> None:
        self.statuses: list[int] = [200]
        self.refusal = '{"__type": "AccessDeniedException", "Message": "no"}'
        self.asked: list[dict[str, str]] = []


@pytest.fixture
def keys() -> Keys:
    """As deployed."""
    return Keys(keyring.deployed)


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    made = Vault()

    class Transport(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.asked.append({**json.loads(body), "signed": self.headers["Authorization"].split()[0]})
            status = made.statuses.pop(0)
            answer = (json.dumps({"SecretString": KEYS}) if status == 200 else made.refusal).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Transport)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.delenv(keyring.KEYS_VARIABLE, raising=False)
    monkeypatch.setenv(keyring.SECRET_VARIABLE, ARN)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    yield made
    server.shutdown()
    server.server_close()


def test_the_secret_is_read_once(vault: Vault, keys: Keys) -> None:
    """The first token asks for the secret, with a signed request; a vault that fails is asked again; later tokens ask
    no more."""
    vault.statuses = [500, 503, 200]
    for _ in range(3):
        assert ["new", "old"] == list(keys.by_id())
    assert [{"SecretId": ARN, "signed": "AWS4-HMAC-SHA256"}] * 3 == vault.asked


@pytest.mark.parametrize(
    ("statuses", "refusal", "expected"),
    [
        ([500, 503, 500], "", (503, "try_again", "1")),
        ([429], "", (503, "try_again", "1")),
        # Amazon says with 400 that it has too much to do, and that something is forbidden: only the kind tells.
        *(
            ([400], json.dumps({"__type": f"com.amazon.coral.availability#{kind}"}), (503, "try_again", "1"))
            for kind in keyring._THROTTLED
        ),
        ([400], '{"__type": "AccessDeniedException"}', (500, "internal_error", None)),
        ([400], '{"__type": "ResourceNotFoundException"}', (500, "internal_error", None)),
        ([403], "<html>no</html>", (500, "internal_error", None)),
        ([400], '["__type"]', (500, "internal_error", None)),
    ],
)
def test_a_caller_is_told_what_is_worth_a_try(
    vault: Vault, keys: Keys, statuses: list[int], refusal: str, expected: tuple[int, str, str | None]
) -> None:
    """A trouble that passes is 503 with the time to wait; what no waiting mends is a fault of ours, 500. A refusal is
    not asked for twice; the next request asks anew."""
    vault.statuses, vault.refusal = [*statuses, 200], refusal
    caller = Client(create_app(Services(MemoryStore()), keys)).with_token("x.y.z")
    reply = caller.call("GET", "/me")
    assert expected == (reply.status, reply.code, reply.headers.get("Retry-After"))
    assert len(statuses) == len(vault.asked)
    assert "token_invalid" == caller.call("GET", "/me").code


def test_an_absent_vault_is_given_up(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answering is an error with a name, after a few tries; silence too, and all tries together end within the
    6 s that a phone waits."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        keyring.secret_text()
    assert keyring._TRIES * 2 * keyring._SECONDS <= STORE_SECONDS + 2
    monkeypatch.setattr(keyring, "_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        with pytest.raises(Unavailable, match="ReadTimeoutError"):
            keyring.secret_text()


def test_the_environment_comes_first(vault: Vault, keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that are given to the process itself, as a local run's are, need no vault."""
    monkeypatch.setenv(keyring.KEYS_VARIABLE, json.dumps({"local": "C" * 43}))
    assert (["local"], []) == (list(keys.by_id()), vault.asked)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/players", {}),
        ("/tokens", {"type": "refresh", "refresh_token": "{refresh_token}", "client_nonce": NONCE}),
        ("/tokens", {"type": "transfer", "code": "{code}", "client_nonce": NONCE}),
        ("/tokens", {"type": "recovery", "code": "{recovery}", "client_nonce": NONCE}),
    ],
    ids=str,
)
def test_without_keys_a_sign_in_changes_nothing(vault: Vault, keys: Keys, path: str, body: dict[str, str]) -> None:
    """Nothing is counted, written or used up for a token that cannot be signed."""
    vault.statuses = [200, 400]
    store, touched = MemoryStore(), []
    client = Client(create_app(Services(store), keys))
    guest = client.ok("POST", "/players", {})
    device = client.with_token(guest["tokens"]["access_token"])
    code, recovery = (device.ok("POST", f"/me/{kind}")["code"] for kind in ("transfer-codes", "recovery-code"))
    known = {"refresh_token": guest["tokens"]["refresh_token"], "code": code, "recovery": recovery}

    class Watched:
        def __getattr__(self, name: str) -> Any:
            touched.append(name)
            return getattr(store, name)

    keyless = Client(create_app(Services(cast("Store", Watched())), Keys(keyring.deployed)))
    filled = {name: value.format(**known) for name, value in body.items()}
    assert (500, []) == (keyless.call("POST", path, filled).status, touched)
