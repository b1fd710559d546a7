"""Benchmarks: ratios measured in one run, each against a bar. A module here with a function `rows()` is one of them."""
