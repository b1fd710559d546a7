"""What only developers run: the local server, the terminal client, benchmarks, tools."""
