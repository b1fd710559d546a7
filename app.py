"""The Chalice app: every path of the route table, the schedule, and nothing else."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

from chalice.app import Chalice, CloudWatchEvent, CORSConfig, Response

from chalicelib.api import logs, schedule
from chalicelib.api.dispatch import METHODS, respond
from chalicelib.api.routes import BASE, ROUTES, Route

# Its own logger would write errors with their words; as one of the root's its records become lines like all others.
app = Chalice(app_name="do-dooni", configure_logs=False)
app.api.binary_types = []  # every body is text; Chalice compares each answer's type with all of them
if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
    logs.begin()
    # What a cold start reads in is there to stay: to search it for garbage took a fifth of the first request's time.
    gc.set_threshold(50_000)

CORS = CORSConfig(
    allow_headers=["If-None-Match", "Idempotency-Key"],
    expose_headers=["ETag", "Location", "Retry-After", "Date"],
    max_age=24 * 60 * 60,
)


def _view(routes: Mapping[str, Route]) -> Callable[..., Response]:
    def view(**_parameters: Any) -> Response:
        return respond(app.current_request, routes)

    return view


for _path, _routes in groupby(sorted(ROUTES, key=attrgetter("path")), key=attrgetter("path")):
    # No content types: what a body must be is for the dispatcher to say, in a problem document.
    _by_method = {route.method: route for route in _routes}
    app.route(BASE + _path, methods=list(METHODS), content_types=[], cors=CORS)(_view(_by_method))


@app.schedule("rate(1 minute)")
def sweep(event: CloudWatchEvent) -> None:
    """Play on what is overdue."""
    schedule.run(event.context)
