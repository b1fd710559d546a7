"""What the template of each stage says: a table of it, and what must fit together."""

from __future__ import annotations

import json
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from samtranslator.translator.transform import transform

from chalicelib.api.problems import problem
from chalicelib.api.routes import ROUTES
from chalicelib.store.schema import SCHEMA, TTL
from chalicelib.store.wire import FORM_VARIABLE, FORMS
from dev.deploy.front_door import ERRORS
from dev.deploy.local import Emulated
from dev.deploy.package import ROOT, Package
from dev.web.files import DOCS_HEADERS, PAGE_HEADERS, PAGE_PATHS, files

Template = dict[str, Any]
CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
ALL_VIEWER_EXCEPT_HOST_HEADER = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
"""AWS's own policies, by the ids that are the same in every account."""
EVERY_METHOD = ["GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"]
FRONT_DOOR_SECRET = {"Fn::Sub": "{{resolve:secretsmanager:${FrontDoorSecret}}}"}
DOOR = "FrontDoor DistributionConfig"
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"

SAYS: dict[str, object] = {
    # Compiled files fit one minor version: that which made the package.
    "APIHandler Runtime": PYTHON,
    "Sweep Runtime": PYTHON,
    "APIHandler Architectures": ["arm64"],
    "Sweep Architectures": ["arm64"],
    # Lambda patches a runtime whenever it likes, unless it is told to wait for the next change of the function.
    "APIHandler RuntimeManagementConfig": {"UpdateRuntimeOn": "FunctionUpdate"},
    "Sweep RuntimeManagementConfig": {"UpdateRuntimeOn": "FunctionUpdate"},
    # 44 letters and digits are 33 bytes of base64url, and HS256 wants 32. Secrets Manager requires a character of each
    # kind that is not excluded; the emulator looks at ExcludeCharacters only.
    "SigningKeys GenerateSecretString": {
        "SecretStringTemplate": "{}",
        "GenerateStringKey": "1",
        "PasswordLength": 44,
        "ExcludePunctuation": True,
        "ExcludeCharacters": string.punctuation,
    },
    # The table is the one that the store knows; nothing is lost, and nothing is kept that is to expire.
    **{f"Table {name}": value for name, value in SCHEMA.items()},
    "Table BillingMode": "PAY_PER_REQUEST",
    "Table TimeToLiveSpecification": {"AttributeName": TTL, "Enabled": True},
    "Table PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    "Table SSESpecification": {"SSEEnabled": True},
    "Table StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
    # More than one move in twenty lost a race: CloudWatch judges a percentile p by 10 / (1 - p) values, 200 here, and
    # leaves the alarm as it is with fewer.
    "LostRaces MetricName": "lost_races",
    "LostRaces ExtendedStatistic": "p95",
    "LostRaces Threshold": 0,
    "LostRaces EvaluateLowSampleCountPercentile": "ignore",
    # /v1/* goes to the stage with every header but Host, and nothing of it is kept.
    f"{DOOR} CacheBehaviors 0": {
        "PathPattern": "/v1/*",
        "TargetOriginId": "api",
        "ViewerProtocolPolicy": "https-only",
        "AllowedMethods": EVERY_METHOD,
        "Compress": False,
        "CachePolicyId": CACHING_DISABLED,
        "OriginRequestPolicyId": ALL_VIEWER_EXCEPT_HOST_HEADER,
    },
    f"{DOOR} Origins 1 Id": "api",
    f"{DOOR} Origins 1 OriginPath": {"Fn::Sub": "/${Stage}"},
    f"{DOOR} Origins 1 ConnectionAttempts": 1,
    # The API believes X-Forwarded-For of the front door alone, by a secret that nobody has written down.
    f"{DOOR} Origins 1 OriginCustomHeaders": [{"HeaderName": "X-Front-Door", "HeaderValue": FRONT_DOOR_SECRET}],
    "APIHandler Environment Variables DO_DOONI_FRONT_DOOR": FRONT_DOOR_SECRET,
    # An error of the API is the caller's own: not for ten seconds everybody's, and never HTML.
    f"{DOOR} CustomErrorResponses": [{"ErrorCode": status, "ErrorCachingMinTTL": 0} for status in ERRORS],
    # Nobody but this distribution reads the bucket, and nobody in the clear.
    "Pages PublicAccessBlockConfiguration": dict.fromkeys(
        ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
    ),
    "PagesPolicy PolicyDocument Statement 0 Effect": "Allow",
    "PagesPolicy PolicyDocument Statement 0 Action": ["s3:GetObject", "s3:ListBucket"],
    "PagesPolicy PolicyDocument Statement 0 Principal": {"Service": "cloudfront.amazonaws.com"},
    "PagesPolicy PolicyDocument Statement 0 Condition StringEquals AWS:SourceArn": {
        "Fn::Sub": "arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/${FrontDoor}"
    },
    "PagesPolicy PolicyDocument Statement 1 Effect": "Deny",
    "PagesPolicy PolicyDocument Statement 1 Condition": {"Bool": {"aws:SecureTransport": "false"}},
    "PagesAccess OriginAccessControlConfig SigningBehavior": "always",
    "PagesAccess OriginAccessControlConfig OriginAccessControlOriginType": "s3",
    f"{DOOR} Origins 0 Id": "pages",
    f"{DOOR} Origins 0 OriginAccessControlId": {"Fn::GetAtt": ["PagesAccess", "Id"]},
    # A page's address becomes the index before the pages' bucket, and before nothing else. CloudFront keeps what the
    # file's own Cache-Control allows, one copy for all callers.
    f"{DOOR} DefaultCacheBehavior": {
        "TargetOriginId": "pages",
        "ViewerProtocolPolicy": "redirect-to-https",
        "AllowedMethods": ["GET", "HEAD"],
        "Compress": True,
        "CachePolicyId": {"Ref": "PagesCache"},
        "ResponseHeadersPolicyId": {"Ref": "PageHeaders"},
        "FunctionAssociations": [
            {"EventType": "viewer-request", "FunctionARN": {"Fn::GetAtt": ["PagePaths", "FunctionARN"]}}
        ],
    },
    f"{DOOR} CacheBehaviors 1": {
        "PathPattern": "/docs*",
        "TargetOriginId": "pages",
        "ViewerProtocolPolicy": "redirect-to-https",
        "AllowedMethods": ["GET", "HEAD"],
        "Compress": True,
        "CachePolicyId": {"Ref": "PagesCache"},
        "ResponseHeadersPolicyId": {"Ref": "DocsHeaders"},
    },
    **{
        f"PagesCache CachePolicyConfig {name}TTL": value
        for name, value in (("Min", 0), ("Default", 0), ("Max", 31536000))
    },
    **{
        f"PagesCache CachePolicyConfig ParametersInCacheKeyAndForwardedToOrigin {kind}sConfig": {
            f"{kind}Behavior": "none"
        }
        for kind in ("Cookie", "Header", "QueryString")
    },
}
"""Resource and where in its properties → what stands there."""


