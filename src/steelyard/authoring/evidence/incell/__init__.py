"""Run programs in a cell so that they show what they do. These modules become a program there."""
