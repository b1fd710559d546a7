"""Benchmarks: ratios and counted work, each against a bar where it has one; `rows()` gives a module's figures."""
