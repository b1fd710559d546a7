"""What the store makes of a server that fails: which calls it repeats, and what it tells."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ClientError

from chalicelib.match.model import Change
from chalicelib.service import ports
from chalicelib.service.ports import AccountGone, Lost, Player, SeatHeld, Unavailable, budget
from chalicelib.store import DynamoStore
from chalicelib.store.connection import READ_TRIES, TRIES
from tests.contract import given

Answer = tuple[int, dict[str, Any]] | str
EMPTY: Answer = (200, {})
PATIENCE = 300.0
"""Seconds: more than any machine needs."""
HANG, DROP, CUT = "hang", "drop", "cut"


def failure(code: str, status: int = 400, *reasons: str) -> Answer:
    body: dict[str, Any] = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}
    if reasons:
        body["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return status, body


class Server:
    """A server that gives the answers it is told to, the last one for ever, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = [EMPTY]
        self.asked: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                server.asked.append(self.headers["X-Amz-Target"].partition(".")[2])
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                if answer == HANG:
                    select.select([self.connection], [], [], PATIENCE)  # until the store gives up
                if answer in (HANG, DROP):
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, body = (200, {}) if isinstance(answer, str) else answer
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.0")
                self.send_header("Content-Length", str(len(content) + (100 if answer == CUT else 0)))
                self.end_headers()
                self.wfile.write(content)
                self.close_connection = answer == CUT

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def times_asked(self, expected: int) -> int:
        """How often, once it was as often as expected: a store that gave up may be ahead of this server."""
        give_up = time.monotonic() + PATIENCE
        while len(self.asked) < expected and time.monotonic() < give_up:
            time.sleep(0.01)
        return len(self.asked)


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


@pytest.fixture
def server(running: Server) -> Server:
    """The server, as if it had just begun."""
    running.answers, running.asked, running.bodies = [EMPTY], [], []
    return running


@pytest.fixture(scope="module")
def store(running: Server) -> DynamoStore:
    return DynamoStore("a-table", running.url, call_seconds=PATIENCE)


@pytest.fixture(scope="module")
def hurried(running: Server) -> DynamoStore:
    """A store that soon gives up; for a server that never answers, since any other might be too slow for it."""
    return DynamoStore("a-table", running.url, call_seconds=0.2)


def read(store: DynamoStore) -> None:
    store.match(given.new_id())


def step(store: DynamoStore) -> None:
    store.save(given.next_change(given.match()))


def transaction(store: DynamoStore) -> None:
    store.save(given.next_change(given.match(), seeds=()))


Call = Callable[[DynamoStore], None]
NO_ANSWERS = [DROP, CUT, failure("InternalServerError", 500), failure("ServiceUnavailable", 503)]
BUSY = ["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"]


def asked_for(server: Server, *answers: Answer) -> None:
    """From now on the server gives these answers, and counts anew."""
    server.answers, server.asked = [*answers], []


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=str)
@pytest.mark.parametrize(("call", "tries"), [(read, READ_TRIES), (step, 1), (transaction, 1)])
def test_what_has_no_answer(server: Server, store: DynamoStore, call: Call, tries: int, answer: Answer) -> None:
    """A read is tried again, once: the next one may be answered; if not, the store is not available."""
    asked_for(server, answer, EMPTY)
    if tries == 1:
        with pytest.raises(Unavailable):
            call(store)
    else:
        call(store)
    assert tries == len(server.asked)
    asked_for(server, answer)
    with pytest.raises(Unavailable):
        call(store)
    assert tries == len(server.asked)


@pytest.mark.parametrize(("call", "tries"), [(read, READ_TRIES), (step, 1), (transaction, 1)])
def test_a_server_that_hangs_is_given_up(server: Server, hurried: DynamoStore, call: Call, tries: int) -> None:
    """After the store's patience: a read is tried again, a write is not."""
    asked_for(server, HANG)
    with pytest.raises(Unavailable):
        call(hurried)
    assert tries == server.times_asked(tries)


@pytest.mark.parametrize("code", BUSY)
@pytest.mark.parametrize("call", [read, step, transaction])
def test_what_a_busy_server_refuses_is_tried_again(server: Server, store: DynamoStore, call: Call, code: str) -> None:
    """A few times, since nothing has happened; then the store is not available."""
    asked_for(server, failure(code), failure(code), EMPTY)
    call(store)
    assert 3 == len(server.asked)
    asked_for(server, failure(code))
    with pytest.raises(Unavailable):
        call(store)
    assert TRIES == len(server.asked)


