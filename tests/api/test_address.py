"""Whose address a request counts for: the caller's, behind the front door too."""

from __future__ import annotations

import pytest
from chalice.app import Request

from chalicelib.api.address import caller_address

IDENTITY = {"sourceIp": "198.51.100.7"}


def address_of(headers: dict[str, str], secret: str, identity: dict[str, str] | None = IDENTITY) -> str:
    context = {"httpMethod": "GET", "resourcePath": "/", "identity": identity}
    event = {"requestContext": context, "headers": headers, "pathParameters": {}, "body": None}
    event |= {"multiValueQueryStringParameters": None, "stageVariables": None, "isBase64Encoded": False}
    return caller_address(Request(event), secret)


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ({}, "198.51.100.7"),
        ({"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}, "198.51.100.7"),
        ({"X-Forwarded-For": "203.0.113.9, 198.51.100.7", "X-Front-Door": "guess"}, "198.51.100.7"),
        ({"X-Forwarded-For": "203.0.113.9, 198.51.100.7", "X-Front-Door": "sésame"}, "198.51.100.7"),
        ({"X-Forwarded-For": "203.0.113.9, 198.51.100.7", "X-Front-Door": "secret"}, "203.0.113.9"),
        ({"X-Forwarded-For": "192.0.2.1, 203.0.113.9,198.51.100.7", "X-Front-Door": "secret"}, "203.0.113.9"),
        ({"X-Forwarded-For": "198.51.100.7", "X-Front-Door": "secret"}, "198.51.100.7"),
    ],
)
def test_whose_address(headers: dict[str, str], address: str) -> None:
    """The last but one of X-Forwarded-For, whatever a caller wrote before it, with the front door's secret only."""
    assert address == address_of(headers, "secret")


def test_without_a_front_door() -> None:
    """Where no secret is set, an empty one opens nothing."""
    assert "198.51.100.7" == address_of({"X-Forwarded-For": "203.0.113.9, 198.51.100.7", "X-Front-Door": ""}, "")


@pytest.mark.parametrize("identity", [None, {}])
def test_a_gateway_that_gives_no_address(identity: dict[str, str] | None) -> None:
    """Is no fault of the caller's."""
    assert "" == address_of({}, "", identity)
