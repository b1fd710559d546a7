"""As much of CloudWatch Logs Insights as docs/operations.md uses, as SQL on lines that the app wrote. As there, members
of objects and lists are fields of their own: `where.0`."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

Row = dict[str, Any]
_COMMANDS = {"fields": "SELECT", "stats": "SELECT", "filter": "WHERE", "sort": "ORDER BY", "limit": "LIMIT"}
_WORD = re.compile(r'"([^"]*)"|(?<![\w.])([A-Za-z_@][\w@.]*)(?!\w*\()')
_KEYWORDS = ("and", "as", "desc")


class _Percentile:
    def __init__(self) -> None:
        self._values: list[float] = []

    def step(self, value: float, percent: float) -> None:
        self._values.append(value)
        self._percent = percent

    def finalize(self) -> float:
        return sorted(self._values)[min(len(self._values) - 1, int(len(self._values) * self._percent / 100))]


def queries(page: str) -> list[str]:
    """The queries of a Markdown page: its indented lines that begin with a command."""
    return re.findall(rf"^    ((?:{'|'.join(_COMMANDS)}) .+)$", page, re.MULTILINE)


def run(query: str, lines: Iterable[str]) -> list[Row]:
    """The rows that a query gives. Raises ValueError or sqlite3.OperationalError for what is not understood."""
    rows = [dict(_flat(json.loads(line))) for line in lines]
    columns = {name: None for row in rows for name in row}

    def sql(match: re.Match[str]) -> str:
        text, name = match.groups()
        if name is None:
            return f"'{text}'"
        if name in _KEYWORDS:
            return name
        columns.setdefault(name)
        return f'"{name}"'

    parts = {"SELECT": "*", "FROM": "lines", "WHERE": "true", "GROUP BY": "", "ORDER BY": "", "LIMIT": ""}
    for command in re.split(r"\s*\|\s*", query):
        name, _, rest = command.partition(" ")
        if name not in _COMMANDS:
            raise ValueError(f"no such command: {name}")
        rest, _, parts["GROUP BY"] = rest.partition(" by ") if name == "stats" else (rest, "", parts["GROUP BY"])
        if _COMMANDS[name] == "SELECT":
            by = f", {parts['GROUP BY']}" if parts["GROUP BY"] else ""
            shown = [part.strip() for part in re.split(r",(?![^(]*\))", rest + by)]
            parts["SELECT"] = ", ".join(
                _WORD.sub(sql, one) + ("" if " as " in one else f' AS "{one}"') for one in shown
            )
        else:
            parts[_COMMANDS[name]] = _WORD.sub(sql, rest)
    parts["GROUP BY"] = _WORD.sub(sql, parts["GROUP BY"])
    with sqlite3.connect(":memory:") as database:
        database.row_factory = sqlite3.Row
        database.create_aggregate("pct", 2, _Percentile)  # type: ignore[arg-type]
        database.create_function("ispresent", 1, lambda value: value is not None)
        names = ", ".join(f'"{name}"' for name in columns)
        database.execute(f"CREATE TABLE lines ({names})")
        values = ([row.get(name) for name in columns] for row in rows)
        database.executemany(f"INSERT INTO lines VALUES ({', '.join('?' * len(columns))})", values)
        order = ("SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT")
        parts["FROM"] = "lines"
        return [
            dict(row) for row in database.execute(" ".join(f"{part} {parts[part]}" for part in order if parts[part]))
        ]


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(member, f"{name}.{key}" if name else str(key))
    else:
        yield name, value
