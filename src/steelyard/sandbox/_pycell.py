"""Start the pure-Python cell: `python -I -S -B _pycell.py`, with the pool as descriptor 3.

An interpreter that sees only the standard library runs this file as a script. The modules
that it shares with the package are loaded from this folder by their own names, and no package's
`__init__` runs, so that the process stays as small as Python allows.
"""

import sys
from types import ModuleType

if __name__ == "__main__":
    for name, depth in (("steelyard", 2), ("steelyard.sandbox", 1)):
        package = ModuleType(name)
        package.__path__ = [__file__.rsplit("/", depth)[0]]
        sys.modules[name] = package
    from steelyard.sandbox.pycell._serve import main

    sys.exit(main())
