"""Which arrays of a snapshot share memory, so that writing to one shows in the other."""

from __future__ import annotations

import sys
from typing import Any

_MOST_WORK = 1000
_MOST_CLOSE = 64
"""An array is held against at most so many others that lie around it."""

Region = tuple[int, int, int, Any]


def shared(regions: list[Region]) -> list[list[list[Any]]]:
    """Groups of arrays that overlap: each as its line, its offset in the group, its strides."""
    if len(regions) < 2:
        return []
    ranked = sorted(regions, key=lambda region: (region[1], region[0]))
    joined: dict[int, int] = {}
    open_ones: list[Region] = []
    for region in ranked:
        open_ones = [other for other in open_ones if other[2] > region[1]][-_MOST_CLOSE:]
        for other in open_ones:
            one, two = _group(joined, region[0]), _group(joined, other[0])
            if one != two and _overlap(other, region):
                joined[one] = two
        open_ones.append(region)
    groups: dict[int, list[Region]] = {}
    for region in sorted(regions, key=lambda region: region[0]):
        groups.setdefault(_group(joined, region[0]), []).append(region)
    found = []
    for group in groups.values():
        first = min(start for _, start, _, _ in group)
        if len(group) > 1:
            found.append(
                [[line, start - first, _strides(array)] for line, start, _, array in group]
            )
    return found


def _group(joined: dict[int, int], line: int) -> int:
    """The line that a group goes by; the way to it becomes shorter each time."""
    while line in joined:
        above = joined[line]
        joined[line] = line = joined.get(above, above)
    return line


def _overlap(one: Region, other: Region) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is None or type(one[3]) is list or type(other[3]) is list:
        return True
    try:
        return bool(numpy.shares_memory(one[3], other[3], max_work=_MOST_WORK))
    except Exception:  # too much work to tell, or an array that lies about its memory
        return True


def _strides(array: Any) -> list[int]:
    """How far apart its elements lie, along axes that have more than one."""
    if type(array) is list:
        return array
    return [step for size, step in zip(array.shape, array.strides, strict=True) if size > 1]
