"""One run in a cell: the project laid out, the function watched, its tests or calls carried out."""
