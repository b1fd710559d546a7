"""Packaging and deploying: the commands of `python -m dev.deploy`, which the Makefile's targets run."""


class CommandFailed(Exception):
    """A command cannot do what it is asked to, or it would do harm. Says why."""
