"""The faults: each is one piece of text put in place of another, in one file of the app."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Mutation(NamedTuple):
    """One fault."""

    what: str
    file: str
    old: str
    new: str

    def apply(self, root: Path) -> str:
        """Put it into the tree at `root`, and give the file's text as it was. ValueError if the place is not found."""
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {text.count(self.old)} times, not once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return text


DISPATCH, MATCHES = "chalicelib/api/dispatch.py", "chalicelib/api/endpoints/matches.py"

MUTATIONS = (
    Mutation("a read has no ETag", DISPATCH, 'headers["ETag"] = etag\n', "pass\n"),
    Mutation(
        "a write has no ETag",
        MATCHES,
        'return Answer(present.update(outcome), {"ETag": outcome.view.etag})',
        "return Answer(present.update(outcome))",
    ),
    Mutation(
        "an ETag that is not the view's is taken for it",
        "chalicelib/api/conditional.py",
        "if if_none_match == etag:",
        "if if_none_match.startswith('\"'):",
    ),
    Mutation(
        "a status that is not declared",
        DISPATCH,
        'return Response("", headers, route.status)',
        'return Response("", headers, 202)',
    ),
    Mutation(
        "a code that is not declared",
        "chalicelib/service/play/moves.py",
        'WrongState("match_not_started"',
        'WrongState("match_not_waiting"',
    ),
    Mutation(
        "a move beyond the next is made",
        "chalicelib/service/play/moves.py",
        "if number > next_move:",
        "if number > next_move + 1:",
    ),
    Mutation(
        "another move at a number that is made is taken for a repetition",
        "chalicelib/service/play/moves.py",
        "if codes[index] != move.code or ",
        "if ",
    ),
    Mutation(
        "a member is renamed", "chalicelib/api/present.py", '"next_move": view.next_move', '"nextMove": view.next_move'
    ),
    Mutation(
        "a member that does not apply is null",
        "chalicelib/api/present.py",
        '    if view.turn is not None:\n        shown["turn"] = SEAT_TEXT[view.turn]',
        '    shown["turn"] = None if view.turn is None else SEAT_TEXT[view.turn]',
    ),
    Mutation(
        "an unknown member of a body is passed over",
        "chalicelib/api/fields.py",
        "unknown = RAISE",
        'unknown = "exclude"',
    ),
    Mutation(
        "a truth is taken for a number",
        "chalicelib/api/fields.py",
        "if type(value) is not int:",
        "if not isinstance(value, int):",
    ),
    Mutation(
        "a name twice in a body is passed over",
        "chalicelib/api/strict_json.py",
        "if len(value) < len(pairs):",
        "if len(value) < 0:",
    ),
    Mutation(
        "a refusal has no `current`",
        DISPATCH,
        "response = failure(refused.code, params, request_id, headers, current=current)",
        "response = failure(refused.code, params, request_id, headers)",
    ),
    Mutation(
        "who calls is asked before whether the body can be read",
        DISPATCH,
        "        if route.body is not None and sent:\n            bodies.check",
        "        if not route.for_all:\n"
        '            self.keys.caller(headers.get("authorization"), self.services.now())\n'
        "        if route.body is not None and sent:\n            bodies.check",
    ),
    Mutation("an expired token is good", "chalicelib/api/auth.py", "if expires <= now:", "if expires <= 0:"),
    Mutation(
        "a cursor of somebody else's is good",
        "chalicelib/api/cursors.py",
        "if not genuine or _encoded(raw) != cursor:",
        "if _encoded(raw) != cursor:",
    ),
    Mutation(
        "the same key with another body finds the first match",
        "chalicelib/service/tables/matches.py",
        "if table.match.request_digest != asked.digest:",
        "if not table.match.request_digest:",
    ),
    Mutation(
        "a limit that is reached does not say for how long",
        "chalicelib/api/limits.py",
        ', headers={"Retry-After": str(wait)}',
        "",
    ),
    Mutation(
        "everybody is told north's hand",
        "chalicelib/match/narrator.py",
        "engine.deal_started(deal, viewer)",
        "engine.deal_started(deal, engine.Seat.NORTH)",
    ),
)
