"""A terminal client: plays a match over HTTP as a phone would, from the public contract alone."""
