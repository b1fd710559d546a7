"""`make deploy-local`: the dev stage as it would be deployed, into an emulated AWS on loopback that enforces IAM."""

from __future__ import annotations

import functools
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from dev.deploy.package import ROOT, Package, package
from dev.deploy.stack import ClientOf, Deployment
from dev.local.servers import Server, free_port, start_ministack

_REGION = "us-east-1"
_ROOT_KEY = "test"
"""Id and secret of the emulator's own root account: it may do all, as whoever deploys may."""


@dataclass(frozen=True)
class Emulated:
    """A stage that runs in the emulator."""

    url: str
    """The base of all paths, with /v1, through the emulated gateway."""
    outputs: dict[str, str]
    """What its stack tells."""
    client_of: ClientOf
    server: Server

    @property
    def settings(self) -> str:
        """What a shell has to run so that its commands work on this stage."""
        where = f"AWS_ENDPOINT_URL={self.server.url} AWS_DEFAULT_REGION={_REGION}"
        return f"export {where} AWS_ACCESS_KEY_ID={_ROOT_KEY} AWS_SECRET_ACCESS_KEY={_ROOT_KEY}"


@contextmanager
def deployed(made: Package, folder: Path) -> Iterator[Emulated]:
    """A package deployed into an emulator of its own, which ends with the block."""
    with _without_settings():
        started = start_ministack(free_port(), folder, enforce_iam=True, log=folder / "log")
    with started as server:
        client_of = _client_of(server)
        told = Deployment(client_of, poll_seconds=1).deploy(made)
        url = f"{server.url}/_aws/execute-api/{told['RestAPIId']}/{made.stage}/v1"
        yield Emulated(url, told, client_of, server)


def _client_of(server: Server) -> ClientOf:
    client: Any = boto3.client
    root = {"aws_access_key_id": _ROOT_KEY, "aws_secret_access_key": _ROOT_KEY, "region_name": _REGION}
    return functools.partial(client, endpoint_url=server.url, **root)


@contextmanager
def _without_settings() -> Iterator[None]:
    """Within this block the environment has none of our settings: the emulator would hand them on to the functions."""
    ours = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("DO_DOONI_")}
    try:
        yield
    finally:
        os.environ.update(ours)


def serve() -> str:
    """Deploy the dev stage, and wait until it is to end."""
    made = package("dev", ROOT / "build" / "dev")
    with tempfile.TemporaryDirectory() as scratch, deployed(made, Path(scratch)) as there:
        print(f"{there.url}  (Ctrl-C stops it)")
        print(f"For another shell, whose commands then work on it as STAGE=dev:\n  {there.settings}", flush=True)
        stops = {signal.SIGINT, signal.SIGTERM}
        signal.pthread_sigmask(signal.SIG_BLOCK, stops)
        signal.sigwait(stops)
    return "stopped"
