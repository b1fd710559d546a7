"""Everything that is logged, whatever levels the process has set before."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def heard_by(handler: logging.Handler) -> Iterator[None]:
    """Within the `with`, the handler gets every record from DEBUG on, of the root and of each of our own loggers."""
    root = logging.getLogger()
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("chalicelib", "do-dooni")]
    loggers = [root, *map(logging.getLogger, names)]
    before = [(logger, logger.level, logger.disabled) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.disabled = False
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        for logger, level, disabled in before:
            logger.setLevel(level)
            logger.disabled = disabled
