"""Counting and changing text for agenthost."""
