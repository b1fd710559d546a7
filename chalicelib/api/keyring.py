"""The signing keys as the deployment keeps them: one secret of AWS Secrets Manager.

One call in a container's life, so it is signed and sent by botocore's parts: making a client for it would read the
service's whole model, and cost a cold start more than the call itself.
"""

from __future__ import annotations

import json
import os
from typing import Any

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import EnvProvider
from botocore.exceptions import ConnectionError as NoConnection
from botocore.exceptions import HTTPClientError
from botocore.httpsession import URLLib3Session

from chalicelib.service.ports import Unavailable

KEYS_VARIABLE = "DO_DOONI_SIGNING_KEYS"
"""The keys themselves, as a local run has them."""
SECRET_VARIABLE = "DO_DOONI_SIGNING_SECRET"  # noqa: S105 a variable's name
"""The secret's ARN."""
_SECONDS = 1.0
"""For a connection, and again for the answer: all tries together end before the caller's patience does."""
_TRIES = 3
_THROTTLED = ("ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded")
"""Kinds of an answer 400 that pass by themselves."""


class KeysUnreadable(Exception):
    """The secret is refused: not ours to read, or not there. Says why, and nothing of what it holds."""


def deployed() -> str | None:
    """The keys of this deployment, unread: those given to the process itself, or else the secret's."""
    return os.environ.get(KEYS_VARIABLE) or secret_text()


def secret_text() -> str | None:
    """What the secret holds; None where the deployment has none. Raises `KeysUnreadable`, and `Unavailable` where
    Secrets Manager does not answer, or has too much to do."""
    arn = os.environ.get(SECRET_VARIABLE)
    return None if not arn else _read(arn)


def _read(arn: str) -> str:
    session, reason = URLLib3Session(timeout=_SECONDS), "nothing"
    try:
        for _ in range(_TRIES):
            try:
                answer = session.send(_request(arn).prepare())
            except (NoConnection, HTTPClientError) as error:
                reason = type(error).__name__
                continue
            if answer.status_code == 200:
                return str(json.loads(answer.content)["SecretString"])
            reason = f"{answer.status_code} {_kind(answer.content)}".rstrip()
            if answer.status_code == 429 or _kind(answer.content) in _THROTTLED:
                break  # asked again at once it would only be refused again: the caller comes back in a while
            if answer.status_code < 500:
                raise KeysUnreadable(f"Secrets Manager: {reason}")
        raise Unavailable(f"Secrets Manager: {reason}")
    finally:
        session.close()


def _kind(refusal: bytes) -> str:
    """What an answer names its error, perhaps behind its name space."""
    try:
        return str(json.loads(refusal)["__type"]).rpartition("#")[2]
    except (ValueError, KeyError, TypeError):
        return ""


def _request(arn: str) -> Any:
    region = os.environ["AWS_REGION"]
    request = AWSRequest(
        "POST",
        os.environ.get("AWS_ENDPOINT_URL") or f"https://secretsmanager.{region}.amazonaws.com/",
        {"X-Amz-Target": "secretsmanager.GetSecretValue", "Content-Type": "application/x-amz-json-1.1"},
        json.dumps({"SecretId": arn}),
    )
    SigV4Auth(EnvProvider().load(), "secretsmanager", region).add_auth(request)
    return request
