"""Calls that Hypothesis makes up, from a function's annotations and from what was recorded."""

from __future__ import annotations

import contextlib
import inspect
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.comparing.calls.incell.hints import hints_of, recorded_values
from steelyard.comparing.calls.incell.near import Source
from steelyard.comparing.calls.incell.parts import Call, Distinct
from steelyard.comparing.calls.incell.strategies import Strategies
from steelyard.project_runs.incell.real_clock import now

_DRAWS_PER_CALL = 4
_ARGUMENTS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_LEFT_OUT = object()


@dataclass(frozen=True)
class Generated:
    """Calls that were made up, and what stood in the way of more."""

    calls: list[Call]
    notes: tuple[str, ...] = ()


class _Enough(BaseException):
    """Ends the drawing; Hypothesis takes an Exception for a failure and would look into it."""


def generated(
    function: Callable[..., object],
    recorded: Sequence[Call],
    source: Source,
    *,
    count: int,
    seed: int,
    seconds: float,
) -> Generated:
    """Calls of a function that Hypothesis draws.

    An argument is drawn from its annotation, from values like those recorded for it or like its
    default, and from the function's own literals and their neighbours. A method's object is
    always one of those recorded.

    Args:
        function: The function as it is called: a method takes its object first.
        recorded: Calls of it; none are needed where it has annotations.
        source: What the function's source points to.
        count: At most so many calls.
        seed: Decides what is drawn, whatever the state of `random`.
        seconds: At most about so long; it is looked at between two calls.

    Returns:
        Calls that differ from each other and from those recorded, and notes in plain English.
        Nothing is printed and no database is kept.
    """
    try:
        strategy = _call_strategy(function, recorded, source)
    except ImportError as error:
        return Generated([], (f"Hypothesis cannot be loaded, so it generates no calls: {error}",))
    except LookupError as error:
        return Generated([], (f"no calls are generated from annotations: {error.args[0]}",))
    except Exception as error:  # annotations and defaults are code of the project's
        return Generated([], (f"no strategy for its arguments: {type(error).__name__}: {error}",))
    notes: list[str] = []
    end = now() + seconds
    distinct = Distinct(list(recorded))
    found: list[Call] = []

    def keep(call: Call) -> None:
        if (taken := distinct.take(call)) is not None:
            found.append(taken)
        if len(found) >= count or now() > end:
            raise _Enough

    try:
        _draw(strategy, keep, draws=_DRAWS_PER_CALL * count, seed=seed)
    except _Enough:
        if len(found) < count:
            notes.append(
                f"the limit of {seconds:g} s was reached after {len(found)} of {count} calls"
            )
    except Exception as error:  # the project's own types are built while it draws
        notes.append(f"Hypothesis stopped: {type(error).__name__}: {error}")
    return Generated(found, tuple(notes))


def prepare() -> None:
    """Have Hypothesis list all characters, which else each process that draws would do."""
    try:
        from hypothesis import strategies as st
    except ImportError:  # a run that needs it says so
        return
    _draw(st.tuples(st.tuples(st.text()), st.just({})), lambda _call: None, draws=2, seed=0)


def _draw(strategy: Any, keep: Callable[[Call], None], *, draws: int, seed: int) -> None:
    """Has Hypothesis draw without a word, and without a file that stays."""
    import hypothesis
    from hypothesis.configuration import set_hypothesis_home_dir

    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as home:
        warnings.simplefilter("ignore")
        settings = hypothesis.settings(
            max_examples=max(1, draws),
            database=None,
            derandomize=True,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
            verbosity=hypothesis.Verbosity.quiet,
            print_blob=False,
        )
        given: Any = hypothesis.given(strategy)
        drawn = hypothesis.seed(seed)(settings(given(keep)))
        set_hypothesis_home_dir(home)
        try:
            with _without_foreign_literals():
                drawn()
        finally:
            set_hypothesis_home_dir(None)


@contextlib.contextmanager
def _without_foreign_literals() -> Iterator[None]:
    """Keeps Hypothesis from reading each imported module for literals to draw.

    That takes seconds for large libraries, and what is drawn would depend on what is imported.
    """
    providers: Any = sys.modules.get("hypothesis.internal.conjecture.providers")
    reader = getattr(providers, "_get_local_constants", None)
    if reader is None:  # versions that read none, or that do so elsewhere
        yield
        return
    none = type(providers._local_constants)()
    providers._get_local_constants = lambda: none
    try:
        yield
    finally:
        providers._get_local_constants = reader


def _call_strategy(
    function: Callable[..., object], recorded: Sequence[Call], source: Source
) -> Any:
    """A strategy for whole calls.

    Raises:
        LookupError: An argument cannot be left out, and nothing is known of it.
    """
    from hypothesis import strategies as st

    signature = inspect.signature(function)
    hints = hints_of(inspect.unwrap(function))
    values = recorded_values(signature, recorded)
    strategies = Strategies(source)
    drawn: dict[str, Any] = {}
    for position, (name, parameter) in enumerate(signature.parameters.items()):
        seen = values.get(name, [])
        if position == 0 and name in ("self", "cls") and parameter.annotation is parameter.empty:
            if not seen:
                raise LookupError("no object to call the method on was recorded")
            drawn[name] = st.sampled_from(seen)
            continue
        known = _argument(parameter, hints.get(name, Any), seen, strategies)
        if parameter.default is not parameter.empty:
            known.append(st.just(_LEFT_OUT))
        if not known:
            raise LookupError(f"argument {name} has no annotation, and no call of it was recorded")
        drawn[name] = st.one_of(known)
    return st.fixed_dictionaries(drawn).map(lambda given: _assembled(signature, given))


def _argument(
    parameter: inspect.Parameter, hint: Any, seen: list[Any], strategies: Strategies
) -> list[Any]:
    """Strategies for one argument; none where nothing is known of it."""
    from hypothesis import strategies as st

    of_hint = strategies.of_hint(hint, is_seen=bool(seen))
    if parameter.kind is parameter.VAR_POSITIONAL:
        inner = [part for value in seen for part in value]
        made = strategies.like(inner) if inner else of_hint
        return [st.just(()) if made is None else st.lists(made, max_size=6).map(tuple)]
    if parameter.kind is parameter.VAR_KEYWORD:
        return [strategies.like(seen) if any(seen) else st.just({})]
    known = [] if of_hint is None else [of_hint]
    if seen:
        known.append(strategies.like(seen))
    elif not known and parameter.default is not parameter.empty:
        known.append(strategies.like([parameter.default]))
    return known


def _assembled(signature: inspect.Signature, given: dict[str, Any]) -> Call:
    """The call with the arguments by name; what follows one that is left out goes by keyword."""
    args: list[object] = []
    kwargs: dict[str, object] = {}
    by_position = True
    for name, parameter in signature.parameters.items():
        value = given[name]
        if value is _LEFT_OUT:
            by_position = False
        elif parameter.kind is parameter.VAR_POSITIONAL:
            args += value if by_position else ()
        elif parameter.kind is parameter.VAR_KEYWORD:
            kwargs.update({key: each for key, each in value.items() if key not in given})
        elif parameter.kind in _ARGUMENTS and by_position:
            args.append(value)
        elif parameter.kind is not parameter.POSITIONAL_ONLY:
            kwargs[name] = value
    return tuple(args), kwargs
