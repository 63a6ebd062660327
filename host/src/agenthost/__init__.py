"""A plugin-based host for the tools of LLM agents."""
