"""A crowd that plays on a fake clock, and screens rebuilt from events alone."""
