"""The assertions' side: proxies of the candidate's functions, and the channel behind them."""

from __future__ import annotations

import functools
import itertools
import operator
import sys
import time
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn

from steelyard.schemas import values
from steelyard.toolchains.incell import calls, handles
from steelyard.toolchains.incell.channel import (
    SHOWN_CHARS,
    exception_class,
    exception_of,
    receive,
    send,
)
from steelyard.toolchains.incell.tested import MODULES, class_called, module_called

_MOST_RECURSION = 10_000  # in reading an answer, whose nesting the candidate controls
_FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    functools.partial,
    operator.itemgetter,
    operator.attrgetter,
    operator.methodcaller,
)
"""What the assertions may lend: a program can only call it."""
_MOST_RAISED = 100  # exceptions of lent functions that are kept
_UNREADABLE = "the candidate's answer cannot be read"
_MOST_PRINTED = 1 << 24  # characters that the program prints into the assertions' own output


class CandidateError(BaseException):
    """The candidate returned neither a value nor an exception."""


class TestsError(BaseException):
    """The assertions are wrong themselves."""


class Channel:
    """The channel to the candidate, and the fault that occurred on it."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self.calls = 0
        self.looked = False
        self.missing: list[str] = []
        self.closed = False
        self.fault: list[str] = []
        self.last = ""
        self._lent: list[Any] = []
        self._raised: deque[tuple[int, BaseException]] = deque(maxlen=_MOST_RAISED)
        self._places = itertools.count()
        self._handles: weakref.WeakValueDictionary[int, handles.Handle] = (
            weakref.WeakValueDictionary()
        )
        self._classes: dict[str, type[Exception]] = {}
        self._output = sys.stdout
        self._room = _MOST_PRINTED

    def defined(self, names: list[str]) -> list[str]:
        """Return which of the names the program defines, if it is one of them."""
        looks = zip(names, self._look(names))  # noqa: B905
        found = [name for name, (kind, _) in looks if kind != "missing"]
        if len(found) > 1:
            self._end("candidate", f"the program replaces {' and '.join(found)}")
        return found

    def named(self, name: str) -> object:
        """Return what the assertions get under a name of the program.

        Data is the plain value, or a handle. A standard module or class is the assertions' own, and
        an exception class is one of theirs. All else is a proxy.

        Raises:
            KeyError: if the program lacks it.
        """
        if name.startswith("__"):
            raise KeyError(name)
        ((kind, about),) = self._look([name])
        if name in MODULES and (kind in ("module", "missing")):
            return _own_module(name)
        if kind == "missing":
            self.missing.append(name)
            raise KeyError(name)
        if kind == "value" and not (name in MODULES and type(about) is handles.Handle):
            self.calls += 1
            return about
        if kind == "module":
            try:
                return module_called(name)
            except ImportError as error:
                self._end("candidate", f"{name} of the program cannot be imported ({error})")
        if kind == "class" and (found := class_called(name)):
            return found
        if kind == "exception" and (found := exception_class(about, self._classes)):
            return found
        return Proxy(name, self)

    def _look(self, names: list[str]) -> list[tuple[str, Any]]:
        """Return the kind of what the program has under each name, and what there is to know."""
        if not names:
            return []
        self.looked = True
        head = values.encode(["look", names, False])
        kind, *rest = self._exchange(f"[{head},[],{values.encode({})}]")
        if kind != "ok":
            self._end("candidate", str(rest[0])[:SHOWN_CHARS])
        looks: Any = rest[0]
        if type(looks) is not list or len(looks) != len(names) or not all(map(_is_look, looks)):
            self._end("candidate", _UNREADABLE)
        return list(looks)

    def ask(
        self,
        operation: str,
        subject: Any,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> object:
        """Return the outcome of one operation on the candidate's function or value.

        Args:
            operation: One of `handles.OPERATIONS`.
            subject: A proxy or a handle.
            arguments: Its positional arguments after the subject.
            named: Its named arguments.

        Raises:
            Exception: if the candidate raised a built-in exception.
            BaseException: if there is no value; `fault` has the reason.
        """
        if self.closed:  # for a message
            return subject._kind
        name: str = subject._kind
        reached = name if type(subject) is Proxy else subject
        try:
            items = ",".join([values.encode(each, self._reference) for each in arguments])
            head = values.encode([operation, reached, self._captures()], self._reference)
            request = f"[{head},[{items}],{values.encode(named, self._reference)}]"
        except values.NotPlainError as error:
            if self.calls and values.TOO_DEEP in str(error):
                # Only a value of the candidate can nest so deeply; the tests pass it back.
                self._end("candidate", f"the tests pass {name} its own result, {error}")
            raise TestsError(f"the assertions pass {name} {error}") from None
        self.calls += operation not in handles.ABOUT
        kind, *rest = self._exchange(request)
        if kind == "ok":
            value, after, named_after = rest
            _put_back(arguments, after)
            _put_back(named.values(), map(named_after.get, named))
            if operation == "call":
                self.last = f"{name} returned {_short(value)}"
            return value
        if kind == "raised":
            kinds, message, *place = rest
            self.last = f"{name} raised {kinds[0][:SHOWN_CHARS]}: {message[:SHOWN_CHARS]}"
            own = [error for number, error in self._raised if [number] == place]
            raise own[0] if own else exception_of(name, kinds, message, self._classes)
        reason = rest[0][:SHOWN_CHARS]
        if kind == "unplain":
            reason = f"{name} returned {reason}"
        return self._end("candidate", reason)

    def _exchange(self, request: str) -> list[Any]:
        """Return the outcome of one call, in the form that calls.py defines."""
        outcome = self._deliver(request)
        while outcome[0] in ("ask", "printed"):
            if outcome[0] == "ask":
                outcome = self._deliver(self._answer(*outcome[1:]))
            else:
                self._print(outcome[1][: self._room])
                outcome = self._deliver("")
        return outcome

    def _captures(self) -> bool:
        """Return True if the assertions have put another stream in place of standard output."""
        return sys.stdout is not None and sys.stdout is not self._output

    def _print(self, text: str) -> None:
        """Write what the candidate printed to the assertions' own stream."""
        if self._captures():
            self._room -= len(text)
            with suppress(Exception):  # a stream that they closed
                sys.stdout.write(text)

    def _deliver(self, message: str) -> list[Any]:
        """Send a message unless it is empty, and return the candidate's next one."""
        answer = None
        begun = time.monotonic()
        try:
            with suppress(ConnectionError):  # the candidate has ended
                if message:
                    send(message)
                answer = receive(begun + self._patience_s)
        except TimeoutError:
            self._end("slow", "")
        self._patience_s -= time.monotonic() - begun
        if answer is None:
            self._end("gone", "")
        try:
            outcome = _decoded(answer, self._given)
        except values.UnreadableError:
            outcome = None
        if not _is_outcome(outcome):
            self._end("candidate", _UNREADABLE)
        return list(outcome)

    def _answer(self, number: int, arguments: list[object], named: dict[str, Any]) -> str:
        """Call a function that the candidate was lent, and return the answer."""
        if not 0 <= number < len(self._lent):
            self._end("candidate", "the candidate calls a function that it was not given")
        function = self._lent[number]
        try:
            value = function(*arguments, **named)
        except (CandidateError, TestsError):
            raise
        except BaseException as error:
            if self.fault:  # it hides that the candidate failed
                raise
            place = next(self._places)
            self._raised.append((place, error))
            return calls.raised(error, place)
        try:
            return f'["ok",{values.encode(value, self._reference)}]'
        except values.NotPlainError as error:
            if values.TOO_DEEP in str(error):
                self._end("candidate", f"the tests get {error}")
            name = name_of(function)
            raise TestsError(f"{name} of the assertions returns {error}") from None

    def _reference(self, value: object) -> object:
        """Return what a message has in place of a value that is not plain.

        Raises:
            NotPlainError: if the value cannot cross.
        """
        try:
            return handles.reference(value)
        except values.NotPlainError:
            if not isinstance(value, _FUNCTIONS):
                raise
        places = [place for place, lent in enumerate(self._lent) if lent is value]
        if not places:
            places = [len(self._lent)]
            self._lent.append(value)
        return [places[0], name_of(value)]

    def _given(self, given: Any) -> object:
        """Return the handle, or the function of the assertions, that an answer names."""
        number, kind = given
        if type(number) is not int or (kind is not None and type(kind) is not str):
            raise ValueError("no handle")
        if kind is None:
            return self._lent[number] if number >= 0 else None
        known = self._handles.get(number)
        if known is None:  # its truth is the candidate's
            known = handles.Handle(self.ask, number, kind[:SHOWN_CHARS])
            self._handles[number] = known
        return known

    def _end(self, kind: str, why: str) -> NoReturn:
        self.fault = [kind, why]
        raise CandidateError(why)


