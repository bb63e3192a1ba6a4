"""Wraps a function so that each outermost call is reported: what went in, what came out.

A call from within another (recursion, a helper that calls back) is the function's own affair: a
rewritten one may have other such calls.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextvars import ContextVar
from typing import Any

from steelyard.comparing.effects.incell.state import State
from steelyard.comparing.incell.told import RecordedCall
from steelyard.comparing.recording.incell.lazy import Awaits, is_lazy, stepped
from steelyard.comparing.recording.incell.methods import Methods
from steelyard.comparing.recording.incell.naming import Names
from steelyard.comparing.recording.incell.replacing import StandIn, is_made_by_a_call
from steelyard.comparing.recording.incell.watching import plain_of
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.digests import digest_of
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import pickle_bytes

_MOST_ITEMS = 1_000
_MOST_CALLS = 200
_MOST_PICKLE_BYTES = 1 << 20
_MOST_PICKLED_BYTES = 32 << 20

Call = tuple[tuple[Any, ...], dict[str, Any]]


class Recorder:
    """Reports the calls of one function, and how they change what modules hold; see `wrap`."""

    def __init__(self, tell: Tell, *, keeps_arguments: bool) -> None:
        self._tell = tell
        self.state = State()
        self._is_looked_at = False
        self._inside: ContextVar[bool] = ContextVar("inside", default=False)
        self._left_bytes = _MOST_PICKLED_BYTES if keeps_arguments else 0
        self._methods = Methods(tell, self._inside.get) if keeps_arguments else None
        self._known: set[bytes] = set()
        self._open: list[_Outcome] = []
        self._test = ""
        self._calls = 0

    def begin(self, test: str) -> None:
        """From here on calls belong to this test."""
        self._test, self._calls = test, 0

    def end(self) -> int:
        """End a test: report open calls as far as they went, and return the number of its calls."""
        for outcome in list(self._open):
            outcome.end()
        return self._calls

    def wrap(self, function: Any) -> Any:
        """Return the function, recorded; a callable object is replaced by one that is like it."""
        names = Names(plain_of(function))
        recorded = self._plain(function, names)

        def items(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            return (yield from recorded(*args, **kwargs))

        async def awaited(*args: Any, **kwargs: Any) -> Any:
            return await recorded(*args, **kwargs)

        put = functools.wraps(function)
        if inspect.isasyncgenfunction(function):
            return put(self._async_generator(function, functools.partial(self._enter, names)))
        if inspect.iscoroutinefunction(function):
            return put(awaited)
        if inspect.isgeneratorfunction(function):
            return put(items)
        if isinstance(function, types.FunctionType):
            return put(recorded)
        return StandIn(function, recorded)

    # ----------------------------------------------------------------------------- the kinds

    def _plain(self, function: Any, names: Names, *, is_made: bool = False) -> Any:
        def recorded(*args: Any, **kwargs: Any) -> Any:
            outcome = self._enter(names, args, kwargs, is_made=is_made)
            if outcome is None:
                return function(*args, **kwargs)
            with outcome.watching(), self._within():
                result = function(*args, **kwargs)
            if is_lazy(result):
                return self._relay(result, outcome)
            if isinstance(result, types.CoroutineType):
                return self._await(result, outcome)
            if isinstance(result, contextlib._GeneratorContextManager):
                result.gen = self._relay(result.gen, outcome)
                return result
            if isinstance(result, contextlib._AsyncGeneratorContextManager):
                inner = result.gen
                result.gen = self._async_generator(lambda: inner, lambda *_: outcome)()
                return result
            if is_made_by_a_call(result, args, kwargs):
                return self._made(result, outcome)
            outcome.close("returned", result=result)
            return result

        return recorded

    def _made(self, function: types.FunctionType, outcome: _Outcome) -> Any:
        """A function that a call returned: its own calls tell what it does, and not its code."""
        outcome.made = function
        recorded = self._plain(function, Names(function), is_made=True)

        def called(*args: Any, **kwargs: Any) -> Any:
            shown = f"a function with the parameters {inspect.signature(function)}"
            outcome.close("returned", result=shown)
            return recorded(*args, **kwargs)

        return StandIn(function, called)

    def _async_generator(self, function: Any, enter: Callable[..., _Outcome | None]) -> Any:
        """As `_relay`, for async generators, entered as they are asked for their first item."""

        async def recorded(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
            outcome = enter(args, kwargs) or _Outcome(self, {}, RecordedCall)
            outcome.gives_items = True
            inner = function(*args, **kwargs)
            resume = inner.__anext__()
            with outcome.watching():
                while True:
                    try:
                        item = await outcome.awaits.carry(resume, self._within)
                    except StopAsyncIteration:
                        break
                    outcome.yielded(item)
                    try:
                        sent = yield item
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:
                        resume = inner.athrow(error)
                    else:
                        resume = inner.asend(sent)
            outcome.close("returned", result=None)

        return recorded

    async def _await(self, inner: Any, outcome: _Outcome) -> Any:
        with outcome.watching():
            result = await outcome.awaits.carry(inner, self._within)
        outcome.close("returned", result=result)
        return result

    def _relay(self, inner: Any, outcome: _Outcome) -> Generator[Any, Any, Any]:
        """The items of a generator, as it gives them; what is sent or thrown is passed on."""
        outcome.gives_items = True
        with outcome.watching():
            result = yield from stepped(inner, outcome.yielded, self._within)
        outcome.close("returned", result=result)
        return result

    # ------------------------------------------------------------------------------ one call

    def _enter(
        self, names: Names, args: tuple[Any, ...], kwargs: dict[str, Any], *, is_made: bool = False
    ) -> Any:
        """Begin a call; None if it is not reported.

        A call of a function that a call has made cannot be made again by itself.
        """
        if self._inside.get():
            return None
        self._calls += 1
        if self._calls > _MOST_CALLS:
            return None
        if self._methods:
            self._methods.look((*args, *kwargs.values()))
        with self._within():  # what a pickle or a snapshot calls is not reported either
            arguments = names.of(args, kwargs)
            if not self._is_looked_at:
                self._is_looked_at = True
                self.state.look()
            record = functools.partial(
                RecordedCall,
                test=self._test,
                iteration=self._calls - 1,
                before=snapshot(arguments),
                call=None if is_made else self._pickled((args, kwargs)),
            )
        outcome = _Outcome(self, arguments, record)
        self._open.append(outcome)
        return outcome

    @contextlib.contextmanager
    def _within(self) -> Iterator[None]:
        """Calls from here on are the function's own affair."""
        token = self._inside.set(True)
        try:
            yield
        finally:
            self._inside.reset(token)

    def _pickled(self, call: Call) -> bytes | None:
        """Return the call as it can be made again; None if it cannot, or is known."""
        data = pickle_bytes(call, most=_MOST_PICKLE_BYTES) if self._left_bytes > 0 else None
        key = digest_of(data or b"")
        if data is None or key in self._known:
            return None
        self._known.add(key)
        self._left_bytes -= len(data)
        return data


