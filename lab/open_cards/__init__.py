"""Open cards: positions solved and played out, compiled by numba. For the arena only: the product has no numba."""
