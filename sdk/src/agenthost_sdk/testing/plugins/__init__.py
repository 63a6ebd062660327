"""Look at a plugin as a whole: find it, watch its import, read what it contributes."""
