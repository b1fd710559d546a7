"""Packaging and deploying: what `make package`, `make deploy` and their kin run."""
