"""Dates, times and IANA time zones for agenthost."""
