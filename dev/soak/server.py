"""The local API with a share of its calls to the store failing: `python -m dev.soak.server SHARE …`."""

from __future__ import annotations

import sys
import time

from dev.local.__main__ import main
from dev.trust.store_faults import fail_at_random

if __name__ == "__main__":
    fail_at_random(float(sys.argv.pop(1)), int(time.time()), patience=1.0)
    sys.exit(main())
