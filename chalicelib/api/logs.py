"""Structured logs: one JSON line per request and per sweep. They say what happened to whom, never with what: no token,
name, card, code or body. Of an error they have its types and places; its message, which may quote any of these, only
if the type is in `_REASONED`.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from chalicelib.api import metrics
from chalicelib.service import counters
from chalicelib.service.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chalicelib.service.clock.sweep import SweepReport
    from chalicelib.service.counters import Counters
    from chalicelib.service.errors import Failure

_EXTRAS = ("match_id", "player_id", "partition", "request_id", "method", "route")
"""What our records may have beside their message."""
_DEEPEST = 12
"""Places of an error that are told, the innermost ones."""
_REASONED = ("Unavailable", "NewerForm", "TryAgain", "KeysUnreadable", "BadSigningKeys", "Unreadable")
"""Names of errors whose text is a reason that we wrote: it quotes nothing that was sent or kept. By name, since a cold
start does not import the store for it."""
_OURS = "/chalicelib/"

_log = logging.getLogger(__name__)
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Lines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, dict):
            return _encode(record.msg)
        # Other libraries' arguments may be anything: only our own messages are told filled in.
        ours = record.name.startswith("chalicelib")
        line: dict[str, object] = {"event": record.getMessage() if ours else str(record.msg), "level": record.levelname}
        line |= {name: getattr(record, name) for name in _EXTRAS if hasattr(record, name)}
        error = record.exc_info[1] if record.exc_info else None
        return _encode(line if error is None else line | fault(error))


def begin() -> None:
    """Send every record of this process to standard output, as `Lines`; in place of what the Lambda runtime set up."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("chalicelib").setLevel(logging.INFO)


@dataclass(slots=True)
class RequestLog:
    """How a request ended, without anything that was sent or answered."""

    status: int = 0
    code: str | None = None
    """The problem's, if it is one."""
    match_id: str | None = None
    """The one that the path names, or else the one that the answer shows."""
    version: int | None = None
    events: int | None = None
    error: BaseException | None = None

    def answered(self, body: Mapping[str, Any] | str | None) -> None:
        """Of an answer: which match it shows, at which version, and the number of events."""
        if not isinstance(body, dict):
            return
        match = body.get("match", body)
        if "id" in match and "version" in match:
            self.match_id, self.version = self.match_id or match["id"], match["version"]
        if "events" in body:
            self.events = len(body["events"])

    def refused(self, failure: Failure) -> None:
        self.code = failure.code
        if isinstance(failure, TryAgain):
            self.error = failure
        if failure.current is not None:
            self.match_id, self.version = self.match_id or failure.current.id, failure.current.version

    def failed(self, code: str, error: BaseException) -> None:
        self.code, self.error = code, error


@contextmanager
def request(
    request_id: str, method: str, path: str, operation: str | None, match_id: str | None, *, cold: bool
) -> Iterator[RequestLog]:
    """Logs one line when the block ends, however it does. `path` is the route's template: the path itself may hold an
    invite's code; of its parameters only the match's id is logged. `cold`: the first request of its container."""
    began, log = time.perf_counter(), RequestLog(match_id=match_id)
    with counters.begun() as counts:
        try:
            yield log
        except Exception as error:
            log.status = 500  # as Chalice will answer
            log.failed("internal_error", error)
            raise
        finally:
            line: dict[str, object] = {"event": "request", "request_id": request_id, "method": method, "route": path}
            line |= {"status": log.status, "ms": _milliseconds(time.perf_counter() - began)}
            line |= _ended(log)
            if operation == "makeMove" and log.status == 200 and not counts.repeated_moves:
                line["moves"] = 1
                line["lost_races"] = 0  # so that each move is among those of which the alarm asks how many lost one
            if cold:
                line["cold_starts"] = 1
            level = logging.INFO if log.error is None else logging.ERROR
            _log.log(level, metrics.marked(line | _counts(counts)))


def _ended(log: RequestLog) -> dict[str, object]:
    known = {"code": log.code, "match_id": log.match_id, "version": log.version, "events": log.events}
    line: dict[str, object] = {name: value for name, value in known.items() if value is not None}
    return line if log.error is None else line | fault(log.error)


def swept(report: SweepReport, seconds: float, counts: Counters) -> None:
    """Logs the one line of a sweep."""
    line: dict[str, object] = {"event": "sweep", "ms": _milliseconds(seconds)}
    line |= {f"sweep_{name}": value for name, value in asdict(report).items()}
    _log.info(metrics.marked(line | _counts(counts)))


def sweep_failed(error: BaseException, seconds: float) -> None:
    """Logs the one line of a sweep that an error has ended."""
    _log.error({"event": "sweep", "ms": _milliseconds(seconds), **fault(error)})


def fault(error: BaseException) -> dict[str, object]:
    """Of what kinds an error and its causes are; where it arose: `place` is the innermost of our own lines, `where` all
    that lead to it; and `why`, where the error says so itself."""
    places = [_place(frame) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [place for place, is_ours in places if is_ours] or [place for place, _ in places]
    line: dict[str, object] = {"errors": [type(each).__name__ for each in _causes(error)]}
    if ours:
        line["place"] = ours[-1]
    if type(error).__name__ in _REASONED:
        line["why"] = str(error)
    return line | {"where": [place for place, _ in places[-_DEEPEST:]]}


def _place(frame: traceback.FrameSummary) -> tuple[str, bool]:
    """File, line and function, and whether they are the app's: its files are told by their folder too."""
    _, ours, inside = frame.filename.rpartition(_OURS)
    return f"{inside if ours else inside.rpartition('/')[2]}:{frame.lineno}:{frame.name}", bool(ours)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:  # an error may be raised from itself
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__


def _counts(counts: Counters) -> dict[str, object]:
    """Of the counters what is not nought."""
    line: dict[str, object] = {}
    if counts.lost_races:
        line["lost_races"] = counts.lost_races
    if counts.repeated_moves:
        line["repeated_moves"] = counts.repeated_moves
    if counts.bot_seconds:
        line["bot_ms"] = _milliseconds(counts.bot_seconds)
    return line


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
