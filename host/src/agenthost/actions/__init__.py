"""What becomes of an action: resolved, validated, permitted, run."""
