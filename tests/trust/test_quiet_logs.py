"""What is written down of all this."""

from __future__ import annotations

from dev.trust.quiet import found_in, quiet_log


def test_nothing_secret_is_logged() -> None:
    """No token, name, code, seed or card is in any log line, not even where the store fails and quotes them."""
    tally = quiet_log(2)
    assert [] == tally.broken
    assert tally.tried > 300


def test_a_secret_in_a_line_is_found() -> None:
    """The search itself finds what it is for."""
    assert 2 == len(list(found_in(['{"event":"x","name":"Asha","card":"AS"}', "quiet"], {"Asha"})))
