"""What attacks need: this process prepared to reach a store of its own."""

from __future__ import annotations

from dev.trust.surroundings import prepare

prepare()