class _Outcome:
    """One call; it is reported only if it is among the recorder's open ones."""

    def __init__(
        self, recorder: Recorder, arguments: dict[str, Any], record: Callable[..., RecordedCall]
    ) -> None:
        self._recorder, self._arguments, self._record = recorder, arguments, record
        self.gives_items, self.awaits = False, Awaits()
        self.made: types.FunctionType | None = None
        """The function that the call returned, which was not called yet."""
        self._items: list[Any] = []
        self._seen: list[str] = []
        self._first = b""

    def yielded(self, item: Any) -> None:
        """The generator has given an item."""
        if len(self._seen) < _MOST_ITEMS and self in self._recorder._open:
            given = snapshot({"item": item, **self._arguments})
            self._items.append(item)
            self._seen.append(digest_of(given).hex())
            self._first = self._first or given

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """End the call by an exception that is raised from here on."""
        try:
            yield
        except GeneratorExit:
            self.close("closed")
            raise
        except BaseException as error:
            self.close("raised", raised=error)
            raise

    def end(self) -> None:
        """The test is over."""
        if self.made is not None:
            self.close("returned", result=self.made)
        self.close("unfinished")

    def close(self, how: str, **roots: Any) -> None:
        """Report the call; once."""
        recorder = self._recorder
        if self not in recorder._open:
            return
        recorder._open.remove(self)
        if self.gives_items:
            roots["items"] = self._items
        roots |= self.awaits.roots()
        with recorder._within():
            after = snapshot({**roots, **self._arguments})
            changed = recorder.state.look()
        recorder._tell(
            self._record(
                how=how,
                after=after,
                items=self._seen,
                first=self._first,
                state=changed,
                said=self.awaits.said(),
            )
        )
