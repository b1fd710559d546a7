"""Sets: the same deals for everybody, as a challenge or the day's."""

from __future__ import annotations

from chalicelib.api import present_sets as present
from chalicelib.api.endpoints.matches import updated
from chalicelib.api.http import Answer, Request
from chalicelib.service.sets import entries, making, results


def create_set(request: Request) -> Answer:
    """Challenge others to a match that you have finished.

    A match that you have played alone with bots, without a clock, spectators or `take_over`, becomes a set: pass on its
    `code`. Whoever enters gets your cards, in your seat, against the same bots. A match makes one set, so this can be
    repeated. From an entry it is the set of the entry; of a daily only once that has run out (`set_still_open`).
    """
    services, player_id = request.services, request.player_id
    deal_set = making.challenge(services, player_id, request.body["match_id"])
    return Answer(present.DEAL_SET(results.set_view(services, player_id, deal_set)))


def get_daily_set(request: Request) -> Answer:
    """See today's set, the same for everybody.

    A day is one of UTC. The set is entered until it closes, and played until `due_at`; what is unfinished then is not
    ranked. `next_commitments` are tomorrow's: the cards of a day are fixed before it begins.
    """
    return Answer(present.DEAL_SET(results.read_daily(request.services, request.player_id)))


def get_set(request: Request) -> Answer:
    """See a set, and how you stand to it.

    It is sealed: `deals` has your own results and par of the deals that you have finished, and what others have made of
    the set is there once you have finished all of it. Of a set that has run out everybody may see everything.
    """
    return Answer(present.DEAL_SET(results.read(request.services, request.player_id, request.path["set_id"])))


def enter_set(request: Request) -> Answer:
    """Play a set: the answer is your entry, a match like any other.

    Everybody enters once: repeating it answers with the same match, as it stands. Whoever made a challenge has their
    own match for an entry. You play it with `makeMove`; nobody else can sit down or look on, and there is no clock. If
    you leave it, it is given up, and stays so.
    """
    return updated(entries.enter(request.services, request.player_id, request.path["set_id"]))


def list_set_results(request: Request) -> Answer:
    """See what those who share a challenge have made of it, by name.

    The best 100, once you have finished it yourself (`set_sealed`). Of a daily nobody's name is told: `items` is empty.
    """
    return Answer(present.results(results.by_name(request.services, request.player_id, request.path["set_id"])))
