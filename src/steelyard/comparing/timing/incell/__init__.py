"""Run in a cell: time both versions."""
