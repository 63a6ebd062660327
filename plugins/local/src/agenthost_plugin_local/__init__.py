"""A small model that runs on this machine, for agenthost; no key needed."""
