"""The store of a local run: DynamoDB as ministack plays it, with every write in a file before it is answered.

    python -m dev.local.store PORT FILE

ministack's own server holds its tables in memory. This one calls the same functions, one request at a time, copies each
item that a write changed into SQLite, and then answers. It starts with what the file holds, so it may end at any
moment: whatever was answered survives a kill -9. A power cut can take the last seconds; the file stays sound.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import Any

from ministack.services import dynamodb

from dev.local.servers import LOOPBACK

Json = dict[str, Any]
_READS = frozenset(
    {
        "BatchGetItem",
        "DescribeContinuousBackups",
        "DescribeTable",
        "DescribeTimeToLive",
        "GetItem",
        "ListTables",
        "Query",
        "Scan",
        "TransactGetItems",
    }
)
_WRITES = frozenset({"BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"})
_SETTINGS = frozenset({"CreateTable", "UpdateContinuousBackups", "UpdateTimeToLive"})
"""Calls about a whole table: kept as they were made, and made again at the start."""
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (operation TEXT, request TEXT, UNIQUE (operation, request));
CREATE TABLE IF NOT EXISTS items (dynamodb_table TEXT, key TEXT, item TEXT, PRIMARY KEY (dynamodb_table, key));
"""


class KeptStore:
    """The tables in memory, and the file that is always as far as they are."""

    def __init__(self, file: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._keys: dict[str, tuple[str, ...]] = {}
        """By table: the names of its key's attributes."""
        self._expiry: dict[str, str] = {}
        """By table: the attribute that holds when an item expires."""
        self._file = sqlite3.connect(file, check_same_thread=False)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.executescript(_TABLES)
        self._load()

    def answer(self, operation: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body; what the request wrote is in the file by then."""
        with self._lock:
            answer = self._call(operation, body)
            if answer[0] == 200 and operation not in _READS:
                try:
                    self._keep(operation, json.loads(body))
                except sqlite3.Error:
                    # The caller is told nothing, and the next process begins with what the file has.
                    traceback.print_exc()
                    os._exit(1)
            return answer

    def _call(self, operation: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        known = operation in _READS | _WRITES | _SETTINGS
        target = {"x-amz-target": f"DynamoDB_20120810.{operation if known else 'Unknown'}"}
        status, headers, content = self._loop.run_until_complete(dynamodb.handle_request("POST", "/", target, body, {}))
        return status, headers, content if isinstance(content, bytes) else content.encode()

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
            for table, attributes in _written(operation, request):
                key = {name: attributes[name] for name in self._keys[table]}
                item = self._ask("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}).get("Item")
                place = (table, json.dumps(key, sort_keys=True))
                if item is None:
                    self._file.execute("DELETE FROM items WHERE dynamodb_table = ? AND key = ?", place)
                else:
                    self._file.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?)", (*place, json.dumps(item)))


def _written(operation: str, request: Json) -> Iterator[tuple[str, Json]]:
    """The items that a request writes: the table of each, and attributes among which its key is."""
    if operation in ("PutItem", "UpdateItem", "DeleteItem"):
        yield request["TableName"], request.get("Item") or request["Key"]
    for member in request.get("TransactItems", ()):
        for kind, write in member.items():
            if kind != "ConditionCheck":
                yield write["TableName"], write.get("Item") or write["Key"]
    if operation == "BatchWriteItem":
        for table, members in request["RequestItems"].items():
            for member in members:
                for write in member.values():
                    yield table, write.get("Item") or write["Key"]


class _Handler(BaseHTTPRequestHandler):
    """DynamoDB's one kind of request: a POST whose X-Amz-Target names the operation."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # the head and the body in one packet
    store: KeptStore

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        operation = self.headers.get("X-Amz-Target", "").rpartition(".")[2]
        status, headers, content = self.store.answer(operation, body)
        self.send_response_only(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


class _Server(ThreadingTCPServer):
    allow_reuse_address = True  # the next process takes the port of one that was killed
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news; anything else is."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main() -> None:
    """Serve until killed: there is nothing to do at the end."""
    port, file = int(sys.argv[1]), Path(sys.argv[2])
    _Handler.store = KeptStore(file)
    _Server((LOOPBACK, port), _Handler).serve_forever()


if __name__ == "__main__":
    main()
