"""Begin a new plugin: its files, written from templates."""
