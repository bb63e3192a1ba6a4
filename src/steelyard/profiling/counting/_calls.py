"""Find the line of a program that calls a library function: for templates, defined in headers.

Source: GCC's manual, `-fcallgraph-info` (since GCC 10): one edge for each call, with its position.
"""

from collections import defaultdict

import re2

CALLS_FLAGS = ("-O0", "-fcallgraph-info")
"""Without inlining each call is still where it was written."""

_MOST_BYTES = 64 << 20
_EDGE = re2.compile(
    r'^edge: \{ sourcename: "([^"\n]*)" targetname: "([^"\n]*)" label: "([^"\n]*):(\d+):\d+"'
)
_WHOLE_OBJECT = re2.compile(r"([CD])1E")


def calling_lines(graph: bytes, source: str) -> dict[str, int]:
    """Return the main source's line that calls a function, itself or through others.

    Of several lines, the one with the fewest calls between; none if several are equally near.

    Args:
        graph: The `.ci` file that the compiler left.
        source: The main source's name, as passed to the compiler.

    Returns:
        The line of each function, by mangled name.
    """
    begun: dict[str, set[int]] = defaultdict(set)
    calls: dict[str, set[str]] = defaultdict(set)
    text = graph[:_MOST_BYTES].decode("utf-8", "replace")
    for edge in filter(None, map(_EDGE.match, text.splitlines())):
        caller, called, file, line = edge.groups()
        if file == source:
            begun[_name(called, source)].add(int(line))
        else:
            calls[_name(caller, source)].add(_name(called, source))
    near: dict[str, set[int]] = {}
    layer = begun
    while layer:
        near |= layer
        further: dict[str, set[int]] = defaultdict(set)
        for caller, lines in layer.items():
            for called in calls[caller] - near.keys():
                further[called] |= lines
        layer = further
    return {name: min(lines) for name, lines in near.items() if len(lines) == 1}


def _name(name: str, source: str) -> str:
    """Return the name as in the notes, which merge a complete constructor with the base's."""
    return str(_WHOLE_OBJECT.sub(r"\g<1>2E", name.removeprefix(f"{source}:")))
