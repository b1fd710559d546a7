"""The front door of a stage: CloudFront before the pages' bucket and the API, so that a browser has one origin.

`.chalice/front-door.json` says what there is. What follows from the pages themselves is filled in here: which
addresses mean the page, and the headers that all files go out with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dev.web.files import DOCS_HEADERS, PAGE_HEADERS, PAGE_PATHS, files

ERRORS = (400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504)
"""Statuses that CloudFront keeps for ten seconds unless it is told otherwise, whatever the answer says of itself. The
caller is not in its key: one account's 503 would be everybody's."""
TWO_YEARS = 2 * 365 * 24 * 60 * 60

Template = dict[str, Any]


def complete(resources: Template) -> None:
    """Fill in what the pages say about the front door."""
    door = resources["FrontDoor"]["Properties"]["DistributionConfig"]
    # No page of CloudFront's: an app's 404 must stay the API's own problem document.
    door["CustomErrorResponses"] = [{"ErrorCode": status, "ErrorCachingMinTTL": 0} for status in ERRORS]
    resources["PagePaths"]["Properties"]["FunctionCode"] = _page_paths()
    for name, headers in (("PageHeaders", PAGE_HEADERS), ("DocsHeaders", DOCS_HEADERS)):
        resources[name]["Properties"]["ResponseHeadersPolicyConfig"] |= _headers_policy(headers)


def _page_paths() -> str:
    pattern = PAGE_PATHS.pattern.replace("/", r"\/")
    return f"""function handler(event) {{
  if (/^{pattern}$/.test(event.request.uri)) event.request.uri = "/index.html";
  return event.request;
}}
"""


def _headers_policy(headers: Mapping[str, str]) -> Template:
    policy = headers["Content-Security-Policy"]
    own = {"Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"}
    return {
        "SecurityHeadersConfig": {
            "ContentSecurityPolicy": {"ContentSecurityPolicy": policy, "Override": True},
            "ContentTypeOptions": {"Override": True},
            "ReferrerPolicy": {"ReferrerPolicy": headers["Referrer-Policy"], "Override": True},
            "StrictTransportSecurity": {
                "AccessControlMaxAgeSec": TWO_YEARS,
                "IncludeSubdomains": False,
                "Override": True,
            },
        },
        "CustomHeadersConfig": {
            "Items": [
                {"Header": name, "Value": value, "Override": True} for name, value in headers.items() if name not in own
            ]
        },
    }


def upload(s3: Any, bucket: str) -> list[str]:
    """Put all files into the bucket; their keys, in order.

    Files that never change go first and what refers to them after them, so that nobody is sent to what is not there
    yet. What an earlier deployment brought stays: a page that is open in somebody's browser still asks for it.
    """
    ordered = sorted(files(), key=lambda file: (not file.unchanging, file.key))
    for file in ordered:
        s3.put_object(
            Bucket=bucket,
            Key=file.key,
            Body=file.path.read_bytes(),
            ContentType=file.content_type,
            CacheControl=file.cache_control,
        )
    return [file.key for file in ordered]
