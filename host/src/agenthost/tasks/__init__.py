"""The loop: what is asked for next, and who carries it out."""
