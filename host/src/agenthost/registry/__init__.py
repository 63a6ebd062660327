"""What the installed plugins contribute: found, asked, written down, and loaded when used."""
