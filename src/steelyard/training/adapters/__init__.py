"""One module for each trainer or environment; none imports its framework before it is used."""
