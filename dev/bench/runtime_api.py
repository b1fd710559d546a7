"""A container as Lambda runs it: a fresh process of AWS's own runtime client, fed by a local Lambda runtime API."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import awslambdaric

from dev.local.servers import LOOPBACK

Json = dict[str, Any]
_PATIENCE = 300
_LIFE_MS = 60_000


# What Lambda's Python has beside the standard library, and the runtime client with what it needs.
_OF_LAMBDA = (
    *("botocore", "urllib3", "jmespath", "dateutil", "six.py"),
    *("awslambdaric", "simplejson", "snapshot_restore_py"),
)


class Taken(NamedTuple):
    """An answer, and what it took since the container was begun: seconds, and seconds of the processor."""

    seconds: float
    cpu: float
    answer: Json


def lambda_packages(folder: Path) -> Path:
    """A folder with what Lambda has installed and nothing else, made of this environment."""
    site = Path(awslambdaric.__file__).parents[1]
    folder.mkdir()
    compiled = [path.name for path in site.glob("runtime_client*.so")]
    for name in (*_OF_LAMBDA, *compiled):
        (folder / name).symlink_to(site / name)
    return folder


class _Api(BaseHTTPRequestHandler):
    """https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html, as far as one function needs it; and a Secrets
    Manager that has one secret."""

    protocol_version = "HTTP/1.1"
    container: Container

    def do_GET(self) -> None:
        event = self.container.events.get()
        head = {
            "Lambda-Runtime-Aws-Request-Id": str(uuid.uuid4()),
            "Lambda-Runtime-Deadline-Ms": str(int(time.time() * 1000) + _LIFE_MS),
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:000000000000:function:bench",
            "Lambda-Runtime-Trace-Id": "Root=1-0-0;Sampled=0",
            "Content-Type": "application/json",
        }
        self._send(200, json.dumps(event).encode(), head)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "x-amz-target" in self.headers:
            self._send(200, json.dumps({"SecretString": self.container.secret}).encode(), {})
            return
        self.container.answers.put((time.perf_counter(), self.path.endswith("/response"), body))
        self._send(202, b"{}", {})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Nothing: the time is told elsewhere."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A container that is ended hangs up, and that is no news."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Container:
    """One container, begun when the block begins. `code` is the unpacked zip; nothing is compiled beforehand, since
    Lambda's own folder for it cannot be written to."""

    def __init__(self, code: Path, packages: Path, environment: Mapping[str, str], secret: str = "") -> None:
        self.events: queue.Queue[Json | None] = queue.Queue()
        self.answers: queue.Queue[tuple[float, bool, bytes]] = queue.Queue()
        self.secret = secret
        handler = type("Api", (_Api,), {"container": self})
        self._server = _Server((LOOPBACK, 0), handler)
        self._code = code
        url = f"{LOOPBACK}:{self._server.server_port}"
        self._environment = {
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(packages),
            "AWS_LAMBDA_RUNTIME_API": url,
            "AWS_LAMBDA_FUNCTION_NAME": "bench",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1769",
            "AWS_LAMBDA_LOG_FORMAT": "JSON",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://{url}",
            "LAMBDA_TASK_ROOT": str(code),
            **environment,
        }

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        # A pipe that nobody empties would stop it after some hundred lines.
        self._words = tempfile.TemporaryFile()
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-m", "awslambdaric", "app.app"],
            cwd=self._code,
            env=self._environment,
            stdout=self._words,
            stderr=subprocess.STDOUT,
        )
        return self

    def invoke(self, event: Json) -> Taken:
        """The function's answer to one event."""
        self.events.put(event)
        try:
            at, answered, body = self.answers.get(timeout=_PATIENCE)
        except queue.Empty:
            raise RuntimeError(f"no answer: {self._last_words()}") from None
        if not answered:
            raise RuntimeError(body.decode())
        # Fields 14 and 15 of proc(5)'s stat; the command before them may hold spaces, and ends with a bracket.
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return Taken(at - self._began, cpu, json.loads(body))

    @property
    def memory(self) -> float:
        """The most memory that the container has held so far, in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found.group(1)) / 1024 if found else 0.0

    def _last_words(self) -> str:
        self._process.kill()
        self._process.wait()
        self._words.seek(0)
        return self._words.read().decode(errors="replace")[-2000:]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._words.close()
        self.events.put(None)  # whoever still waits for one
        self._server.shutdown()
        self._server.server_close()
