"""How many bytes an item counts for, by DynamoDB's published rules ("DynamoDB item sizes and formats").

A write of up to 1,024 bytes costs one write unit, a consistent read of up to 4,096 one read unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_FOR_ONE_WRITE_UNIT = 1_024


def item_size(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Bytes of an item in the server's own notation, `{"sk": {"S": "match"}, …}`: names and values both count."""
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(value: Mapping[str, Any]) -> int:
    match value:
        case {"S": str(text)}:
            return len(text.encode())
        case {"B": bytes(raw)}:
            return len(raw)
        case {"N": str(number)}:
            # Two significant digits a byte, without the zeros at either end, and one byte more (one again for a minus).
            digits = number.lstrip("-").replace(".", "").strip("0")
            return (len(digits) + 1) // 2 + 1 + number.startswith("-")
        case {"BOOL": bool()} | {"NULL": bool()}:
            return 1
    raise ValueError(f"no rule for {sorted(value)}")
