"""From a match to the cards of its deals: the shuffle and the replay of the log."""

from __future__ import annotations

import functools

from chalicelib import engine
from chalicelib.engine import Deal, Seat, commitment, deal_secret, replay, shuffle
from chalicelib.match.model import ClosedDeal, Match, Status


def secret_of(match: Match, number: int) -> bytes:
    return deal_secret(match.secret, number)


def commitments(match: Match) -> tuple[str, ...]:
    """Of every deal of the match, in hex: shown from the moment the match exists."""
    return commitments_of(match.secret, match.rules.deals)


@functools.lru_cache(maxsize=256)
def commitments_of(secret: bytes, deals: int) -> tuple[str, ...]:
    # Part of every view, and the same throughout a match.
    return tuple(commitment(deal_secret(secret, number)) for number in range(1, deals + 1))


def opener_of(match: Match, number: int) -> Seat:
    """R5: drawn with the first deal's shuffle, then one seat on with every deal."""
    first = match.first_opener
    if first is None:
        first = shuffle(secret_of(match, 1), match.client_digest).opener
    return engine.opener_of(first, number)


def number_of(record: ClosedDeal | Match) -> int:
    """The number of a deal that is over, or of the running one."""
    return record.number if isinstance(record, ClosedDeal) else record.deal


def deal_at_start(match: Match, number: int) -> Deal:
    """A deal before its first move."""
    dealt = shuffle(secret_of(match, number), match.client_digest)
    return Deal.start(dealt.hands, opener_of(match, number), match.rules.after_bank)


def as_played(match: Match, record: ClosedDeal | Match, moves: int | None = None) -> Deal:
    """A deal as it ended, or the match's running one as it stands; or either after so many of its moves."""
    number = number_of(record)
    dealt = shuffle(secret_of(match, number), match.client_digest)
    return replay(dealt.hands, opener_of(match, number), match.rules.after_bank, record.log.codes()[:moves])


def next_move_number(match: Match, deal: Deal | None) -> int:
    """The number in the match of the move that comes next in the running deal; None: there is none."""
    return match.base_move + 1 + (len(deal.codes) if deal is not None else 0)


def running_deal(match: Match) -> Deal | None:
    """The running deal as it stands; None before the start and after the end."""
    return as_played(match, match) if match.status is Status.PLAYING else None