@pytest.mark.parametrize("where", SAYS)
def test_the_template_says(resources: Template, where: str) -> None:
    name, *path = where.split()
    value = resources[name]["Properties"]
    for step in path:
        value = value[int(step)] if isinstance(value, list) else value[step]
    assert SAYS[where] == value


def _of_type(resources: Template, kind: str) -> list[Template]:
    return [one["Properties"] for one in resources.values() if one["Type"] == kind]


def test_every_error_is_named() -> None:
    """All statuses that CloudFront would keep for ten seconds."""
    assert {400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504} == set(ERRORS)


def test_a_stage_writes_a_form_that_both_functions_read(resources: Template) -> None:
    """The setting names one, so that a new version's form is written when somebody says so, and not before."""
    functions = _of_type(resources, "AWS::Serverless::Function")
    written = {function["Environment"]["Variables"][FORM_VARIABLE] for function in functions}
    assert len(written) == 1 and written <= {str(form) for form in FORMS}


def test_cloudformation_finds_no_fault(packages: dict[str, Package]) -> None:
    """cfn-lint has nothing to say of either stage, nor of what an account needs."""
    linter = Path(sys.executable).with_name("cfn-lint")
    paths = [str(path) for path in (*(made.template for made in packages.values()), ROOT / "dev/deploy/account.json")]
    ran = subprocess.run([str(linter), *paths], capture_output=True, text=True, check=False)
    assert (0, "") == (ran.returncode, ran.stdout)


