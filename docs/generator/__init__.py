"""Make the pages of the reference: a module for each kind of page."""
