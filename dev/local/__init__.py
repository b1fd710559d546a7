"""The API on one's own machine: a store, and the app behind a gateway that behaves as the deployed one."""
