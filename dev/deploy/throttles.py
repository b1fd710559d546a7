"""The stage's throttle, and the tighter ones of operations that need no token or answer at length.

Without a share of their own, anybody could have a stage's whole rate spent on the dearest of them.
"""

from __future__ import annotations

from typing import Any

from chalicelib.api.routes import BASE, ROUTES

SHARES = {"createPlayer": 0.05, "createTokens": 0.2, "getHealth": 0.02, "exportMe": 0.02, "getInvite": 0.1}
"""Operation → its share of the stage's requests a second, and of its burst."""

Settings = dict[str, Any]


def method_settings(stage: Settings) -> list[Settings]:
    """`stage`, the setting of all methods, and behind it one for each operation with a share.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-apigateway-stage-methodsetting.html
    """
    return [
        stage,
        *(
            _setting(method, route.path, stage, SHARES[route.operation_id])
            for route in ROUTES
            if route.operation_id in SHARES
            # HEAD does the work of a GET, and the gateway counts it apart.
            for method in ((route.method, "HEAD") if route.method == "GET" else (route.method,))
        ),
    ]


def _setting(method: str, path: str, stage: Settings, share: float) -> Settings:
    return {
        "HttpMethod": method,
        "ResourcePath": "/" + (BASE + path).replace("/", "~1"),
        "ThrottlingRateLimit": max(1, round(stage["ThrottlingRateLimit"] * share)),
        "ThrottlingBurstLimit": max(1, round(stage["ThrottlingBurstLimit"] * share)),
    }
