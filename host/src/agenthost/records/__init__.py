"""What is kept of a run: its events, and who hears of them."""
