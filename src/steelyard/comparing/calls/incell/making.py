"""More calls than the tests make: recorded ones changed and mixed, and others made up."""

from __future__ import annotations

import ast
import contextlib
import itertools
import pickle
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.bases import sampled, trimmed
from steelyard.comparing.calls.incell.calling import load_function
from steelyard.comparing.calls.incell.changes import Changes
from steelyard.comparing.calls.incell.concolic import witnesses
from steelyard.comparing.calls.incell.generate import generated
from steelyard.comparing.calls.incell.known import Known
from steelyard.comparing.calls.incell.near import source_of
from steelyard.comparing.calls.incell.neighbours import neighbours
from steelyard.comparing.calls.incell.parts import alternated, pickled
from steelyard.comparing.calls.incell.paths import Path, by_turns
from steelyard.comparing.calls.incell.planted import planted
from steelyard.comparing.calls.incell.trying import TOO_MUCH, Trial
from steelyard.comparing.incell.told import MakeUpCalls, NewCall, Notes, PlantLiterals, SolvePaths
from steelyard.comparing.recording.incell.sides import Call, Side, both
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.real_clock import now
from steelyard.project_runs.incell.task import Context
from steelyard.values.incell.walking import pickle_bytes

_MOST_BYTES = 1 << 18
_MOST_RECORDED = 24
_MOST_BASES = 12
"""So many calls are changed."""
_DRAWS = 12
"""So many times as many changed calls are made as are kept: many of them are alike."""
_TRIES = 3
"""So many times as many calls are tried as are kept."""
_NEIGHBOURS_OF, _MOST_NEIGHBOURS = 3, 40
"""Of so many calls one argument becomes one of a neighbour kind, so many times together."""
_TYPE_ERRORS = ("TypeError ", "AttributeError ")
"""How calls end that no caller would make."""
_MOST_SECONDS = 10.0
"""For trying out all of the calls; only functions that are slow for most of them take as long."""


def run_making(asked: MakeUpCalls, context: Context) -> int:
    """Tells calls that the original gets through quickly, none of them one that is known."""
    function, tell = load_function(context.function), context.tell
    rng = random.Random(asked.seed)  # noqa: S311 - nothing is kept secret with it
    chosen = sampled(list(map(len, asked.calls)), asked.tests, most=_MOST_RECORDED)
    recorded = _loaded([asked.calls[place] for place in chosen])
    kinds = None
    with contextlib.suppress(TypeError, ValueError):  # it has no signature
        kinds = Known(function, _loaded(asked.calls))
    bases = _bases(function, recorded, asked.call_seconds, kinds, rng)
    source = source_of(function)
    drawn = generated(
        function, recorded, source, count=asked.count, seed=asked.seed, seconds=asked.seconds
    )
    changes = Changes(bases, _loaded(asked.methods), source)
    changed = (changes.draw(rng) for _ in range(_DRAWS * asked.count if changes else 0))
    calls = itertools.chain(bases, alternated([changed, changed, changed, iter(drawn.calls)]))
    notes = _tell_chosen(tell, function, calls, asked.count, asked.call_seconds, asked.calls, kinds)
    if kinds is not None:
        some = (bases or drawn.calls)[-_NEIGHBOURS_OF:]
        _tell_neighbours(tell, function, some, kinds, asked.call_seconds)
    tell(Notes([*drawn.notes, *notes]))
    return 0


def run_concolic(asked: SolvePaths, context: Context) -> int:
    """Tells calls that a solver found to take other paths, or to differ."""
    texts, tell, clock = both(asked.versions), context.tell, context.clocks.cpu_ns
    original, candidate = (Side(context.function, text, clock) for text in texts)
    found = witnesses(
        original.function,
        candidate.function,
        seconds=asked.seconds,
        recorded=_loaded(asked.calls),
    )
    original.enter()
    calls = iter(found.calls)
    notes = _tell_chosen(tell, original.function, calls, asked.count, asked.call_seconds)
    tell(Notes([*found.notes, *notes]))
    return 0


