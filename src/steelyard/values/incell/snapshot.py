"""Objects as one canonical JSON document, taken while they live and compared elsewhere.

`{"format": 1, "roots": [name, item, ...], "lines": [entry, ...], "shared": [...], "rest": ...}`:
equal graphs give equal documents, and equal documents stand for equal graphs, as long as nothing
in them is marked as not comparable. Nothing is changed, consumed, or kept, and no code of the
objects runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from steelyard.values.incell import (
    snapshot_arrays,
    snapshot_callables,
    snapshot_databases,
    snapshot_frames,
    snapshot_iterators,
    snapshot_libraries,
    snapshot_memory,
    snapshot_objects,
    snapshot_stdlib,
    snapshot_values,
    snapshot_walk,
    temporary,
)

MOST_BYTES = 8 << 20
FORMAT = 1

for _part in (
    snapshot_values,
    snapshot_stdlib,
    snapshot_objects,
    snapshot_callables,
    snapshot_iterators,
    snapshot_arrays,
    snapshot_frames,
    snapshot_libraries,
    snapshot_databases,
):
    _part.register()


def content_keys(values: Iterable[object]) -> list[str]:
    """A text for each value, the same for equal content in each process; cut where it is long."""
    walk = snapshot_walk.Walk(MOST_BYTES)
    return [walk.key(value) for value in values]


def snapshot(roots: Mapping[str, object], *, most_bytes: int = MOST_BYTES) -> bytes:
    """The objects that some names stand for, with all that they reach, as one document.

    What the roots share is part of the document. Put the arguments first: what comes first gives
    its name to what is shared.

    Args:
        roots: By name, such as `arguments.items` or `result`; the name is the head of every path.
        most_bytes: About how long the document may become. What is beyond it goes in as digests.
    """
    walk = snapshot_walk.Walk(most_bytes)
    tops: list[object] = []
    for name, value in roots.items():
        tops.append(name)
        tops.append(walk.item(value))
    head = walk.written(tops)
    lines, rest = walk.lines()
    shared = snapshot_memory.shared(walk.regions)
    text = (
        f'{{"format":{FORMAT},"roots":{head},"lines":[{",".join(lines)}]'
        f',"shared":{walk.written(shared)},"rest":{walk.written(rest)}}}'
    )
    return temporary.masked(text).encode("utf-8", "surrogatepass")
