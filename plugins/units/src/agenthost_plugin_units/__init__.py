"""Unit conversion for agenthost."""
