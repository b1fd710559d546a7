"""Many matches at once, for long, against an API whose store fails at random: nothing lost, nothing doubled."""
