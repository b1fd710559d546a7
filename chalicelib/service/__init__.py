"""The use cases of Do Dooni: what a player can do, in the words of the game. Storage is known only as a protocol."""
