"""The pure-Python cell: does what cell.c does, on machines where no C compiler built it.

It uses the protocol of _wire.py, and makes the same namespaces, file view, seccomp filter and
limits; cell.c explains the reason for each step. All differences have one cause: a candidate
that is forked from Python starts as a copy of Python.

- A run costs about two milliseconds more: the fork, the copy's own work, and its replacement by
  the program. Clocks and CPU time begin just before the replacement, so half a millisecond
  of it, in which the kernel removes the copy, is still in the program's figures.
- The control group's peak begins when the program has replaced the copy. What the program used
  before the cell noticed the replacement counts from 2 MiB on.
- `ru_maxrss` starts at the size of the copy, the floor (about 11 MiB). Above the floor it is the
  program's own; below, it means nothing and is not reported. If a control group counts the
  peak, the peak is the figure. If none does, the figure is the largest of the samples taken
  while the program ran: a lower bound, near 0 for a program that ends within a millisecond.

Only _pycell.py imports it, and it may import only the standard library.
"""
