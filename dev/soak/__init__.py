"""`make soak MINUTES=10`: many matches at once, for long, with random faults on: nothing lost, nothing doubled."""
