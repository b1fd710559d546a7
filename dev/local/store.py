"""The store of a local run: DynamoDB as ministack plays it, with every write in a file before it is answered.

    python -m dev.local.store PORT FILE

ministack's own server holds its tables in memory. This one calls the same functions, one request at a time, copies each
item that a write changed into SQLite, and then answers. It starts with what the file holds, so it may end at any
moment: whatever was answered survives a kill -9. A power cut can take the last seconds; the file stays sound.
"""

from __future__ import annotations

import json
import math
import os
import re
import sqlite3
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from ministack.services import dynamodb

from dev.local.asgi import Asgi, Receive, Send, read_body
from dev.local.servers import LOOPBACK

Json = dict[str, Any]
_READS = re.compile(r"(Describe|List)\w+|(BatchGet|TransactGet|Get)Items?|Query|Scan")
_WRITES = re.compile(r"(Put|Update|Delete)Item|(BatchWrite|TransactWrite)Items?")
_SETTINGS = frozenset({"CreateTable", "UpdateContinuousBackups", "UpdateTimeToLive"})
"""Calls about a whole table: kept as they were made, and made again at the start."""
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (operation TEXT, request TEXT, UNIQUE (operation, request));
CREATE TABLE IF NOT EXISTS items (dynamodb_table TEXT, key TEXT, item TEXT, PRIMARY KEY (dynamodb_table, key));
"""


class KeptStore:
    """The tables in memory, and the file that is always as far as they are."""

    def __init__(self, file: Path) -> None:
        self._keys: dict[str, tuple[str, ...]] = {}
        """By table: the names of its key's attributes."""
        self._expiry: dict[str, str] = {}
        """By table: the attribute that holds when an item expires."""
        self._file = sqlite3.connect(file)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.executescript(_TABLES)
        self._load()

    def answer(self, operation: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body; what the request wrote is in the file by then."""
        answer = self._call(operation, body)
        if answer[0] == 200 and not _READS.fullmatch(operation):
            try:
                self._keep(operation, json.loads(body))
            except sqlite3.Error:
                # The caller is told nothing, and the next process begins with what the file has.
                traceback.print_exc()
                os._exit(1)
        return answer

    def _call(self, operation: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        known = operation in _SETTINGS or _WRITES.fullmatch(operation) or _READS.fullmatch(operation)
        target = {"x-amz-target": f"DynamoDB_20120810.{operation if known else 'Unknown'}"}
        try:
            dynamodb.handle_request("POST", "/", target, body, {}).send(None)  # a coroutine that never waits
        except StopIteration as done:
            status, headers, content = done.value
            return status, headers, content if isinstance(content, bytes) else content.encode()
        raise RuntimeError("ministack's DynamoDB waits for something")

    def _ask(self, operation: str, request: Json) -> Json:
        status, _, content = self._call(operation, json.dumps(request).encode())
        if status != 200:
            raise RuntimeError(f"{operation}: {content.decode(errors='replace')}")
        answer: Json = json.loads(content)
        return answer

    def _load(self) -> None:
        for operation, request in self._file.execute("SELECT operation, request FROM settings ORDER BY rowid"):
            self._ask(operation, json.loads(request))
            self._set(operation, json.loads(request))
        now = time.time()
        with self._file:
            for table, key, text in self._file.execute("SELECT dynamodb_table, key, item FROM items").fetchall():
                item = json.loads(text)
                expires = item.get(self._expiry.get(table, ""), {}).get("N")
                if expires is not None and float(expires) <= now:
                    self._file.execute("DELETE FROM items WHERE dynamodb_table = ? AND key = ?", (table, key))
                else:
                    self._ask("PutItem", {"TableName": table, "Item": item})

    def _set(self, operation: str, request: Json) -> None:
        if operation == "CreateTable":
            self._keys[request["TableName"]] = tuple(part["AttributeName"] for part in request["KeySchema"])
        elif operation == "UpdateTimeToLive":
            self._expiry[request["TableName"]] = request["TimeToLiveSpecification"]["AttributeName"]

    def _keep(self, operation: str, request: Json) -> None:
        with self._file:
            if operation in _SETTINGS:
                self._set(operation, request)
                row = (operation, json.dumps(request, sort_keys=True))
                self._file.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", row)
            for table, attributes in _written(request):
                key = {name: attributes[name] for name in self._keys[table]}
                item = self._ask("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}).get("Item")
                place = (table, json.dumps(key, sort_keys=True))
                if item is None:
                    self._file.execute("DELETE FROM items WHERE dynamodb_table = ? AND key = ?", place)
                else:
                    self._file.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?)", (*place, json.dumps(item)))


def _written(request: Json) -> Iterator[tuple[str, Json]]:
    """The items that a request writes: the table of each, and attributes among which its key is."""
    writes = [
        (str(member.get("TableName")), member) for member in (request, *_members(request.get("TransactItems", ())))
    ]
    for table, members in request.get("RequestItems", {}).items():
        writes += [(table, member) for member in _members(members)]
    for table, write in writes:
        if attributes := write.get("Item") or write.get("Key"):
            yield table, attributes


def _members(writes: Iterable[Json]) -> list[Json]:
    """Each of a batch or a transaction, without the word that says what it does; a check writes nothing."""
    return [member for write in writes for word, member in write.items() if word != "ConditionCheck"]


def application(store: KeptStore) -> Asgi:
    """DynamoDB's one kind of request: a POST whose X-Amz-Target names the operation."""

    async def answer(scope: Json, receive: Receive, send: Send) -> None:
        body = await read_body(receive, math.inf)
        if body is None:
            return
        target = dict(scope["headers"]).get(b"x-amz-target", b"").decode()
        status, headers, content = store.answer(target.rpartition(".")[2], body)
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        pairs.append((b"content-length", str(len(content)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": content})

    return answer


def main() -> None:
    """Serve until killed: there is nothing to do at the end."""
    port, file = int(sys.argv[1]), Path(sys.argv[2])
    uvicorn.run(
        application(KeptStore(file)), host=LOOPBACK, port=port, lifespan="off", log_level="error", date_header=False
    )


if __name__ == "__main__":
    main()
