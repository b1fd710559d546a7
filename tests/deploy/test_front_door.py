"""The front door of each stage: one origin for pages and API, as the template says it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from chalicelib.api.routes import ROUTES
from dev.deploy.front_door import ERRORS
from dev.deploy.local import Emulated
from dev.deploy.package import STAGES, Package
from dev.web.files import DOCS_HEADERS, PAGE_HEADERS, PAGE_PATHS, files

CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
ALL_VIEWER_EXCEPT_HOST_HEADER = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
"""AWS's own policies, by the ids that are the same in every account."""

Template = dict[str, Any]


@pytest.fixture(params=STAGES)
def resources(request: pytest.FixtureRequest, packages: dict[str, Package]) -> Template:
    loaded: Template = json.loads(packages[request.param].template.read_text())["Resources"]
    return loaded


@pytest.fixture
def door(resources: Template) -> Template:
    config: Template = resources["FrontDoor"]["Properties"]["DistributionConfig"]
    return config


def test_the_api_is_behind_it_uncached(door: Template) -> None:
    """/v1/* goes to the stage with all methods and every header but Host, and nothing of it is kept."""
    (api,) = [one for one in door["CacheBehaviors"] if one["TargetOriginId"] == "api"]
    assert "/v1/*" == api["PathPattern"]
    assert {"GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"} == set(api["AllowedMethods"])
    assert (CACHING_DISABLED, ALL_VIEWER_EXCEPT_HOST_HEADER) == (api["CachePolicyId"], api["OriginRequestPolicyId"])
    assert "https-only" == api["ViewerProtocolPolicy"]
    assert not {"FunctionAssociations", "ResponseHeadersPolicyId"} & api.keys()
    (origin,) = [one for one in door["Origins"] if one["Id"] == "api"]
    assert {"Fn::Sub": "/${Stage}"} == origin["OriginPath"]
    assert 1 == origin["ConnectionAttempts"]


def test_no_error_is_kept_or_made_a_page(door: Template) -> None:
    """An error of the API is the caller's own: not for ten seconds everybody's, and never HTML."""
    assert {400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504} == set(ERRORS)
    assert [{"ErrorCode": status, "ErrorCachingMinTTL": 0} for status in ERRORS] == door["CustomErrorResponses"]


