"""The package of each stage: what is in the zip, and what the template says."""

from __future__ import annotations

import hashlib
import json
import marshal
import string
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from samtranslator.translator.transform import transform

from chalicelib.api.problems import problem
from chalicelib.store.schema import SCHEMA, TTL
from chalicelib.store.wire import FORM_VARIABLE, FORMS
from dev.deploy.bundle import compiled
from dev.deploy.package import MOST_KB, STAGES, Package, package

LAMBDA_HAS = ("botocore", "urllib3", "jmespath", "dateutil", "six.py")
"""What is in Lambda's Python beside the standard library."""

ALARM = "AWS::CloudWatch::Alarm"
Template = dict[str, Any]


@pytest.fixture(params=STAGES)
def template(request: pytest.FixtureRequest, packages: dict[str, Package]) -> Template:
    loaded: Template = json.loads(packages[request.param].template.read_text())
    return loaded


@pytest.fixture
def archive(packages: dict[str, Package]) -> Path:
    return packages["prod"].archive


def test_the_zip_is_small(archive: Path) -> None:
    """What Lambda has to load is at most 700 KB."""
    assert archive.stat().st_size <= 1000 * MOST_KB


def test_the_zip_has_nothing_that_lambda_has_or_nobody_needs(archive: Path) -> None:
    """No AWS client, no tests or store for them, no development tools, no sources, no machine code."""
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
    assert "app.pyc" in names and {".pyc", ".rst", ""} == {Path(name).suffix for name in names}
    of_others = ("botocore/", "boto3/", "__pycache__", "chalice/cli", "chalice/local")
    ours = ("tests/", "dev/", "store/memory")
    assert [] == [name for name in names for word in (*of_others, *ours) if word in name]


def test_the_zip_is_made_alike_twice(packages: dict[str, Package], tmp_path: Path) -> None:
    """The same sources give the same bytes, in both stages and at any time: a roll back is to what ran then."""
    again = package("dev", tmp_path / "again")
    digests = {hashlib.sha256(made.archive.read_bytes()).hexdigest() for made in (*packages.values(), again)}
    assert 1 == len(digests)


