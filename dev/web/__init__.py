"""The page: its files, how they are served, and whether they are up to date with their sources."""
