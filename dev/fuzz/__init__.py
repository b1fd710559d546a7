"""The API attacked from outside: requests that schemathesis makes of the contract, in-process, every answer checked."""
