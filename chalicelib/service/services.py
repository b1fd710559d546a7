"""What every use case works with: the store, the clock, randomness, and the ids and codes made from it."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.match.transition import Transition
from chalicelib.service import bots

if TYPE_CHECKING:
    from chalicelib.engine import Deal, Move
    from chalicelib.match.model import Match
    from chalicelib.service.ports import Store

ID_BYTES = 12
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 signs, 5 bits each, none of which is taken for another in print (no 0, O, 1, I)."""
_LOOK_ALIKES = str.maketrans("0O1I", "QQLL")
"""What people type for the signs that look like them: no code has any of these four."""
CODE_LENGTH = 8


def _epoch_seconds() -> int:
    return int(time.time())


@dataclass(frozen=True, slots=True)
class Services:
    """The surroundings of a use case. `now` gives whole seconds since the epoch."""

    store: Store
    now: Callable[[], int] = _epoch_seconds
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    choose: Callable[[Match, Deal], Move] = bots.choose
    """The move of the bot whose turn it is."""

    def transition(self, match: Match, *, deal: Deal | None = None, new: bool = False) -> Transition:
        """A write of a match, as read, that happens now."""
        return Transition(match, self.now(), deal=deal, new=new, choose=self.choose)

    def new_id(self) -> str:
        """An opaque id: 96 random bits as 16 characters (RFC 4648 §5)."""
        return id_text(self.random_bytes(ID_BYTES))

    def new_code(self, length: int = CODE_LENGTH) -> str:
        """A code that can be read aloud over the phone, of five random bits a sign."""
        number = int.from_bytes(self.random_bytes(-(-5 * length // 8)), "big")
        return "".join(CODE_ALPHABET[number >> 5 * place & 31] for place in range(length))


def id_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii")


def derived_id(*parts: str) -> str:
    """The one id that follows from these texts: asked for twice, it is the same (Idempotency-Key, rematch)."""
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return id_text(digest[:ID_BYTES])


def plain_code(typed: str) -> str:
    """A code of any kind as it is kept, from what somebody typed or pasted.

    Only letters and digits count, small and fullwidth letters and every script's digits included. Spaces, dashes, dots
    and invisible characters are ignored, and look-alikes are read as the sign that codes have.
    """
    signs = (sign for sign in unicodedata.normalize("NFKC", typed) if sign.isalnum())
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in signs).upper().translate(_LOOK_ALIKES)
