"""Run in a cell: clocks, dates, identifiers and random values that are the same in each run."""
