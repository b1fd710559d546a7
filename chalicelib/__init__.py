"""The product: see docs/architecture.md for its rooms."""
