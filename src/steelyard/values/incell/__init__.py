"""Run in cells: snapshots of live objects. Plain modules without dependencies."""
