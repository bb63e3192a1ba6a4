"""Calls that CrossHair works out: one for each path, and those on which two functions differ.

CrossHair replaces built-in functions and traces every opcode while it searches, and its solver can
keep a thread busy beyond any limit: it is run in a process of its own, without the deterministic
patches (it counts its time by `process_time`), and that process is ended after some seconds more
than it was given. What it finds is a claim: each call is run again, in the open, by the caller.
"""

from __future__ import annotations

import copy
import importlib.util
import inspect
import operator
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.comparing.calls.incell.generate import Generated
from steelyard.comparing.calls.incell.hints import hint_of_values, hints_of, recorded_values
from steelyard.comparing.calls.incell.parts import Call, Distinct
from steelyard.project_runs.incell.real_clock import now

_MOST_CALLS = 200


def witnesses(
    original: Callable[..., object],
    candidate: Callable[..., object],
    *,
    seconds: float,
    recorded: Sequence[Call] = (),
) -> Generated:
    """Calls that take different paths, first those on which CrossHair saw a difference.

    Args:
        original: The function as it is called: a method takes its object first.
        candidate: The function to compare with it; it takes the same arguments.
        seconds: CPU time for the search, about, and at most twice as long by the clock; a single
            step of the solver may take longer.
        recorded: Calls; they give the types of arguments that have no annotation.

    Returns:
        At most 200 calls, all different; none, with a note, where CrossHair is absent or does not
        support what the functions do or take.
    """
    if importlib.util.find_spec("crosshair") is None:
        return Generated([], ("CrossHair is not installed: no concolic calls were generated",))
    found: list[tuple[bool, Call]] = []
    notes = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _explore((original, candidate), _typed(original, recorded), seconds, found)
    except BaseException as error:  # its control flow is made of BaseExceptions
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        notes.append(f"CrossHair stopped: {type(error).__name__}: {error}"[:200])
    if not found and not notes:
        notes.append(f"CrossHair finished no path in {seconds:g} s")
    distinct = Distinct(list(recorded))
    found.sort(key=operator.itemgetter(0), reverse=True)
    taken = [distinct.take(call) for _, call in found]
    return Generated([call for call in taken if call is not None][:_MOST_CALLS], tuple(notes))


def _explore(
    functions: Sequence[Callable[..., object]],
    signature: inspect.Signature,
    seconds: float,
    found: list[tuple[bool, Call]],
) -> None:
    """Follow the paths of two functions, one after the other, and note each path's call."""
    import crosshair.core_and_libs  # noqa: F401 - it registers what it knows of the library
    from crosshair.behavior_compare import flexible_equal
    from crosshair.core import ExceptionFilter, deep_realize, explore_paths
    from crosshair.diff_behavior import describe_behavior
    from crosshair.options import DEFAULT_OPTIONS
    from crosshair.statespace import RootNode
    from crosshair.tracers import NoTracing

    untraced: Any = NoTracing
    end = now() + 2 * seconds

    def run(bound: inspect.BoundArguments) -> bool:
        """Whether the functions differ; the comparison is a branch that is searched too."""
        outcomes = []
        for function in functions:
            given = copy.deepcopy(bound)
            value, error = describe_behavior(function, given)
            outcomes.append((value, type(error), given.arguments))
        one, two = outcomes
        return two[1] is not one[1] or not flexible_equal(one[0::2], two[0::2])

    def completed(
        space: Any, before: Any, _after: Any, differs: Any, _error: Any, _stack: Any
    ) -> bool:
        with ExceptionFilter():
            space.detach_path()
            bound, is_different = deep_realize(before), deep_realize(differs)
            with untraced():
                found.append((bool(is_different), (bound.args, bound.kwargs)))
        with untraced():
            return now() > end or len(found) >= _MOST_CALLS

    options = DEFAULT_OPTIONS.overlay(
        per_condition_timeout=seconds, per_path_timeout=max(0.5, seconds / 8)
    )
    explore_paths(run, signature, options, RootNode(), completed)


def _typed(function: Callable[..., object], recorded: Sequence[Call]) -> inspect.Signature:
    """The signature with a type for each parameter, from the values where none is annotated."""
    signature = inspect.signature(function)
    hints = hints_of(inspect.unwrap(function))
    values = recorded_values(signature, recorded)
    parameters = []
    for name, parameter in signature.parameters.items():
        hint, seen = hints.get(name, Any), values.get(name, [])
        if hint is Any:
            if parameter.kind is parameter.VAR_POSITIONAL:
                seen = [part for each in seen for part in each]
            elif parameter.kind is parameter.VAR_KEYWORD:
                seen = [part for each in seen for part in each.values()]
            elif not seen:
                if parameter.default in (parameter.empty, None):
                    raise TypeError(f"the type of argument {name} is unknown")
                seen = [parameter.default]
            hint = hint_of_values(seen)
        parameters.append(parameter.replace(annotation=hint))
    return signature.replace(parameters=parameters)
