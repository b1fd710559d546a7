"""The arena: duplicate matches between ways to play, and what they show. `python -m lab --help`."""
