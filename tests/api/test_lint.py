"""The contract as the linters see it, and as apps that are out already need it to stay."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "dev" / "node" / "node_modules" / ".bin"
RELEASED = ROOT / "dev" / "contract" / "released.yaml"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}


def run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A tool of dev/node, in the project's folder."""
    if not (TOOLS / tool).exists():
        pytest.skip("the contract's linters are not here: they come with npm (make setup)")
    return subprocess.run(
        [str(TOOLS / tool), *arguments], cwd=ROOT, env=os.environ | QUIET, capture_output=True, text=True, timeout=900
    )


def changes(revision: Path) -> Any:
    """How a contract differs from the released one."""
    return json.loads(run("redocly", "diff", str(RELEASED), str(revision), "--format", "json").stdout)


def unannounced(report: Any) -> list[Any]:
    """Changes that break apps under a version that says there are none."""
    versions = report["infoVersions"]
    if versions["base"] != versions["revision"]:
        return []
    return [change for change in report["changes"] if change["impact"] == "major"]


def test_redocly_finds_nothing() -> None:
    """Its strictest set of rules, and more (.redocly.yaml)."""
    done = run("redocly", "lint", "openapi.yaml", "--config", ".redocly.yaml", "--format", "json")
    assert (0, []) == (done.returncode, json.loads(done.stdout)["problems"])


def test_spectral_finds_nothing() -> None:
    """Not a hint (.spectral.yaml)."""
    done = run("spectral", "lint", "openapi.yaml", "-r", ".spectral.yaml", "--fail-severity=hint")
    assert (0, "No results with a severity of 'hint' or higher found!") == (done.returncode, done.stdout.strip())


def test_nothing_breaks_unannounced() -> None:
    """What breaks apps, against the contract as last released (dev.openapi --release), needs another version."""
    assert [] == unannounced(changes(ROOT / "openapi.yaml"))


BREAKS = {
    "operation-id-changed": ("operationId: getMe\n", "operationId: getProfile\n"),
    "path-removed": ("/me/turns:", "/me/waiting:"),
    "enum-values-removed": ("enum: [easy, steady, sharp]", "enum: [easy, sharp]"),
    "required-properties-added": ("required: [refresh_token, type]", "required: [refresh_token, type, name]"),
}


def test_what_breaks_is_seen(tmp_path: Path) -> None:
    """An operation renamed or gone, a word that is taken no more, a member that is needed: each is found."""
    revision, text = tmp_path / "openapi.yaml", RELEASED.read_text(encoding="utf-8")
    for old, new in BREAKS.values():
        assert old in text
        text = text.replace(old, new)
    revision.write_text(text, encoding="utf-8")
    report = changes(revision)
    assert BREAKS.keys() == {verdict["ruleId"] for change in unannounced(report) for verdict in change["verdicts"]}
    assert not unannounced(report | {"infoVersions": {"base": "0.1.0", "revision": "0.2.0"}})
