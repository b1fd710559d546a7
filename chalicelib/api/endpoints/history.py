"""What has happened: the numbered feed, and finished deals."""

from __future__ import annotations

from chalicelib.api import present
from chalicelib.api.http import Answer, Request
from chalicelib.api.present_deal import DEAL_RECORD
from chalicelib.service.play import history


def list_events(request: Request) -> Answer:
    """Follow a match: its events after a version.

    Pass the `version` of your view (or of the page before) as `after`, and wait `poll_after_seconds` between two
    requests: a fraction of a second while moves come quickly, a minute when nothing happens. If nothing is new, `items`
    is empty. `more` means that the next page is there already. With `view=true`, new events come with your view
    (`match`), so that you need one request per change.
    """
    query = request.query
    match_id, after, limit = request.path["match_id"], query["after"], query["limit"]
    feed = history.feed(request.services, request.player_id, match_id, after, limit, view=query["view"])
    return Answer(present.EVENT_PAGE(feed))


def get_deal(request: Request) -> Answer:
    """See a whole finished deal.

    All four hands, every move, and the secrets with which anyone can check that the cards were not steered.
    """
    path = request.path
    record = history.deal_record(request.services, request.player_id, path["match_id"], path["deal_number"])
    return Answer(DEAL_RECORD(record))