def _decoded(answer: bytes, handle: Callable[[Any], object]) -> Any:
    """Return the answer's value, read with a limited depth of recursion."""
    limit = sys.getrecursionlimit()
    with suppress(RecursionError):  # the assertions' own stack is deeper
        sys.setrecursionlimit(min(limit, _MOST_RECURSION))
    try:
        return values.decode(answer, handle)
    finally:
        sys.setrecursionlimit(limit)


def _is_outcome(outcome: Any) -> bool:
    if type(outcome) is not list or not outcome:
        return False
    kind, rest = outcome[0], outcome[1:]
    if kind == "ok":
        return [type(part) for part in rest[1:]] == [list, dict]
    if kind == "ask":
        return [type(part) for part in rest] == [int, list, dict] and _are_texts(rest[2])
    if kind == "raised":
        texts = [*rest[0], rest[1]] if len(rest) in (2, 3) and type(rest[0]) is list else []
        return len(texts) > 1 and _are_texts(texts)
    return kind in ("unplain", "failed", "printed") and [type(part) for part in rest] == [str]


def _is_look(look: Any) -> bool:
    """Tell whether an answer is what `answering` gives for one name."""
    if type(look) is not tuple or len(look) != 2 or type(look[0]) is not str:
        return False
    return look[0] != "exception" or (type(look[1]) is list and _are_texts(look[1]))


