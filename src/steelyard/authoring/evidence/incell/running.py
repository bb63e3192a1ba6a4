"""Run a program so that each call returns what it did."""

from __future__ import annotations

import ast
import bisect
import collections
import functools
import heapq
import itertools
import marshal
import math
import operator
import random
import re
import string
import time
import typing
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from steelyard.authoring.evidence.incell.measuring import (
    EnoughError,
    Measuring,
    deadline,
    lengths,
    rounds_left,
    starts,
    traced_container,
    traced_items,
    traced_round,
    traced_start,
)
from steelyard.authoring.evidence.incell.tracing import (
    Tracing,
    bucket,
    events,
    kind_of,
    sizes_of,
    steps_left,
    traced_call,
    traced_choice,
    traced_comparison,
    traced_loop,
    traced_quotient,
    traced_test,
    traced_value,
    visits,
    widest,
)

_MUCH = 10
"""A place that is reached this power of two times or more is a finding for each power of two."""
_MOST_S, _MOST_MEASURED_S = 1.0, 2.0
"""CPU time of the run that notes all, and of the one that measures containers and loops: one step
of a program may go through a long list."""
_MOST_PLACES = 500
"""Places that use containers, and loops, that are returned."""
_LOADING = 1_000_000
"""Steps and rounds that a program may take when it is loaded."""

Target = Callable[[], Callable[..., Any]]
"""Returns the entry of a program, new for each call."""

_targets: list[Target] = []
"""The traced program, and one that only measures its containers and counts its rounds."""


def trace(most_steps: int, most_rounds: int, *args: Any) -> list[list[int]]:
    """Call the program, which is ended after so many steps.

    Args:
        most_steps: Conditions, comparisons, indexes, calls and rounds of loops.
        most_rounds: Rounds of loops of a second run, which notes only how long containers and loops
            are and continues where the first one was ended; 0 for none.
        args: The program's arguments.

    Returns:
        A number for its answer, its steps, the largest number that it compared or divided, and the
        sizes of the answer; a number for each finding; for each place that uses a container the sum
        of its lengths, and for each loop the most rounds that it had at once, also times how often
        it began.
    """
    events.clear()
    visits.clear()
    lengths.clear()
    starts.clear()
    widest[0] = 0
    steps_left[0] = most_steps
    kept = marshal.dumps(args)
    deadline[0] = time.process_time() + _MOST_S
    answer, ending = _ending(_targets[0], args)
    steps = most_steps - steps_left[0]
    deadline[0] = math.inf
    measures: dict[int, int] = {}
    if most_rounds:
        rounds_left[0] = most_rounds
        deadline[0] = time.process_time() + _MOST_MEASURED_S
        args = marshal.loads(kept)  # noqa: S302  (what `trace` wrote, and in a cell)
        measured = _ending(_targets[1], args)
        deadline[0] = math.inf
        products = {site: n * lengths.get(site - 1, 0) for site, n in starts.items()}
        measures = {**lengths, **products}
        if ending is EnoughError:
            answer, ending = measured
            steps += most_rounds - rounds_left[0]
    kind = kind_of(answer) if ending is None else answer
    sizes = [widest[0], *(sizes_of(answer) if ending is None else ())]
    found: list[object] = ["answer", kind]
    found += ((event, bucket(times)) for event, times in Counter(events).items())
    found += set(pairwise(events))
    # All powers up to the last, so that whoever does most has most findings.
    for site, times in visits.items():
        found += ((site, "visits", power) for power in range(_MUCH, times.bit_length()))
    numbers = sorted({_number(each) for each in found})
    places = range(min(_MOST_PLACES, max(measures, default=-1) + 1))
    measured_places = [measures.get(site, 0) for site in places]
    return [[_number(answer), steps, *sizes], numbers, measured_places]


def _ending(target: Target, args: Iterable[object]) -> tuple[Any, Any]:
    """Return what a call returns, or the name and the class of what it raises."""
    try:
        return target()(*args), None
    except BaseException as error:  # whatever hostile code raises is what it did
        return type(error).__name__, type(error)


def _number(found: object) -> int:
    try:
        text = repr(found)
    except Exception:  # a class of the program may have any
        text = type(found).__name__
    return zlib.crc32(text.encode("utf-8", "backslashreplace"))


def load(entry: str) -> None:
    """Load the program, which has an entry: a function, or a class's method."""
    with open("traced.py", encoding="utf-8") as file:
        text = file.read()
    traced = (
        traced_call,
        traced_test,
        traced_comparison,
        traced_loop,
        traced_value,
        traced_quotient,
        traced_choice,
    )
    measured = (traced_round, traced_start, traced_items, traced_container)
    steps_left[0] = rounds_left[0] = _LOADING
    _targets.append(_target(text, Tracing(), traced, entry))
    _targets.append(_target(text, Measuring(), measured, entry))


def _target(
    text: str, change: ast.NodeTransformer, functions: Iterable[Callable[..., Any]], entry: str
) -> Target:
    """Return what returns a program's entry; a class's method is one of a new object each time."""
    tree = ast.fix_missing_locations(change.visit(ast.parse(text)))
    names = _usual_names()
    names.update((function.__name__, function) for function in functions)
    exec(compile(tree, "traced", "exec", dont_inherit=True), names)
    name, _, method = entry.partition(".")
    found = names[name]
    return (lambda: getattr(found(), method)) if method else (lambda: found)


def _usual_names() -> dict[str, Any]:
    """Return the names that a solution can use without importing them."""
    names: dict[str, Any] = {"__name__": "traced"}
    for module in (typing, collections, functools, heapq, itertools, bisect, math):
        names.update((name, each) for name, each in vars(module).items() if name[0] != "_")
    del names["pow"]  # the built-in takes a third argument
    modules = (bisect, collections, functools, heapq, itertools, math, operator, random, re, string)
    return names | {module.__name__: module for module in modules}
