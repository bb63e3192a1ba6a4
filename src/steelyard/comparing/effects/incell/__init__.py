"""Run in a cell: note files, state of modules and classes, streams and the process around."""
