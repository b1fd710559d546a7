"""Metrics in CloudWatch's embedded metric format: a log line that says which of its values are to be counted.

No dimensions: a metric with them is another metric, and each is paid for by the month.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMESPACE_VARIABLE = "DO_DOONI_METRICS"
"""The namespace, one a stage. Without it nothing is marked as a metric."""
UNITS: Mapping[str, str] = {
    "moves": "Count",
    "repeated_moves": "Count",
    "lost_races": "Count",
    "bot_ms": "Milliseconds",
    "cold_starts": "Count",
    "sweep_seen": "Count",
    "sweep_failed": "Count",
    "sweep_lag": "Seconds",
}
"""Every metric there is, with its unit."""


def marked(line: Mapping[str, object]) -> dict[str, object]:
    """The line, with those of its values marked that are metrics (the format's `_aws` member)."""
    names = [name for name in UNITS if name in line]
    namespace = os.environ.get(NAMESPACE_VARIABLE)
    if not names or not namespace:
        return dict(line)
    metrics = [{"Name": name, "Unit": UNITS[name]} for name in names]
    directive = {
        "Timestamp": int(time.time() * 1000),
        "CloudWatchMetrics": [{"Namespace": namespace, "Dimensions": [[]], "Metrics": metrics}],
    }
    return {**line, "_aws": directive}
