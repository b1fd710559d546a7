"""What each operation does: parse (done before), one call of a use case, an answer.

The docstrings are the contract's prose: the first line is the summary.
"""
