"""What a model is shown before the conversation of a run begins."""
