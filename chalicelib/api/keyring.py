"""The signing keys as the deployment keeps them: one secret of AWS Secrets Manager.

One call in a container's life, so it is signed and sent by botocore's parts: making a client for it would read the
service's whole model, and cost a cold start more than the call itself.
"""

from __future__ import annotations

import json
import os
from typing import Any

SECRET_VARIABLE = "DO_DOONI_SIGNING_SECRET"  # noqa: S105 a variable's name
"""The secret's ARN."""
_SECONDS = 1.0
"""For a connection, and again for the answer: all tries together end before the caller's patience does."""
_TRIES = 3


class KeysUnreadable(Exception):
    """The secret was not to be had. Says why, and nothing of what it holds."""


def secret_text() -> str | None:
    """What the secret holds; None where the deployment has none. Raises `KeysUnreadable`."""
    arn = os.environ.get(SECRET_VARIABLE)
    return None if not arn else _read(arn)


def _read(arn: str) -> str:
    from botocore.exceptions import ConnectionError as NoConnection
    from botocore.exceptions import HTTPClientError
    from botocore.httpsession import URLLib3Session

    session, found = URLLib3Session(timeout=_SECONDS), "nothing"
    try:
        for _ in range(_TRIES):
            try:
                answer = session.send(_request(arn).prepare())
            except (NoConnection, HTTPClientError) as error:
                found = type(error).__name__
                continue
            if answer.status_code == 200:
                return str(json.loads(answer.content)["SecretString"])
            found = str(answer.status_code)
            if answer.status_code < 500:
                break
        raise KeysUnreadable(f"Secrets Manager: {found}")
    finally:
        session.close()


def _request(arn: str) -> Any:
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import EnvProvider

    region = os.environ["AWS_REGION"]
    request = AWSRequest(
        "POST",
        os.environ.get("AWS_ENDPOINT_URL") or f"https://secretsmanager.{region}.amazonaws.com/",
        {"X-Amz-Target": "secretsmanager.GetSecretValue", "Content-Type": "application/x-amz-json-1.1"},
        json.dumps({"SecretId": arn}),
    )
    SigV4Auth(EnvProvider().load(), "secretsmanager", region).add_auth(request)
    return request
