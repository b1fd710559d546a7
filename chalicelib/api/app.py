"""The Chalice app, made from what it is given: several may live side by side in one process."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from chalice.app import Chalice, CORSConfig, Response

from chalicelib.api.dispatch import METHODS, Dispatcher
from chalicelib.api.routes import BASE, ROUTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chalicelib.api.auth import Keys
    from chalicelib.api.route import Route
    from chalicelib.service.services import Services

CORS = CORSConfig(
    allow_headers=["If-None-Match", "Idempotency-Key"],
    expose_headers=["ETag", "Location", "Retry-After", "Date"],
    max_age=24 * 60 * 60,
)


def create_app(services: Services, keys: Keys, *, rate_factor: float = 1.0, front_door: str = "") -> Chalice:
    """An app with every path of the route table.

    `rate_factor` multiplies the rate limits (0 counts nothing); `front_door` is the secret by which the front door's
    word about the caller's address is believed.
    """
    # Its own logger would write errors with their words; as one of the root's its records become lines like all others.
    app = Chalice(app_name="do-dooni", configure_logs=False)
    app.api.binary_types = []  # every body is text; Chalice compares each answer's type with all of them
    dispatcher = Dispatcher(services, keys, rate_factor, front_door)

    def view_of(routes: Mapping[str, Route]) -> Callable[..., Response]:
        def view(**_parameters: Any) -> Response:
            return dispatcher.respond(app.current_request, routes)

        return view

    for path, routes in groupby(sorted(ROUTES, key=attrgetter("path")), key=attrgetter("path")):
        # No content types: what a body must be is for the dispatcher to say, in a problem document.
        view = view_of({route.method: route for route in routes})
        app.route(BASE + path, methods=list(METHODS), content_types=[], cors=CORS)(view)
    return app
