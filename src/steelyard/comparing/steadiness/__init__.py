"""A world that answers two runs alike."""