def run_planting(asked: PlantLiterals, context: Context) -> int:
    """Tells quick calls that hold literals which the task names."""
    function = load_function(context.function)
    values = [ast.literal_eval(text) for text in asked.literals]
    made = planted(_loaded(asked.calls), values, seed=asked.seed)
    tried = _tried(
        function, itertools.islice(made, _TRIES * asked.count), asked.calls, asked.call_seconds
    )
    for _, data, how, _ in itertools.islice(tried, asked.count):
        if how is None:  # a failure of a call that nobody makes tells little of values
            context.tell(NewCall(data))
    return 0


def _bases(
    function: Any, recorded: Sequence[Call], seconds: float, kinds: Known | None, rng: random.Random
) -> list[Call]:
    """The calls to change: small ones, cut from recorded ones where those are large."""
    bases: dict[bytes, Call] = {}
    trial = Trial(function, seconds)
    for call in recorded:
        whole = pickled(call) or b""
        cut = trimmed(call, rng)
        data = None if cut is None or not (kinds and kinds.covers(cut)) else _pickled(cut)
        if cut is None or data is None:
            bases.setdefault(whole, call)
        # A call that only fails since something is missing from it is not a base.
        elif trial.outcome(data) in (None, trial.outcome(whole)):
            bases.setdefault(data, cut)
    return rng.sample(list(bases.values()), min(len(bases), _MOST_BASES))


def _tell_chosen(
    tell: Tell,
    function: Any,
    calls: Iterator[Call],
    count: int,
    seconds: float,
    known: Collection[bytes] = (),
    kinds: Known | None = None,
) -> list[str]:
    """Tells new and quick calls that take many paths, few of them failing alike; what to note.

    Calls with arguments of other kinds than are known come on top of those, if they do not fail
    only because of them.
    """
    start = now()
    quick: list[tuple[bytes, str | None, object]] = []
    others: list[bytes] = []
    tried = list(itertools.islice(_tried(function, calls, known, seconds), _TRIES * count))
    for call, data, how, lines in tried:
        if how in TOO_MUCH:
            continue
        if kinds is None or kinds.covers(call):
            quick.append((data, how, lines))
        elif not (how or "").startswith(_TYPE_ERRORS):
            others.append(data)
    paths, fails = [each[1:] for each in quick], [how is not None for _, how, _ in quick]
    for place in by_turns(paths, fails)[:count]:
        tell(NewCall(quick[place][0]))
    for data in others[: count // 3]:
        tell(NewCall(data, is_known=False))
    if now() <= start + _MOST_SECONDS:
        return []
    return [f"the limit of {_MOST_SECONDS:g} s was reached after {len(tried)} tries"]


def _tried(
    function: Any, calls: Iterator[Call], known: Collection[bytes], seconds: float
) -> Iterator[tuple[Call, bytes, str | None, object]]:
    """Yield new calls that end, with their pickles, how they end and what lines they reach."""
    end, seen = now() + _MOST_SECONDS, set(known)
    path, trial = Path(function), Trial(function, seconds)
    for call in calls:
        data = _pickled(call)
        if data is None or data in seen or not trial.may_be_made(call, data):
            continue
        if now() > end:
            return
        seen.add(data)
        path.start()
        how = trial.outcome(data)
        yield call, data, how, path.stop()


def _tell_neighbours(
    tell: Tell, function: Any, calls: Sequence[Call], kinds: Known, seconds: float
) -> None:
    """Tells quick calls with one argument of a neighbour kind, as far as the original takes it."""
    trial = Trial(function, seconds)
    made = neighbours(calls, kinds.positional)
    for call, name, shown in itertools.islice(made, _MOST_NEIGHBOURS):
        data = _pickled(call)
        how = "TypeError " if data is None else trial.outcome(data)
        if data is not None and how not in TOO_MUCH and not (how or "").startswith(_TYPE_ERRORS):
            value = pickle.loads(data)[0][kinds.positional.index(name)]  # noqa: S301 - our own
            is_known = kinds.takes(name, value)
            if is_known or value is not None:  # None is allowed or not
                tell(NewCall(data, is_known=is_known, shown=shown))


def _loaded(pickles: Sequence[bytes]) -> list[Any]:
    calls = []
    for data in pickles:
        try:
            calls.append(pickle.loads(data))  # noqa: S301 - made in such a cell, read in one
        except Exception:  # noqa: S112 - it is told where it is called
            continue
    return calls


def _pickled(call: Call) -> bytes | None:
    return pickle_bytes(call, most=_MOST_BYTES)
