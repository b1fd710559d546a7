"""What the contract says beside the route table and the request schemas: answers, prose and examples."""
