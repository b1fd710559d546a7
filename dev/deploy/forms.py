"""`make forms STAGE=…`: which forms of stored items a stage's table holds, and how many of each.

It reads the whole table (half a read unit for each 4 KB): for whoever wants to give a form up.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import boto3

from chalicelib.store.wire import FORM_VARIABLE, FORMS
from dev.deploy.arguments import stage_parser
from dev.deploy.stack import ClientOf, in_a_line, outputs_of, stack_name

KINDS = ("match", "deal", "events", "sessions")
"""The packed attributes, whose first byte is the form."""


def count_forms(dynamodb: Any, table: str) -> Counter[tuple[str, int]]:
    """(kind, form) → how many."""
    names = {f"#{kind}": kind for kind in KINDS}
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=table, ProjectionExpression=", ".join(names), ExpressionAttributeNames=names
    )
    return Counter(
        (kind, item[kind]["B"][0]) for page in pages for item in page["Items"] for kind in KINDS if kind in item
    )


def described(client_of: ClientOf, stage: str) -> str:
    """What the command prints. Raises `NotThere`."""
    stack = outputs_of(client_of, stage)
    configuration = client_of("lambda").get_function_configuration(FunctionName=stack["APIHandlerName"])
    written = configuration["Environment"]["Variables"][FORM_VARIABLE]
    lines = [f"{stack_name(stage)} writes form {written}; these sources read {', '.join(map(str, FORMS))}"]
    counted = count_forms(client_of("dynamodb"), stack["TableName"])
    return "\n".join(lines + [f"{kind:<7} form {form}: {number:,}" for (kind, form), number in sorted(counted.items())])


def main() -> int:
    stage = stage_parser("dev.deploy.forms", __doc__).parse_args().stage
    return in_a_line(lambda: described(boto3.client, stage))


if __name__ == "__main__":
    sys.exit(main())