def test_prod_cannot_be_deleted_by_mistake(templates: dict[str, Template]) -> None:
    """Prod's table and keys outlive their stack, and its table refuses to be deleted."""
    resources = templates["prod"]["Resources"]
    assert ["Retain", "Retain"] == [resources[name]["DeletionPolicy"] for name in ("Table", "SigningKeys")]
    assert resources["Table"]["Properties"]["DeletionProtectionEnabled"]


def test_the_gateway_speaks_as_the_api_does(resources: Template) -> None:
    """What the gateway refuses by itself is a problem document that a browser may read; an unknown route is 404."""
    definition = resources["RestAPI"]["Properties"]["DefinitionBody"]
    responses = definition["x-amazon-apigateway-gateway-responses"]
    statuses = {kind: int(response["statusCode"]) for kind, response in responses.items()}
    expected = {"MISSING_AUTHENTICATION_TOKEN": 404, "UNAUTHORIZED": 401, "ACCESS_DENIED": 403}
    expected |= {"RESOURCE_NOT_FOUND": 404, "REQUEST_TOO_LARGE": 413, "THROTTLED": 429}
    expected |= {"DEFAULT_5XX": 500, "INTEGRATION_TIMEOUT": 503}
    assert expected == {kind: statuses[kind] for kind in expected}
    for kind, response in responses.items():
        document = json.loads(response["responseTemplates"]["application/json"])
        assert problem(document["code"], document["params"], request_id="$context.requestId") == document
        assert statuses[kind] == document["status"]
        headers = {name.rpartition(".")[2]: value for name, value in response["responseParameters"].items()}
        assert ("'*'", "'application/problem+json'") == (
            headers["Access-Control-Allow-Origin"],
            headers["Content-Type"],
        )
        assert "Retry-After" in headers["Access-Control-Expose-Headers"]
        assert (statuses[kind] in (429, 503)) == ("Retry-After" in headers)


def test_there_is_no_other_way_in(templates: dict[str, Template]) -> None:
    """The API has one stage, the one with throttling and an access log: what SAM makes of the template has no other."""

    class NoPolicies:
        def load(self) -> dict[str, str]:
            return {}

    template = json.loads(json.dumps(templates["prod"]))
    for function in _of_type(template["Resources"], "AWS::Serverless::Function"):
        function["CodeUri"] = "s3://packages/key"
    made = transform(template, {}, NoPolicies())["Resources"]
    (stage,) = _of_type(made, "AWS::ApiGateway::Stage")
    assert {"AccessLogSetting", "MethodSettings"} <= stage.keys()
    assert [] == [one for one in _of_type(made, "AWS::ApiGateway::Deployment") if "StageName" in one]


def test_what_needs_no_token_has_a_throttle_of_its_own(resources: Template) -> None:
    """Nobody without an account can use up the stage's rate; each share is below the stage's."""
    whole, *shares = resources["RestAPI"]["Properties"]["MethodSettings"]
    assert ("*", "/*") == (whole["HttpMethod"], whole["ResourcePath"])
    throttled = {(one["HttpMethod"], one["ResourcePath"].replace("~1", "/")) for one in shares}
    assert {(route.method, f"//v1{route.path}") for route in ROUTES if route.for_all} <= throttled
    assert {("HEAD", path) for method, path in throttled if method == "GET"} <= throttled
    for limit in ("ThrottlingRateLimit", "ThrottlingBurstLimit"):
        assert all(1 <= one[limit] <= whole[limit] / 4 for one in shares)