def _are_texts(found: Iterable[object]) -> bool:
    return all(type(each) is str for each in found)


class Proxy(handles.Handle):
    """A name of the candidate's program."""

    def __init__(self, name: str, channel: Channel) -> None:
        super().__init__(channel.ask, -1, name)
        object.__setattr__(self, "__name__", name)

    def __getattr__(self, name: str) -> object:
        if self._kind in MODULES and not name.startswith("__"):
            return getattr(_own_module(self._kind), name)  # the program's could answer for it
        return super().__getattr__(name)


def is_data(value: object) -> bool:
    """Tell whether a name of the program has data, which the program may change."""
    return not isinstance(value, (Proxy, type, types.ModuleType))


def _own_module(name: str) -> object:
    try:
        return module_called(name)
    except ImportError as error:
        raise TestsError(f"they use {name}, which they cannot import ({error})") from None


def _put_back(arguments: Iterable[Any], after: Iterable[Any]) -> None:
    """Apply the candidate's changes to the caller's own arguments."""
    for mine, theirs in zip(arguments, after, strict=False):
        if type(mine) is not type(theirs) or mine is theirs:
            continue
        if isinstance(mine, (list, bytearray)):
            if mine != theirs:
                mine[:] = theirs
        elif isinstance(mine, (dict, set)) and mine != theirs:
            mine.clear()
            mine.update(theirs)


def name_of(function: object) -> str:
    """Return a function's name, or its kind."""
    name: object = getattr(function, "__name__", None)
    return name[:SHOWN_CHARS] if isinstance(name, str) else values.kind_of(function)


def _short(value: object) -> str:
    if type(value) is handles.Handle:
        return value._kind
    if not _is_plain(value):
        return f"{values.kind_of(value)} with values that are not plain data"
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than may be shown
        text = "a very long integer"
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "..."


def _is_plain(value: object) -> bool:
    if type(value) not in (list, tuple, dict):
        return type(value) is not handles.Handle
    if type(value) is dict:
        return all(map(_is_plain, value.values()))
    return all(map(_is_plain, value))  # type: ignore[call-overload]  # a list or a tuple
