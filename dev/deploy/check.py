"""`make checkov`: every finding of checkov's, in either stage or the account's own stack, is fixed or answered.

The answers are in checkov.json: the check, and why what it wants is not done. One to what is not found any more is
refused as well.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from dev.deploy import CommandFailed
from dev.deploy.package import ROOT, STAGES, package

_HERE = Path(__file__).parent
_VENV = ROOT / "build/checkov"
_REQUIREMENTS = _HERE / "checkov-requirements.txt"


def check() -> str:
    """Raises `CommandFailed` with what is found and not answered, or answered and not found."""
    checkov = _installed()
    answers = json.loads((_HERE / "checkov.json").read_text())
    templates = [package(stage, ROOT / "build" / stage).template for stage in STAGES] + [_HERE / "account.json"]
    findings = {finding for template in templates for finding in _findings(checkov, template)}
    wrong = sorted(f"{check}: {what}" for check, what in findings if check not in answers)
    wrong += sorted(f"{check}: answered, but not found any more" for check in answers.keys() - dict(findings).keys())
    if wrong:
        raise CommandFailed("\n".join(wrong))
    return f"checkov: {len(findings)} findings, all answered"


def _installed() -> Path:
    """checkov in its own environment, made where it is missing or another version is wanted."""
    stamp = _VENV / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != _REQUIREMENTS.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(_VENV)], check=True)
        install = [str(_VENV / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", str(_REQUIREMENTS)], check=True)
        stamp.write_text(_REQUIREMENTS.read_text())
    return _VENV / "bin/checkov"


def _findings(checkov: Path, template: Path) -> list[tuple[str, str]]:
    """What is found in a template: the check, and its words with the resource."""
    command = [str(checkov), "--framework", "cloudformation", "-f", str(template), "-o", "json", "--skip-download"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(ran.stdout)
    if not report["summary"]["passed"] or report["summary"]["parsing_errors"]:
        raise RuntimeError(f"checkov has not looked at {template.name}")
    failed = report["results"]["failed_checks"]
    return [(one["check_id"], f"{one['check_name']} ({one['resource']} of {template.name})") for one in failed]