def test_the_bucket_is_the_front_doors_alone(resources: Template, door: Template) -> None:
    """Nobody reads the bucket but this distribution, signed; it may list, so that what is missing is 404, not 403."""
    bucket = resources["Pages"]["Properties"]
    assert {True} == set(bucket["PublicAccessBlockConfiguration"].values())
    assert 4 == len(bucket["PublicAccessBlockConfiguration"])
    allow, deny = resources["PagesPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert {"s3:GetObject", "s3:ListBucket"} == set(allow["Action"])
    assert {"Service": "cloudfront.amazonaws.com"} == allow["Principal"]
    (source,) = allow["Condition"]["StringEquals"].values()
    assert source["Fn::Sub"].endswith(":distribution/${FrontDoor}")
    assert ("Deny", {"Bool": {"aws:SecureTransport": "false"}}) == (deny["Effect"], deny["Condition"])
    access = resources["PagesAccess"]["Properties"]["OriginAccessControlConfig"]
    assert ("always", "s3") == (access["SigningBehavior"], access["OriginAccessControlOriginType"])
    (origin,) = [one for one in door["Origins"] if one["Id"] == "pages"]
    assert {"Fn::GetAtt": ["PagesAccess", "Id"]} == origin["OriginAccessControlId"]


def test_page_addresses_are_the_index_on_the_default_behaviour_only(resources: Template, door: Template) -> None:
    """The function that knows the page's addresses runs before the pages' bucket, and before nothing else."""
    (association,) = door["DefaultCacheBehavior"]["FunctionAssociations"]
    assert "viewer-request" == association["EventType"]
    assert [] == [one for one in door["CacheBehaviors"] if "FunctionAssociations" in one]
    code = resources["PagePaths"]["Properties"]["FunctionCode"]
    (pattern,) = re.findall(r"/\^(.*)\$/", code)
    assert PAGE_PATHS.pattern == pattern.replace(r"\/", "/")


def test_files_are_kept_as_they_say(resources: Template, door: Template) -> None:
    """CloudFront keeps what the file's own Cache-Control allows, one copy for all callers, and asks for the rest."""
    assert {"Ref": "PagesCache"} == door["DefaultCacheBehavior"]["CachePolicyId"]
    assert "redirect-to-https" == door["DefaultCacheBehavior"]["ViewerProtocolPolicy"]
    policy = resources["PagesCache"]["Properties"]["CachePolicyConfig"]
    assert (0, 0, 31536000) == (policy["MinTTL"], policy["DefaultTTL"], policy["MaxTTL"])
    key = policy["ParametersInCacheKeyAndForwardedToOrigin"]
    behaviours = [key[f"{kind}Config"] for kind in ("Cookies", "Headers", "QueryStrings")]
    assert ["none"] * 3 == [next(iter(one.values())) for one in behaviours]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize(
    ("address", "file"),
    [("/", "/index.html"), ("/m/Xy-_1/3", "/index.html"), ("/t/XBCS5F4M", "/index.html")]
    + [(path, path) for path in ("/docs", "/openapi.json", "/assets/main.js", "/t/", "/nowhere", "/sw.js")],
)
def test_the_function_runs(resources: Template, address: str, file: str) -> None:
    """A page's address becomes the index; every other stays, so that what is missing is 404."""
    code = resources["PagePaths"]["Properties"]["FunctionCode"]
    script = f"{code}; console.log(handler({{request: {{uri: {json.dumps(address)}}}}}).uri)"
    ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert file == ran.stdout.strip()


def test_files_go_out_with_their_policy(resources: Template, door: Template) -> None:
    """No script but the page's own runs, nobody frames it, and both pages are held by a header."""
    docs = [one for one in door["CacheBehaviors"] if one["PathPattern"].startswith("/docs")]
    assert [{"Ref": "DocsHeaders"}] == [one["ResponseHeadersPolicyId"] for one in docs]
    assert {"Ref": "PageHeaders"} == door["DefaultCacheBehavior"]["ResponseHeadersPolicyId"]
    for name, headers in (("PageHeaders", PAGE_HEADERS), ("DocsHeaders", DOCS_HEADERS)):
        policy = resources[name]["Properties"]["ResponseHeadersPolicyConfig"]
        security = policy["SecurityHeadersConfig"]
        assert security["StrictTransportSecurity"]["AccessControlMaxAgeSec"] > 31536000
        assert headers["Content-Security-Policy"] == security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
        directives = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert ("'self'", "'none'", "'none'") == (
            directives["script-src"],
            directives["frame-ancestors"],
            directives["default-src"],
        )
        own = {one["Header"]: one["Value"] for one in policy["CustomHeadersConfig"]["Items"]}
        assert {"Cross-Origin-Opener-Policy": "same-origin"} == own


def test_the_secret_is_the_same_on_both_sides(resources: Template, door: Template) -> None:
    """The API believes X-Forwarded-For of the front door alone, by a secret that nobody has written down."""
    (origin,) = [one for one in door["Origins"] if one["Id"] == "api"]
    (header,) = origin["OriginCustomHeaders"]
    assert "X-Front-Door" == header["HeaderName"]
    told = resources["APIHandler"]["Properties"]["Environment"]["Variables"]["DO_DOONI_FRONT_DOOR"]
    assert header["HeaderValue"] == told == {"Fn::Sub": "{{resolve:secretsmanager:${FrontDoorSecret}}}"}


def test_what_needs_no_token_has_a_throttle_of_its_own(resources: Template) -> None:
    """Nobody without an account can use up the stage's rate; each share is below the stage's."""
    whole, *shares = resources["RestAPI"]["Properties"]["MethodSettings"]
    assert ("*", "/*") == (whole["HttpMethod"], whole["ResourcePath"])
    throttled = {(one["HttpMethod"], one["ResourcePath"].replace("~1", "/")) for one in shares}
    assert {(route.method, f"//v1{route.path}") for route in ROUTES if route.for_all} <= throttled
    assert {("HEAD", path) for method, path in throttled if method == "GET"} <= throttled
    for one in shares:
        assert 1 <= one["ThrottlingRateLimit"] <= whole["ThrottlingRateLimit"] / 4
        assert 1 <= one["ThrottlingBurstLimit"] <= whole["ThrottlingBurstLimit"] / 4


def test_the_files_are_in_the_bucket(emulated: Emulated) -> None:
    """All of them, those that never change for a year, and everything else asked for each time."""
    s3, bucket = emulated.client_of("s3"), emulated.outputs["PagesBucket"]
    for file in files():
        stored = s3.get_object(Bucket=bucket, Key=file.key)
        assert file.path.read_bytes() == stored["Body"].read()
        assert (file.content_type, file.cache_control) == (stored["ContentType"], stored["CacheControl"])
    html = s3.get_object(Bucket=bucket, Key="index.html")
    assert "no-cache" == html["CacheControl"]
    assert any(file.unchanging for file in files())


def test_cloudformation_gives_both_sides_the_secret(emulated: Emulated) -> None:
    """What the distribution sends is what the API compares with."""
    (distribution,) = emulated.client_of("cloudfront").list_distributions()["DistributionList"]["Items"]
    (api,) = [origin for origin in distribution["Origins"]["Items"] if origin["Id"] == "api"]
    (header,) = api["CustomHeaders"]["Items"]
    function = emulated.outputs["APIHandlerName"]
    settings = emulated.client_of("lambda").get_function_configuration(FunctionName=function)
    told = settings["Environment"]["Variables"]["DO_DOONI_FRONT_DOOR"]
    assert header["HeaderValue"] == told
    assert 40 == len(told)
