"""The zip: what is in it, that it is always the same, and that it is whole."""

from __future__ import annotations

import hashlib
import marshal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dev.deploy.bundle import compiled
from dev.deploy.package import MOST_KB, Package, package

LAMBDA_HAS = ("botocore", "urllib3", "jmespath", "dateutil", "six.py")
"""What is in Lambda's Python beside the standard library."""


def test_the_zip_has_nothing_that_lambda_has_or_nobody_needs(packages: dict[str, Package]) -> None:
    """At most 700 KB, without AWS client, tests or store for them, development tools, sources and machine code."""
    archive = packages["prod"].archive
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
    assert archive.stat().st_size <= 1000 * MOST_KB
    assert "app.pyc" in names and {".pyc", ".rst", ""} == {Path(name).suffix for name in names}
    of_others = ("botocore/", "boto3/", "__pycache__", "chalice/cli", "chalice/local")
    ours = ("tests/", "dev/", "store/memory")
    assert [] == [name for name in names for word in (*of_others, *ours) if word in name]


def test_the_zip_is_made_alike_twice(packages: dict[str, Package], tmp_path: Path) -> None:
    """The same sources give the same bytes, in both stages and at any time: a roll back is to what ran then."""
    again = package("dev", tmp_path / "again")
    digests = {hashlib.sha256(made.archive.read_bytes()).hexdigest() for made in (*packages.values(), again)}
    assert 1 == len(digests)


def test_a_compiled_module_keeps_its_lines() -> None:
    """Docstrings go; an error still names the file as Lambda has it, and the line."""
    source = '"""Doc."""\n\ndef f():\n    """Says so."""\n\nclass E(Exception):\n    """Why."""\n    x = 1 / 0\n'
    code = marshal.loads(compiled("chalicelib/x.py", source.encode())[16:])
    with pytest.raises(ZeroDivisionError) as raised:
        exec(code, scope := {"__name__": "x"})
    place = raised.traceback[-1]
    assert ("/var/task/chalicelib/x.py", 7) == (str(place.path), place.lineno)
    assert (None, None) == (scope["f"].__doc__, scope.get("__doc__"))


def test_the_zip_is_whole(packages: dict[str, Package], tmp_path: Path) -> None:
    """With it and what Lambda has, and nothing else, the app answers, and none of its modules lacks another."""
    lambdas = tmp_path / "lambda"
    lambdas.mkdir()
    for name in LAMBDA_HAS:
        (lambdas / name).symlink_to(Path(pytest.__file__).parents[1] / name)
    with zipfile.ZipFile(packages["prod"].archive) as opened:
        opened.extractall(tmp_path / "code")
    script = f"""
import importlib, pkgutil, sys
sys.path[:0] = [{str(tmp_path / "code")!r}, {str(lambdas)!r}]
import app, chalicelib
for module in pkgutil.walk_packages(chalicelib.__path__, "chalicelib."): importlib.import_module(module.name)
members = "multiValueHeaders", "multiValueQueryStringParameters", "pathParameters", "stageVariables", "body"
context = {{"resourcePath": "/v1/health", "httpMethod": "GET", "path": "/prod/v1/health"}}
event = {{**dict.fromkeys(members), "headers": {{}}, "isBase64Encoded": False, "requestContext": context}}
print(app.app(event, None)["statusCode"], callable(app.sweep))
"""
    # Isolated, without site-packages.
    environment = {"DO_DOONI_TABLE": "none", "AWS_DEFAULT_REGION": "us-east-1"}
    command = [sys.executable, "-I", "-S", "-c", script]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.endswith("200 True\n"), ran.stderr
