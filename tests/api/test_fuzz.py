"""The contract attacked for a short while; `make fuzz` does it for long."""

from __future__ import annotations

from dev.fuzz.attack import Target


def test_nothing_is_found() -> None:
    """No 5xx, no undocumented status or header, no answer off its schema, no ignored auth, no wrong data accepted; in
    sequence what is made is found, and what is gone is gone."""
    target = Target()
    assert {} == target.attack(3, 10, 20, lambda _what, _requests: None)
    assert target.answers.total() > 400
    assert target.answers["GET", "/matches/{match_id}", 200]
    assert target.answers["PUT", "/matches/{match_id}/moves/{move_number}", 200]
