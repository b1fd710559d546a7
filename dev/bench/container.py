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
from typing import Any

import awslambdaric

from dev.driver import Json
from dev.local.servers import LOOPBACK

_PATIENCE = 300
# What Lambda's Python has beside the standard library, and the runtime client with what it needs.
_OF_LAMBDA = ("botocore", "urllib3", "jmespath", "dateutil", "six.py")
_OF_RUNTIME = ("awslambdaric", "simplejson", "snapshot_restore_py")


def lambda_packages(folder: Path) -> Path:
    """A folder with what Lambda has installed and nothing else, made of this environment."""
    site = Path(awslambdaric.__file__).parents[1]
    folder.mkdir()
    for name in (*_OF_LAMBDA, *_OF_RUNTIME, *(path.name for path in site.glob("runtime_client*.so"))):
        (folder / name).symlink_to(site / name)
    return folder


class LambdaApi(ThreadingHTTPServer):
    """https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html, as far as one event needs it; and a Secrets
    Manager that has one secret."""

    daemon_threads = True

    def __init__(self, event: Json, secret: str) -> None:
        super().__init__((LOOPBACK, 0), _Handler)
        self.events: queue.Queue[Json] = queue.Queue()
        self.events.put(event)
        self.answers: queue.Queue[tuple[float, bool, bytes]] = queue.Queue()
        self.secret = secret
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def __exit__(self, *_how: object) -> None:
        self.events.put(None)  # for the container that asks for another one
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A container that is ended hangs up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LambdaApi

    def do_GET(self) -> None:
        event = self.server.events.get()
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
            self._send(200, json.dumps({"SecretString": self.server.secret}).encode(), {})
        else:
            self.server.answers.put((time.perf_counter(), self.path.endswith("/response"), body))
            self._send(202, b"{}", {})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Nothing."""


def first_answer(
    code: Path, packages: Path, environment: Mapping[str, str], secret: str, event: Json
) -> tuple[float, float, float]:
    """What one event takes a new container: seconds, seconds of the processor, and the most memory in MB. `code` is the
    unpacked zip; nothing that is compiled is kept, since Lambda's own folder cannot be written to."""
    with LambdaApi(event, secret) as api, tempfile.TemporaryFile() as output:
        url = f"{LOOPBACK}:{api.server_port}"
        settings = {
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
        command, began = [sys.executable, "-S", "-m", "awslambdaric", "app.app"], time.perf_counter()
        with subprocess.Popen(command, cwd=code, env=settings, stdout=output, stderr=subprocess.STDOUT) as process:
            try:
                at, answered, body = api.answers.get(timeout=_PATIENCE)
                of_process = Path(f"/proc/{process.pid}")
                # Fields 14 and 15 of proc(5)'s stat; the command before them ends with a bracket.
                fields = (of_process / "stat").read_text().rpartition(")")[2].split()
                (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", (of_process / "status").read_text())
            except queue.Empty:
                output.seek(0)
                raise RuntimeError(f"no answer: {output.read().decode()[-2000:]}") from None
            finally:
                process.kill()
    if not answered or json.loads(body)["statusCode"] != 200:
        raise RuntimeError(body.decode())
    return at - began, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(peak) / 1024
