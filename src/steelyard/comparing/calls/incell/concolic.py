"""Calls that CrossHair works out: one for each path, and those on which two functions differ.

CrossHair replaces built-in functions and traces every opcode while it searches, and its solver can
keep a thread busy beyond any limit: it is run in a process of its own, without the deterministic
patches (it counts its time by `process_time`), and that process is ended after some seconds more
than it was given. What it finds is a claim: each call is run again, in the open, by the caller.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.comparing.calls.incell.generate import Generated
from steelyard.comparing.calls.incell.hints import hint_of_values, hints_of, recorded_values
from steelyard.comparing.calls.incell.parts import Call, Distinct
from steelyard.project_runs.incell.real_clock import now

_SHARE_OF_PAIR = 0.6
"""Of the time, for the search for a difference; the rest covers the original's paths."""
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
    try:
        import crosshair.core_and_libs  # noqa: F401 - it registers what it knows of the library
    except ImportError:
        return Generated([], ("CrossHair is not installed: no concolic calls were generated",))
    except Exception as error:
        return Generated([], (f"CrossHair cannot be used here: {_said(error)}",))
    notes: list[str] = []
    search = _Search()
    try:
        signature = _typed(original, recorded)
    except Exception as error:
        return Generated([], (f"the arguments' types cannot be read: {_said(error)}",))
    parts = (((original, candidate), _SHARE_OF_PAIR), ((original,), 1 - _SHARE_OF_PAIR))
    for functions, share in parts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                search.explore(functions, signature, seconds * share)
        except BaseException as error:  # its control flow is made of BaseExceptions
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            notes.append(f"CrossHair stopped: {_said(error)}")
    if not search.differing and not search.others and not notes:
        notes.append(f"CrossHair finished no path in {seconds:g} s")
    distinct = Distinct(list(recorded))
    taken = [distinct.take(call) for call in [*search.differing, *search.others]]
    found = [call for call in taken if call is not None]
    return Generated(found[:_MOST_CALLS], tuple(notes))


class _Search:
    """The calls that have been worked out."""

    def __init__(self) -> None:
        self.differing: list[Call] = []
        self.others: list[Call] = []

    def explore(
        self,
        functions: Sequence[Callable[..., object]],
        signature: inspect.Signature,
        seconds: float,
    ) -> None:
        """Follows the paths that one function takes, or two one after the other."""
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
            first = outcomes[0]
            return any(
                other[1] is not first[1] or not flexible_equal(first[0::2], other[0::2])
                for other in outcomes[1:]
            )

        def completed(
            space: Any, before: Any, _after: Any, differs: Any, _error: Any, _stack: Any
        ) -> bool:
            with ExceptionFilter():
                space.detach_path()
                bound, seen = deep_realize(before), deep_realize(differs)
                with untraced():
                    (self.differing if seen else self.others).append((bound.args, bound.kwargs))
            with untraced():
                return now() > end or len(self.differing) + len(self.others) >= 2 * _MOST_CALLS

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
        variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        hint = hints.get(name)
        if hint in (None, Any):
            seen = values.get(name, [])
            if parameter.default not in (parameter.empty, None) and not seen:
                seen = [parameter.default]
            if variable:
                inner = [part for each in seen for part in _inner(each)]
                hint = hint_of_values(inner)
            elif not seen:
                raise TypeError(f"the type of argument {name} is unknown")
            else:
                hint = hint_of_values(seen)
        parameters.append(parameter.replace(annotation=hint))
    return signature.replace(parameters=parameters)


def _inner(given: Any) -> list[Any]:
    return list(given.values()) if isinstance(given, dict) else list(given)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
