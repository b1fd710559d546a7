"""As much of CloudWatch Logs Insights as docs/operations.md uses, to run its queries on lines that the app wrote.

Commands: fields, filter, stats … by …, sort, limit. A filter compares fields with texts and numbers (=, !=, >, >=, <,
<=), asks `ispresent`, and joins such with `and`. Of stats there are count(*), pct, sum, avg, min and max, perhaps named
with `as`. As there, members of objects and lists are fields of their own: `where.0`.
"""

from __future__ import annotations

import json
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

Row = dict[str, Any]
_COMPARED = re.compile(r"([\w@.]+)\s*(!=|>=|<=|=|>|<)\s*(.+)")
_PRESENT = re.compile(r"ispresent\(([\w@.]+)\)")
_STATISTIC = re.compile(r"(count|pct|sum|avg|min|max)\(([^)]*)\)")
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def queries(page: str) -> list[str]:
    """The queries of a Markdown page: its indented lines that begin with a command."""
    lines = [line[4:] for line in page.splitlines() if line.startswith("    ")]
    return [line for line in lines if re.match(r"(fields|filter|stats) ", line)]


def run(query: str, lines: Iterable[str]) -> list[Row]:
    """The rows that a query gives. Raises ValueError for what is not understood."""
    rows = [_flat(json.loads(line)) for line in lines]
    shown: list[str] | None = None
    for command in re.split(r"\s*\|\s*", query.strip()):
        name, _, rest = command.partition(" ")
        match name:
            case "fields":
                shown = _listed(rest)
            case "filter":
                rows = [row for row in rows if all(_holds(row, each) for each in re.split(r"\s+and\s+", rest))]
            case "stats":
                rows, shown = _stats(rows, rest), None
            case "sort":
                field, _, order = rest.partition(" ")
                rows.sort(key=lambda row: row.get(field, 0), reverse=order == "desc")
            case "limit":
                rows = rows[: int(rest)]
            case _:
                raise ValueError(f"no such command: {name}")
    return rows if shown is None else [{field: row.get(field) for field in shown} for row in rows]


def _flat(value: Any, name: str = "") -> Row:
    if isinstance(value, dict):
        members: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        return {name: value}
    inner = (_flat(member, f"{name}.{key}" if name else str(key)) for key, member in members)
    return {key: member for each in inner for key, member in each.items()}


def _listed(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^(]*\))", text)]


def _holds(row: Row, condition: str) -> bool:
    if present := _PRESENT.fullmatch(condition):
        return present[1] in row
    compared = _COMPARED.fullmatch(condition)
    if compared is None:
        raise ValueError(f"no condition: {condition}")
    field, sign, literal = compared.groups()
    return field in row and _OPERATORS[sign](row[field], json.loads(literal))


def _stats(rows: list[Row], text: str) -> list[Row]:
    wanted, _, by = text.partition(" by ")
    fields = _listed(by) if by else []
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row.get(field) for field in fields)].append(row)
    found = []
    for key, group in groups.items():
        row = dict(zip(fields, key, strict=True))
        for asked in _listed(wanted):
            statistic, _, name = asked.partition(" as ")
            row[name or statistic] = _statistic(statistic, group)
        found.append(row)
    return found


def _statistic(text: str, rows: list[Row]) -> float:
    asked = _STATISTIC.fullmatch(text)
    if asked is None:
        raise ValueError(f"no statistic: {text}")
    name, (field, *more) = asked[1], _listed(asked[2])
    if name == "count":
        return len(rows)
    values = sorted(row[field] for row in rows if field in row)
    if name == "pct":
        return float(values[min(len(values) - 1, int(len(values) * float(more[0]) / 100))])
    of: dict[str, Callable[[list[Any]], float]] = {"sum": sum, "min": min, "max": max, "avg": lambda v: sum(v) / len(v)}
    return of[name](values)
