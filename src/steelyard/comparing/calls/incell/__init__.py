"""Run in a cell: make calls, change them, and look for the smallest that differs."""
