"""What the contract tells a newcomer. `INFO` is short, since generators put it at the head of every file."""

from __future__ import annotations

import re
from pathlib import Path

INFO = (
    "Do Dooni is a card game for four in two pairs. This API deals, judges every move, and shows each player what "
    "their seat may see. How to begin is told with the tag Matches, how a turn works with Play, errors and what may "
    "change with Service."
)


def _sections() -> dict[str, str]:
    text = Path(__file__).with_name("tags.md").read_text(encoding="utf-8")
    parts = re.split(r"^# (\w+)$", text, flags=re.MULTILINE)
    return {name: part.strip() for name, part in zip(parts[1::2], parts[2::2], strict=True)}


TAGS = _sections()
"""Tag → what is told of it, in the contract's order."""
