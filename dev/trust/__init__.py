"""The promises of the game, attacked: nothing leaks, nothing is lost, nobody gets in.

Each promise is a function that tries to break it a number of times and keeps a tally. `tests/trust` calls them with
small counts, `make trust` (`python -m dev.trust`) with large ones, one line a promise.
"""
