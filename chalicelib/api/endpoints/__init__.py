"""What each operation does: parse (done before), one call of a use case, an answer.

The docstrings are the contract's prose: the first line is the summary. Use cases are imported where they are called,
since a cold start compiles what is imported: a container's first answer waits for no more than it needs.
"""
