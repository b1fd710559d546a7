"""Proofs in a real browser: people play on the page that `make run` serves, and nothing goes wrong."""
