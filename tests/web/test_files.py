"""How the page is served on one's own machine: caches, security, and addresses within the page."""

from __future__ import annotations

import gzip

import pytest

from dev.web.build import BUILT
from dev.web.files import page_answer


@pytest.mark.parametrize("path", ["/", "/t/ABCD-EFGH?lang=hi", "/m/Xy-_1", "/m/Xy-_1/3", "/settings", "/back"])
def test_addresses_within_the_page_are_its_index(path: str) -> None:
    """A link opens the page; the page is asked for anew each time, and may not be framed or run scripts of others."""
    answer = page_answer("GET", path, {})
    assert answer is not None
    assert (BUILT / "index.html").read_bytes() == answer["body"]
    headers = answer["headers"]
    assert "no-cache" == headers["Cache-Control"]
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("path", "content_type"), [("/docs", "text/html; charset=utf-8"), ("/openapi.json", "application/json")]
)
def test_the_contract_and_its_page(path: str, content_type: str) -> None:
    """Files too, under addresses without an ending; nobody frames them or runs a script in them."""
    answer = page_answer("GET", path, {})
    assert answer is not None
    assert content_type == answer["headers"]["Content-Type"]
    assert "script-src 'self'; " in answer["headers"]["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer["headers"]["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/v1/health", "/m/", "/t/a/b", "/m/x/y", "/assets/../index.html", "/sources.sha256", "/nothing"]
)
def test_all_else_is_the_apis(path: str) -> None:
    """What is no file or address of the page goes to the gateway."""
    assert page_answer("GET", path, {}) is None
    assert page_answer("POST", "/", {}) is None


def test_assets_are_kept_for_ever_and_compressed() -> None:
    """A hashed name never changes its content."""
    asset = next((BUILT / "assets").glob("*.js"))
    answer = page_answer("GET", f"/assets/{asset.name}", {"Accept-Encoding": "br, gzip"})
    assert answer is not None
    assert "immutable" in answer["headers"]["Cache-Control"]
    assert asset.read_bytes() == gzip.decompress(answer["body"])


def test_an_unchanged_index_is_not_sent_again() -> None:
    """304 for the ETag that was given."""
    first = page_answer("GET", "/", {})
    assert first is not None
    again = page_answer("GET", "/", {"If-None-Match": first["headers"]["ETag"]})
    assert again is not None
    assert 304 == again["statusCode"]
