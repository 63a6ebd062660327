"""What a task remembers of its earlier runs, and shows the model of them."""
