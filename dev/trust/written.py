"""What this process logs and prints: nobody's secrets may be in it."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from dev.trust.loud import heard_by

_VARIES = re.compile(r"""(["'](?:\w+_)?ms["']: ?)[0-9.]+|(["']Timestamp["']: ?)\d+|, ?["']cold_starts["']: ?1""")
"""What differs from one run to the next by itself."""


class _Lines(logging.Handler):
    """Every record of every logger, with all that hangs on it, but for times and places that differ anyway."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self._formatter = logging.Formatter()
        self._plain = frozenset(vars(logging.makeLogRecord({})))

    def emit(self, record: logging.LogRecord) -> None:
        extra = {name: value for name, value in vars(record).items() if name not in self._plain and name != "message"}
        told = self._formatter.formatException(record.exc_info) if record.exc_info else ""
        self.lines.append(f"{record.name} {record.levelname} {record.getMessage()} {extra or ''} {told}")


@contextmanager
def written() -> Iterator[list[str]]:
    """Within the `with`, what is logged (from DEBUG on) and printed is gathered; complete after it."""
    handler, printed = _Lines(), io.StringIO()
    try:
        with heard_by(handler), redirect_stdout(printed), redirect_stderr(printed):
            yield handler.lines
    finally:
        handler.lines += printed.getvalue().splitlines()
        handler.lines[:] = [_VARIES.sub(r"\1\2", line) for line in handler.lines]