def test_the_zip_is_whole(archive: Path, tmp_path: Path) -> None:
    """With it and what Lambda has, and nothing else, the app answers, and none of its modules lacks another."""
    lambdas = tmp_path / "lambda"
    lambdas.mkdir()
    for name in LAMBDA_HAS:
        (lambdas / name).symlink_to(Path(pytest.__file__).parents[1] / name)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "code")
    event = {
        "httpMethod": "GET",
        "path": "/v1/health",
        "headers": {},
        "multiValueHeaders": {},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "stageVariables": None,
        "body": None,
        "isBase64Encoded": False,
        "requestContext": {"resourcePath": "/v1/health", "httpMethod": "GET", "path": "/prod/v1/health"},
    }
    script = f"""
import importlib, pkgutil, sys
sys.path[:0] = [{str(tmp_path / "code")!r}, {str(lambdas)!r}]
import app, chalicelib
for module in pkgutil.walk_packages(chalicelib.__path__, "chalicelib."): importlib.import_module(module.name)
print(app.app({event!r}, None)["statusCode"], callable(app.sweep))
"""
    # Isolated, without site-packages.
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script],
        env={"DO_DOONI_TABLE": "none", "AWS_DEFAULT_REGION": "us-east-1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.endswith("200 True\n"), ran.stderr


def test_a_compiled_module_keeps_its_lines() -> None:
    """Docstrings go; an error still names the file as Lambda has it, and the line."""
    source = '"""Doc."""\n\ndef f():\n    """Says so."""\n\nclass E(Exception):\n    """Why."""\n    x = 1 / 0\n'
    code = marshal.loads(compiled("chalicelib/x.py", source.encode())[16:])
    with pytest.raises(ZeroDivisionError) as raised:
        exec(code, scope := {"__name__": "x"})
    place = raised.traceback[-1]
    assert ("/var/task/chalicelib/x.py", 7) == (str(place.path), place.lineno)
    assert (None, None) == (scope["f"].__doc__, scope.get("__doc__"))


def test_lambda_runs_the_python_that_compiled(template: Template) -> None:
    """Compiled files fit one minor version, so both functions run on the one that made the package; on arm64."""
    functions = [
        one["Properties"] for one in template["Resources"].values() if one["Type"] == "AWS::Serverless::Function"
    ]
    here = f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert [(here, ["arm64"])] * 2 == [(function["Runtime"], function["Architectures"]) for function in functions]


def test_lambda_changes_its_python_at_a_deployment_only(template: Template) -> None:
    """Lambda patches a runtime whenever it likes, unless it is told to wait for the next change of the function."""
    functions = _of_type(template["Resources"], "AWS::Serverless::Function")
    told = [function["RuntimeManagementConfig"] for function in functions]
    assert [{"UpdateRuntimeOn": "FunctionUpdate"}] * 2 == told


def test_the_generated_key_is_letters_and_digits(template: Template) -> None:
    """Base64url without its two signs. Secrets Manager requires a character of each kind that is not excluded, so
    punctuation is excluded as a kind, and once more by its characters, which is all that the emulator looks at; 44
    characters are 33 bytes, and HS256 wants 32."""
    generated = template["Resources"]["SigningKeys"]["Properties"]["GenerateSecretString"]
    assert generated["ExcludePunctuation"] is True
    assert string.punctuation == generated["ExcludeCharacters"]
    assert not {"ExcludeUppercase", "ExcludeLowercase", "ExcludeNumbers"} & generated.keys()
    assert 44 == generated["PasswordLength"]


def test_a_stage_writes_a_form_that_both_functions_read(template: Template) -> None:
    """The setting names one, so that a new version's form is written when somebody says so, and not before."""
    functions = _of_type(template["Resources"], "AWS::Serverless::Function")
    written = {function["Environment"]["Variables"][FORM_VARIABLE] for function in functions}
    assert len(written) == 1 and written <= {str(form) for form in FORMS}


def test_cloudformation_finds_no_fault(packages: dict[str, Package]) -> None:
    """cfn-lint has nothing to say of either stage, nor of what an account needs."""
    account = Path(__file__).resolve().parents[2] / "dev/deploy/account.json"
    linter = Path(sys.executable).with_name("cfn-lint")
    templates = [str(path) for path in (*(made.template for made in packages.values()), account)]
    ran = subprocess.run([str(linter), *templates], capture_output=True, text=True, check=False)
    assert (0, "") == (ran.returncode, ran.stdout)


def test_the_table_is_the_one_the_store_knows(template: Template) -> None:
    """Keys and index are those of the store's own table; nothing is lost, and nothing is kept that is to expire."""
    table = template["Resources"]["Table"]["Properties"]
    assert SCHEMA == {name: table[name] for name in SCHEMA}
    assert "PAY_PER_REQUEST" == table["BillingMode"]
    assert {"AttributeName": TTL, "Enabled": True} == table["TimeToLiveSpecification"]
    assert {"PointInTimeRecoveryEnabled": True} == table["PointInTimeRecoverySpecification"]
    assert {"SSEEnabled": True} == table["SSESpecification"]
    assert {"StreamViewType": "NEW_AND_OLD_IMAGES"} == table["StreamSpecification"]


def test_prod_cannot_be_deleted_by_mistake(packages: dict[str, Package]) -> None:
    """Prod's table and keys outlive their stack, and its table refuses to be deleted."""
    resources = json.loads(packages["prod"].template.read_text())["Resources"]
    assert ["Retain", "Retain"] == [resources[name]["DeletionPolicy"] for name in ("Table", "SigningKeys")]
    assert resources["Table"]["Properties"]["DeletionProtectionEnabled"]


def test_the_gateway_speaks_as_the_api_does(template: Template) -> None:
    """What the gateway refuses by itself is a problem document that a browser may read; an unknown route is 404."""
    responses = template["Resources"]["RestAPI"]["Properties"]["DefinitionBody"][
        "x-amazon-apigateway-gateway-responses"
    ]
    told = {kind: json.loads(response["responseTemplates"]["application/json"]) for kind, response in responses.items()}
    statuses = {kind: int(response["statusCode"]) for kind, response in responses.items()}
    expected = {
        "MISSING_AUTHENTICATION_TOKEN": 404,
        "UNAUTHORIZED": 401,
        "ACCESS_DENIED": 403,
        "RESOURCE_NOT_FOUND": 404,
    }
    expected |= {"REQUEST_TOO_LARGE": 413, "THROTTLED": 429, "DEFAULT_5XX": 500, "INTEGRATION_TIMEOUT": 503}
    assert expected == {kind: statuses[kind] for kind in expected}
    for kind, document in told.items():
        assert problem(document["code"], document["params"], request_id="$context.requestId") == document
        assert statuses[kind] == document["status"]
        headers = responses[kind]["responseParameters"]
        assert "'*'" == headers["gatewayresponse.header.Access-Control-Allow-Origin"]
        assert "Retry-After" in headers["gatewayresponse.header.Access-Control-Expose-Headers"]
        assert "'application/problem+json'" == headers["gatewayresponse.header.Content-Type"]
        assert (statuses[kind] in (429, 503)) == ("gatewayresponse.header.Retry-After" in headers)


def test_there_is_no_other_way_in(template: Template) -> None:
    """The API has one stage, the one with throttling and an access log: what SAM makes of the template has no other."""
    for function in _of_type(template["Resources"], "AWS::Serverless::Function"):
        function["CodeUri"] = "s3://packages/key"
    made = transform(template, {}, _NoPolicies())["Resources"]
    (stage,) = _of_type(made, "AWS::ApiGateway::Stage")
    assert {"AccessLogSetting", "MethodSettings"} <= stage.keys()
    assert [] == [one for one in _of_type(made, "AWS::ApiGateway::Deployment") if "StageName" in one]


class _NoPolicies:
    """AWS's managed policies, none of which is used."""

    def load(self) -> dict[str, str]:
        return {}


def _of_type(resources: Template, kind: str) -> list[Template]:
    return [one["Properties"] for one in resources.values() if one["Type"] == kind]


def test_every_alarm_tells_its_reason(template: Template) -> None:
    """Whoever is woken reads why, and is told again when it is over."""
    alarms = _of_type(template["Resources"], ALARM)
    assert all(len(alarm["AlarmDescription"]) > 80 and alarm["AlarmActions"] and alarm["OKActions"] for alarm in alarms)


def test_refusals_of_the_table_and_of_its_index_are_watched(template: Template) -> None:
    """DynamoDB counts an index's by the index's name, and not among the table's own."""
    resources = template["Resources"]
    in_use = resources["APIHandler"]["Properties"]["Environment"]["Variables"]["DO_DOONI_TABLE"]
    indexes = [one["IndexName"] for one in resources["Table"]["Properties"]["GlobalSecondaryIndexes"]]
    watched = [
        (alarm["MetricName"], *(one["Value"] for one in sorted(alarm["Dimensions"], key=lambda one: -len(one["Name"]))))
        for alarm in _of_type(resources, ALARM)
        if alarm.get("Namespace") == "AWS/DynamoDB"
    ]
    kinds = ("ReadThrottleEvents", "WriteThrottleEvents")
    expected = [(kind, in_use) for kind in kinds] + [(kind, index, in_use) for index in indexes for kind in kinds]
    assert expected == watched


def test_a_lost_race_in_a_quiet_hour_wakes_nobody(template: Template) -> None:
    """The alarm is for more than one move in twenty, where there are enough of them: CloudWatch judges a percentile p
    by 10 / (1 - p) values or more, 200 here, and leaves the alarm as it is with fewer."""
    alarm = template["Resources"]["LostRaces"]["Properties"]
    assert ("lost_races", "p95", 0) == (alarm["MetricName"], alarm["ExtendedStatistic"], alarm["Threshold"])
    assert "ignore" == alarm["EvaluateLowSampleCountPercentile"]
    assert "Statistic" not in alarm


@pytest.mark.parametrize(("stage", "days"), [("dev", 14), ("prod", 90)])
def test_no_log_is_kept_for_ever(packages: dict[str, Package], stage: str, days: int) -> None:
    """Each function and the gateway write into a log that forgets."""
    resources = json.loads(packages[stage].template.read_text())["Resources"]
    functions = _of_type(resources, "AWS::Serverless::Function")
    written = {function["LoggingConfig"]["LogGroup"]["Ref"] for function in functions}
    written.add(resources["RestAPI"]["Properties"]["AccessLogSetting"]["DestinationArn"]["Fn::GetAtt"][0])
    logs = {name for name, one in resources.items() if one["Type"] == "AWS::Logs::LogGroup"}
    assert logs == written and 3 == len(logs)
    assert dict.fromkeys(logs, days) == {name: resources[name]["Properties"]["RetentionInDays"] for name in logs}
