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
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import awslambdaric

from dev.local.servers import LOOPBACK

Json = dict[str, Any]
_PATIENCE = 300
# What Lambda's Python has beside the standard library, and the runtime client with what it needs.
_OF_LAMBDA = (
    *("botocore", "urllib3", "jmespath", "dateutil", "six.py"),
    *("awslambdaric", "simplejson", "snapshot_restore_py"),
)


def lambda_packages(folder: Path) -> Path:
    """A folder with what Lambda has installed and nothing else, made of this environment."""
    site = Path(awslambdaric.__file__).parents[1]
    folder.mkdir()
    for name in (*_OF_LAMBDA, *(path.name for path in site.glob("runtime_client*.so"))):
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
            "Lambda-Runtime-Aws-Request-Id": "bench",
            "Lambda-Runtime-Deadline-Ms": str(int(time.time() * 1000) + 60_000),
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:000000000000:function:bench",
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
        """Nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A container that is ended hangs up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Container:
    """One container, started when the block begins. `code` is the unpacked zip; nothing that it compiles is kept, since
    Lambda's own folder for it cannot be written to."""

    def __init__(self, code: Path, packages: Path, environment: Mapping[str, str], secret: str) -> None:
        self.events: queue.Queue[Json | None] = queue.Queue()
        self.answers: queue.Queue[tuple[float, bool, bytes]] = queue.Queue()
        self.secret = secret
        self._server = _Server((LOOPBACK, 0), type("Api", (_Api,), {"container": self}))
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
        self._output = tempfile.TemporaryFile()
        command = [sys.executable, "-S", "-m", "awslambdaric", "app.app"]
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            command, cwd=self._code, env=self._environment, stdout=self._output, stderr=subprocess.STDOUT
        )
        return self

    def first_answer(self, event: Json) -> tuple[float, float, float]:
        """What one event took since the start: seconds, seconds of the processor, and the most memory, in MB."""
        self.events.put(event)
        try:
            at, answered, body = self.answers.get(timeout=_PATIENCE)
        except queue.Empty:
            self._output.seek(0)
            raise RuntimeError(f"no answer: {self._output.read().decode()[-2000:]}") from None
        if not answered or json.loads(body)["statusCode"] != 200:
            raise RuntimeError(body.decode())
        of_process = Path(f"/proc/{self._process.pid}")
        # Fields 14 and 15 of proc(5)'s stat; the command before them may hold spaces, and ends with a bracket.
        fields = (of_process / "stat").read_text().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", (of_process / "status").read_text())
        return at - self._began, cpu, int(peak) / 1024

    def __exit__(self, *_how: object) -> None:
        self._process.kill()
        self._process.wait()
        self._output.close()
        self.events.put(None)  # for whoever still waits for one
        self._server.shutdown()
        self._server.server_close()
