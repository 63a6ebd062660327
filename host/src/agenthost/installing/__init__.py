"""Change which plugins are installed, with the installer that fits the environment."""
