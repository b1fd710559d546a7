"""A cold start: a new container's answer to a first move, from the packaged zip, against a bare app packaged alike.

The runtime client is AWS's own (awslambdaric), the runtime API a local one. Each start is a new process that reads what
the zip holds, as on Lambda. Ours reads the signing keys as deployed, from a local Secrets Manager.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from dev.bench.calls import TABLE, URL_VARIABLE, Caller, app_on_dynoxide
from dev.bench.container import first_answer, lambda_packages
from dev.bench.measure import Row, in_turns
from dev.bench.move import BARE_MOVE, BusyTable, put_bare_item
from dev.deploy import bundle
from dev.deploy.package import MOST_KB, package
from dev.local.servers import STORE_CREDENTIALS

BAR = 1.15
STARTS = 24


def rows() -> Iterator[Row]:
    """The zip, the ratios, and what they are in milliseconds and megabytes."""
    with tempfile.TemporaryDirectory() as scratch, app_on_dynoxide() as (caller, url):
        folder = Path(scratch)
        archive = package("prod", folder / "package").archive
        yield Row("zip", archive.stat().st_size / 1000, "KB", MOST_KB)
        ours, bare = _unpacked(archive, folder)
        packages, keys = lambda_packages(folder / "lambda"), os.environ["DO_DOONI_SIGNING_KEYS"]
        table = BusyTable(caller)
        put_bare_item(url, table.four.match_id)
        from dev.bench.bare.app import app

        bare_event = Caller(app).event(*BARE_MOVE)
        settings = {**STORE_CREDENTIALS, URL_VARIABLE: url, "DO_DOONI_TABLE": TABLE}
        settings |= {"DO_DOONI_SIGNING_SECRET": "arn", "BARE_ITEM": os.environ["BARE_ITEM"]}
        mine, theirs = in_turns(
            lambda: first_answer(ours, packages, settings, keys, table.next_move()),
            lambda: first_answer(bare, packages, settings, keys, bare_event),
            turns=STARTS,
        )
        yield Row("cold start of a first move, wall", mine[0] / theirs[0], "x bare", BAR)
        yield Row("cold start of a first move, CPU", mine[1] / theirs[1], "x bare", BAR)
        for name, (wall, cpu, memory) in (("", mine), (", bare", theirs)):
            yield Row(f"cold start of a first move{name}, wall", 1000 * wall, "ms")
            yield Row(f"cold start of a first move{name}, CPU", 1000 * cpu, "ms")
            yield Row(f"cold start of a first move{name}, memory", memory, "MB")


def _unpacked(archive: Path, folder: Path) -> tuple[Path, Path]:
    """Our package's files, and those of a package with the same libraries around the bare app, compiled alike."""
    ours, bare = folder / "ours", folder / "bare"
    with zipfile.ZipFile(folder / "bare.zip", "w") as packed:
        packed.write(Path(__file__).parent / "bare/app.py", "app.py")
    subprocess.run([*bundle.COMMAND, folder / "bare.zip"], check=True)
    # Ours stays beside the bare app, which does not import it.
    for source, target in ((archive, ours), (archive, bare), (folder / "bare.zip", bare)):
        with zipfile.ZipFile(source) as packed:
            packed.extractall(target)
    return ours, bare
