"""Exact arithmetic for agenthost, without eval and within bounds."""
