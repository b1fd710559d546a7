"""`make rotate-keys STAGE=…`: a new signing key for the access tokens, with nobody signed out.

The secret holds two keys, the first of which signs. A container reads it once, so a new key comes in two steps, each
with new containers: first as the second one, which all containers then know; then as the first one, and the key that
signed until now stays as the second, for the tokens that are still out, until the next rotation.

A rotation that was cut short is finished by the next run. Keys are numbered, so the secret tells how far it came: the
newer key is still the second one, or it is the first and the containers have not been renewed since.
"""

from __future__ import annotations

import base64
import json
import secrets
from dataclasses import dataclass
from typing import Any

from chalicelib.api.auth import LIFETIME
from dev.deploy.stack import ClientOf, outputs_of, stack_name

GENERATION = "DO_DOONI_KEYS"
"""A function's variable that only says which version of the secret its containers have read."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """The key that signs now, and whether this run only finished an earlier rotation."""

    key_id: str
    resumed: bool

    def text(self, stage: str) -> str:
        done = "finished the rotation that was cut short: " if self.resumed else ""
        before = f"the key before is good for {LIFETIME // 60} minutes more"
        return f"{done}{stack_name(stage)} signs with key {self.key_id}; {before}"


def rotate(client_of: ClientOf, stage: str) -> Rotation:
    """Give a stage a new signing key, or finish the rotation that was cut short. Raises `CommandFailed`."""
    stack = outputs_of(client_of, stage)
    vault, functions = client_of("secretsmanager"), client_of("lambda")
    secret, function = stack["SigningKeysArn"], stack["APIHandlerName"]

    def renew() -> None:
        renew_containers(functions, function, vault.get_secret_value(SecretId=secret)["VersionId"])

    def keep(*key_ids: str) -> None:
        content = {key_id: keys[key_id] for key_id in key_ids}
        vault.put_secret_value(SecretId=secret, SecretString=json.dumps(content))
        renew()

    current = vault.get_secret_value(SecretId=secret)
    keys: dict[str, str] = json.loads(current["SecretString"])
    signing_id, *others = keys
    newest_id = max(keys, key=int)
    read = _version_read(functions, function)
    if newest_id != signing_id:  # cut short before the new key was the first
        renew()
        keep(newest_id, signing_id)
        return Rotation(newest_id, resumed=True)
    if others and read not in (None, current["VersionId"]):  # cut short before the last renewal
        renew()
        return Rotation(signing_id, resumed=True)
    if others and read is None:
        renew()  # a deployment has taken the variable away, perhaps in the middle of a rotation
    new_id = str(int(newest_id) + 1)
    keys[new_id] = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    keep(signing_id, new_id)
    keep(new_id, signing_id)
    return Rotation(new_id, resumed=False)


def _version_read(functions: Any, function: str) -> str | None:
    """The version of the secret that all containers have read, as far as the function tells; "" if its last renewal
    has not come to its end."""
    configuration = functions.get_function_configuration(FunctionName=function)
    if configuration.get("LastUpdateStatus") != "Successful":
        return ""
    version: str | None = configuration["Environment"]["Variables"].get(GENERATION)
    return version


def renew_containers(functions: Any, function: str, version: str) -> None:
    """Let every later request be answered by a container that starts from here on."""
    configuration = functions.get_function_configuration(FunctionName=function)
    updated = functions.get_waiter("function_updated_v2")
    if configuration.get("LastUpdateStatus") == "InProgress":
        updated.wait(FunctionName=function, WaiterConfig={"Delay": 1})  # Lambda refuses a second update meanwhile
    changed = {"Variables": {**configuration["Environment"]["Variables"], GENERATION: version}}
    functions.update_function_configuration(FunctionName=function, Environment=changed)
    updated.wait(FunctionName=function, WaiterConfig={"Delay": 1})
