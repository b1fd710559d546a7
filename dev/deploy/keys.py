"""`make rotate-keys STAGE=…`: a new signing key for the access tokens, with nobody signed out.

The secret holds two keys, the first of which signs. A container reads it once, so a new key comes in two steps, each
with new containers: first as the second one, which all containers then know; then as the first one, and the key that
signed until now stays as the second, for the tokens that are still out, until the next rotation.
"""

from __future__ import annotations

import argparse
import base64
import json
import secrets
import sys
from typing import Any

import boto3

from chalicelib.api.auth import LIFETIME
from dev.deploy.package import STAGES
from dev.deploy.stack import ClientOf, in_a_line, outputs_of, stack_name

_GENERATION = "DO_DOONI_KEYS"
"""A function's variable that only says which version of the secret its containers have read."""


def rotate(client_of: ClientOf, stage: str) -> str:
    """Give a stage a new signing key; its id. Repeat it after a failure: half a rotation harms nothing.
    Raises `NotThere`."""
    told = outputs_of(client_of, stage)
    vault, functions = client_of("secretsmanager"), client_of("lambda")
    secret, function = told["SigningKeysArn"], told["APIHandlerName"]
    signing_id, signing = next(iter(json.loads(vault.get_secret_value(SecretId=secret)["SecretString"]).items()))
    new_id, new = secrets.token_hex(4), base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    for keys in ({signing_id: signing, new_id: new}, {new_id: new, signing_id: signing}):
        version = vault.put_secret_value(SecretId=secret, SecretString=json.dumps(keys))["VersionId"]
        renew_containers(functions, function, version)
    return new_id


def renew_containers(functions: Any, function: str, version: str) -> None:
    """Let every later request be answered by a container that starts from here on."""
    variables = functions.get_function_configuration(FunctionName=function)["Environment"]["Variables"]
    changed = {"Variables": {**variables, _GENERATION: version}}
    functions.update_function_configuration(FunctionName=function, Environment=changed)
    functions.get_waiter("function_updated_v2").wait(FunctionName=function, WaiterConfig={"Delay": 1})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.deploy.keys", description=__doc__)
    parser.add_argument("--stage", choices=STAGES, required=True)
    stage = parser.parse_args().stage

    def turn() -> str:
        key_id = rotate(boto3.client, stage)
        return f"{stack_name(stage)} signs with {key_id}; the key before is good for {LIFETIME // 60} minutes more"

    return in_a_line(turn)


if __name__ == "__main__":
    sys.exit(main())
