"""Effects of a run beyond its results."""
