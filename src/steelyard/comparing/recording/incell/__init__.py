"""Run in a cell: load a version of the function, and tell its tests and calls."""
