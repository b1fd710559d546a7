"""Whose address a request counts for: the caller's, behind the front door too."""

from __future__ import annotations

import pytest
from chalice.app import Request

from chalicelib.api.address import caller_address

HERE, TWO = {"sourceIp": "198.51.100.7"}, "203.0.113.9, 198.51.100.7"


@pytest.mark.parametrize(
    ("forwarded", "sent", "secret", "identity", "address"),
    [
        (None, None, "secret", HERE, "198.51.100.7"),
        *((TWO, sent, "secret", HERE, "198.51.100.7") for sent in (None, "guess", "sésame")),
        (TWO, "secret", "secret", HERE, "203.0.113.9"),
        ("192.0.2.1, " + TWO.replace(" ", ""), "secret", "secret", HERE, "203.0.113.9"),
        ("198.51.100.7", "secret", "secret", HERE, "198.51.100.7"),
        (TWO, "", "", HERE, "198.51.100.7"),
        (None, None, "", None, ""),
        (None, None, "", {}, ""),
    ],
)
def test_whose_address(forwarded: str | None, sent: str | None, secret: str, identity: object, address: str) -> None:
    """The last but one of X-Forwarded-For, whatever a caller wrote before it, with the front door's secret only; where
    none is set, an empty one opens nothing. That a gateway gives no address is no fault of the caller's."""
    headers = {"X-Forwarded-For": forwarded, "X-Front-Door": sent}
    context = {"httpMethod": "GET", "resourcePath": "/", "identity": identity}
    event = {"requestContext": context, "pathParameters": {}, "body": None, "isBase64Encoded": False}
    event |= {"headers": {name: value for name, value in headers.items() if value is not None}}
    event |= {"multiValueQueryStringParameters": None, "stageVariables": None}
    assert address == caller_address(Request(event), secret)
