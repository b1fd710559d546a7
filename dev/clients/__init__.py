"""Clients generated from the contract, as a mobile developer would: `python -m dev.clients`, into build/clients."""
