"""Add counters to a program: its text is only read here, never run."""

from __future__ import annotations

import json
import marshal
import os
import sys
from typing import NoReturn

from steelyard.profiling.counting.incell import blocks

_DEPTH = 100_000
"""Frames that a deeply nested expression may take."""


def main(arguments: list[str]) -> NoReturn:
    """Compile SOURCE with counters into the file CODE, and print their places.

    The places are JSON, with the kind and line of each.
    """
    source, code = arguments
    path = f"{os.getcwd()}/{source}"
    with open(source, "rb") as file:
        text = file.read()
    sys.setrecursionlimit(_DEPTH)
    tree, places = blocks.transform(text, path)
    data = marshal.dumps(compile(tree, path, "exec", dont_inherit=True))
    with open(code, "wb") as file:
        file.write(data)
    print(json.dumps(places))
    sys.stdout.flush()
    os._exit(0)