@pytest.mark.parametrize(("stage", "days"), [("dev", 14), ("prod", 90)])
def test_no_log_is_kept_for_ever(templates: dict[str, Template], stage: str, days: int) -> None:
    """Each function and the gateway write into a log that forgets."""
    resources = templates[stage]["Resources"]
    functions = _of_type(resources, "AWS::Serverless::Function")
    written = {function["LoggingConfig"]["LogGroup"]["Ref"] for function in functions}
    written.add(resources["RestAPI"]["Properties"]["AccessLogSetting"]["DestinationArn"]["Fn::GetAtt"][0])
    logs = {name for name, one in resources.items() if one["Type"] == "AWS::Logs::LogGroup"}
    assert logs == written and 3 == len(logs)
    assert dict.fromkeys(logs, days) == {name: resources[name]["Properties"]["RetentionInDays"] for name in logs}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_function_of_the_front_door_runs(resources: Template) -> None:
    """A page's address becomes the index; every other stays, so that what is missing is 404."""
    code = resources["PagePaths"]["Properties"]["FunctionCode"]
    (pattern,) = re.findall(r"/\^(.*)\$/", code)
    assert PAGE_PATHS.pattern == pattern.replace(r"\/", "/")
    pages = ["/", "/m/Xy-_1/3", "/t/XBCS5F4M"]
    others = ["/docs", "/openapi.json", "/assets/main.js", "/t/", "/nowhere", "/sw.js"]
    handled = f"{json.dumps(pages + others)}.map(uri => handler({{request: {{uri}}}}).uri)"
    script = f"{code}; console.log(JSON.stringify({handled}))"
    ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert ["/index.html"] * 3 + others == json.loads(ran.stdout)


@pytest.mark.parametrize(("name", "headers"), [("PageHeaders", PAGE_HEADERS), ("DocsHeaders", DOCS_HEADERS)])
def test_files_go_out_with_their_policy(resources: Template, name: str, headers: dict[str, str]) -> None:
    """No script but the page's own runs, nobody frames it, and both pages are held by a header."""
    policy = resources[name]["Properties"]["ResponseHeadersPolicyConfig"]
    security = policy["SecurityHeadersConfig"]
    assert security["StrictTransportSecurity"]["AccessControlMaxAgeSec"] > 31536000
    assert headers["Content-Security-Policy"] == security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    directives = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    expected = {"script-src": "'self'", "frame-ancestors": "'none'", "default-src": "'none'"}
    assert directives == directives | expected
    own = {one["Header"]: one["Value"] for one in policy["CustomHeadersConfig"]["Items"]}
    assert {"Cross-Origin-Opener-Policy": "same-origin"} == own


def test_the_files_are_in_the_bucket(emulated: Emulated) -> None:
    """All of them, those that never change for a year, and everything else asked for each time."""
    s3, bucket = emulated.client_of("s3"), emulated.outputs["PagesBucket"]
    for file in files():
        stored = s3.get_object(Bucket=bucket, Key=file.key)
        assert file.path.read_bytes() == stored["Body"].read()
        assert (file.content_type, file.cache_control) == (stored["ContentType"], stored["CacheControl"])
    assert {"index.html": "no-cache"}.items() <= {file.key: file.cache_control for file in files()}.items()
    assert any(file.unchanging for file in files())


def test_cloudformation_gives_both_sides_the_secret(emulated: Emulated) -> None:
    """What the distribution sends is what the API compares with."""
    (distribution,) = emulated.client_of("cloudfront").list_distributions()["DistributionList"]["Items"]
    (api,) = [origin for origin in distribution["Origins"]["Items"] if origin["Id"] == "api"]
    (header,) = api["CustomHeaders"]["Items"]
    function = emulated.outputs["APIHandlerName"]
    settings = emulated.client_of("lambda").get_function_configuration(FunctionName=function)
    known = settings["Environment"]["Variables"]["DO_DOONI_FRONT_DOOR"]
    assert header["HeaderValue"] == known and 40 == len(known)
