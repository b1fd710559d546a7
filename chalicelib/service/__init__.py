"""The use cases of Do Dooni: what a player may do, told in the words of the game. Knows storage only as a protocol."""
