"""The yardstick: a Chalice app with the libraries of requirements.txt imported, whose only view does what a move cannot
do without. It runs packaged as ours is (`dev.bench.cold_start`), and beside ours (`dev.bench.move`)."""

import os
from typing import Any

import jwt
import marshmallow
import pynamodb.models
from botocore.config import Config
from botocore.session import get_session
from chalice.app import Chalice, Response

app = Chalice("bare")
imported = (jwt, marshmallow, pynamodb.models)
client: Any = None


@app.route("/v1/matches/{match_id}/moves/{move_number}", methods=["PUT"], cors=True)
def move(match_id: str, move_number: str) -> Response:
    """Read the item, and write it on its condition."""
    global client
    if client is None:
        retries = {"total_max_attempts": 1, "mode": "standard"}
        config = Config(
            connect_timeout=1, read_timeout=1, retries=retries, parameter_validation=False, user_agent="bare"
        )
        client = get_session().create_client(
            "dynamodb", endpoint_url=os.environ["DO_DOONI_DYNAMODB_URL"], config=config
        )
    table, key = os.environ["DO_DOONI_TABLE"], {"pk": {"S": os.environ["BARE_ITEM"]}, "sk": {"S": "match"}}
    found = client.get_item(TableName=table, Key=key, ConsistentRead=True)["Item"]
    version = int(found["version"]["N"])
    client.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET #v = :new, #b = :bytes",
        ConditionExpression="#v = :old",
        ExpressionAttributeNames={"#v": "version", "#b": "match"},
        ExpressionAttributeValues={
            ":new": {"N": str(version + 1)},
            ":old": {"N": str(version)},
            ":bytes": found["match"],
        },
    )
    return Response({"version": version + 1})