def test_writes_that_meet_are_tried_again(server: Server, store: DynamoStore) -> None:
    """A transaction in the way of another one, or of a step, has changed nothing; the next try is one of its own."""
    asked_for(server, failure("TransactionCanceledException", 400, "None", "TransactionConflict"), EMPTY)
    transaction(store)
    assert 2 == len({body["ClientRequestToken"] for body in server.bodies})
    server.answers = [failure("TransactionConflictException"), EMPTY]
    step(store)
    assert ["TransactWriteItems"] * 2 + ["UpdateItem"] * 2 == server.asked


@pytest.mark.parametrize(
    ("failed", "expected"),
    [("X---", Lost), ("XX--", AccountGone), ("X-X!", SeatHeld), ("-XX-", AccountGone)],
)
def test_the_most_telling_reason_is_told(
    server: Server, store: DynamoStore, failed: str, expected: type[Exception]
) -> None:
    """Where several conditions fail, that which no second look will change; a conflict beside it does not matter."""
    reasons = [{"X": "ConditionalCheckFailed", "-": "None", "!": "TransactionConflict"}[sign] for sign in failed]
    match, player = given.match(), Player(given.new_id(), "Asha", given.NOW)
    asked_for(server, failure("TransactionCanceledException", 400, *reasons))
    with pytest.raises(expected):
        store.save(Change(given.sitting(given.stepped(match), player), match, named=(player,)))
    assert 1 == len(server.asked)


@pytest.mark.parametrize(
    "answer",
    [
        failure("AccessDeniedException"),
        failure("ResourceNotFoundException"),
        failure("TransactionCanceledException", 400, "ValidationError"),
    ],
    ids=["no permission", "no table", "a malformed transaction"],
)
def test_our_own_faults_are_no_weather(server: Server, store: DynamoStore, answer: Answer) -> None:
    """They are not hidden, nor tried again."""
    asked_for(server, answer)
    with pytest.raises(ClientError):
        transaction(store)
    assert 1 == len(server.asked)


def test_nobody_listens() -> None:
    """A store that is not there is not available."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        store = DynamoStore("a-table", f"http://127.0.0.1:{listener.getsockname()[1]}", call_seconds=PATIENCE)
        with pytest.raises(Unavailable):
            read(store)


def test_no_call_begins_after_the_budget(server: Server, store: DynamoStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that has used up its time asks nothing more, nor again after a first try that used it up; the next one
    has its own."""
    with budget(0), pytest.raises(Unavailable):
        read(store)
    assert [] == server.asked
    with budget(60):
        read(store)
    read(store)
    assert 2 == len(server.asked)
    monkeypatch.setattr(ports, "monotonic", count(step=3).__next__)  # three seconds later each time one looks
    asked_for(server, DROP)
    with budget(4), pytest.raises(Unavailable):
        read(store)
    assert 1 == len(server.asked)


def test_a_batch_is_asked_for_again_until_it_is_whole(server: Server, store: DynamoStore) -> None:
    """What the server leaves out for load is asked for again; if it leaves out all, not for ever."""
    match = given.match()
    key = {"pk": {"S": f"match#{match.id}"}, "sk": {"S": "match"}}
    all_left: Answer = (200, {"Responses": {"a-table": []}, "UnprocessedKeys": {"a-table": {"Keys": [key]}}})
    asked_for(server, all_left, (200, {"Responses": {"a-table": []}, "UnprocessedKeys": {}}))
    assert {} == store.matches([match.id])
    assert 2 == len(server.asked)
    asked_for(server, all_left)
    with pytest.raises(Unavailable):
        store.matches([match.id])


def test_table_and_server_are_read_at_the_first_call(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment as it is then, not as it was when the store was made; each store keeps to its own."""
    store = DynamoStore()
    monkeypatch.delenv("DO_DOONI_TABLE", raising=False)
    with pytest.raises(RuntimeError, match="DO_DOONI_TABLE"):
        read(store)
    monkeypatch.setenv("DO_DOONI_TABLE", "a-table")
    for url in (server.url, "http://127.0.0.1:9"):
        monkeypatch.setenv("DO_DOONI_DYNAMODB_URL", url)
        read(store)
    assert ["GetItem"] * 2 == server.asked


def test_a_local_server_needs_no_credentials(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the environment has none, made-up ones are used, and nobody else is asked for them."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    read(DynamoStore("a-table", server.url))
    assert ["GetItem"] == server.asked
