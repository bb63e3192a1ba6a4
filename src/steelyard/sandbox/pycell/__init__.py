"""The pure-Python cell: what cell.c does, for machines where no C compiler built it.

It speaks the protocol of _wire.py, and makes the same namespaces, file view, seccomp filter and
limits; cell.c explains why each step is as it is. What differs comes from one thing: a candidate
that is forked from Python starts as a copy of Python.

- A run costs about two milliseconds more: the fork, the copy's own work, and its replacement by
  the program. Clocks and CPU time begin just before that replacement, so that half a millisecond
  of it, in which the kernel takes the copy down, is still in the program's figures.
- The control group's peak begins when the program has replaced the copy. What the program used
  before the cell was woken to that counts from 2 MiB on.
- `ru_maxrss` starts at the size of the copy, the floor (about 11 MiB). Above the floor it is the
  program's own; below, it says nothing and is not reported. Where a control group counts the
  peak, that is the figure. Where none does, it is the largest of the samples that were taken
  while the program ran: a lower bound, and near 0 for one that ends within a millisecond.

Imported by _pycell.py alone, and only the standard library is at hand here.
"""
