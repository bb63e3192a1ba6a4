"""Run in a cell: the records that all rooms here share with the host."""
