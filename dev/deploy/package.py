"""`make package STAGE=…`: the zip and the CloudFormation template of one stage, in build/<stage>.

The template is Chalice's own, with .chalice/*.json merged into it: the resources all stages share, the alarms, the
dashboard, what is different in this stage, and the gateway's own answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev.deploy import CommandFailed, bundle, front_door
from dev.deploy.gateway_responses import gateway_responses
from dev.deploy.throttles import method_settings

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("dev", "prod")
LAMBDA_PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
"""Those that Lambda runs: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html"""
MOST_KB = 700
"""Of the zip, which Lambda loads before a cold start."""
_SETTINGS = ROOT / ".chalice"

Template = dict[str, Any]


@dataclass(frozen=True)
class Package:
    """What a deployment needs. The template names the zip by its path relative to itself."""

    stage: str
    template: Path
    archive: Path


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> None:
    """Compiled files fit one version only, which Chalice's template asks for. Raises `CommandFailed`."""
    if version not in LAMBDA_PYTHONS:
        *others, last = (f"{major}.{minor}" for major, minor in LAMBDA_PYTHONS)
        wanted = f"{', '.join(others)} or {last}"
        raise CommandFailed(f"Lambda does not run Python {version[0]}.{version[1]}: make .venv with {wanted}")


def package(stage: str, folder: Path) -> Package:
    """Make the package of a stage in `folder`. Raises `CommandFailed`."""
    check_python()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        extra = Path(scratch) / "extra.json"
        extra.write_text(json.dumps(additions(stage)))
        # Without dependency resolution: it would bring botocore, which Lambda has.
        environment = {"AWS_DEFAULT_REGION": "us-east-1", **os.environ, "PIP_NO_DEPS": "1"}
        chalice = Path(sys.executable).with_name("chalice")
        command = [str(part) for part in (chalice, "package", "--stage", stage, "--merge-template", extra, folder)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    made = Package(stage, folder / "sam.json", folder / "deployment.zip")
    subprocess.run([*bundle.COMMAND, made.archive], check=True)
    return made


def additions(stage: str) -> Template:
    """All that is merged into Chalice's template."""
    merged: Template = {}
    for name in ("resources", "alarms", "front-door", f"resources-{stage}"):
        merged = _merge(merged, json.loads((_SETTINGS / f"{name}.json").read_text()))
    resources = merged["Resources"]
    # CloudWatch takes the dashboard as a text.
    dashboard = json.dumps(json.loads((_SETTINGS / "dashboard.json").read_text()), separators=(",", ":"))
    in_use = {"TableName": resources["APIHandler"]["Properties"]["Environment"]["Variables"]["DO_DOONI_TABLE"]}
    resources["Dashboard"]["Properties"]["DashboardBody"] = {"Fn::Sub": [dashboard, in_use]}
    definition = {"x-amazon-apigateway-gateway-responses": gateway_responses()}
    gateway = resources["RestAPI"]["Properties"]
    gateway["DefinitionBody"] = definition
    gateway["MethodSettings"] = method_settings(*gateway["MethodSettings"])
    front_door.complete(resources)
    return merged


def _merge(below: Template, above: Template) -> Template:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = _merge(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged
