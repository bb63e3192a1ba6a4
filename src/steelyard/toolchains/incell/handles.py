"""Values that stay in the candidate's process, and what the assertions hold in their place.

A handle asks the candidate for its truth, length, items, attributes, text and calls, and sets items
and attributes. Each answer is plain data or another handle. A handle equals itself alone and has no
order, whatever the value in the candidate's process answers: only data that arrived can be equal to
an expected value. The same object has the same handle.
"""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from steelyard.schemas import values
from steelyard.toolchains.incell import calls

Ask = Callable[[str, object, "tuple[object, ...]", "dict[str, object]"], Any]

OPERATIONS: dict[str, Callable[..., object]] = {
    "call": lambda target, /, *arguments, **named: target(*arguments, **named),
    "attribute": getattr,
    "item": operator.getitem,
    "slice": lambda target, *bounds: target[slice(*bounds)],
    "set attribute": setattr,
    "set item": operator.setitem,
    "enter": lambda target: target.__enter__(),
    "exit": lambda target: target.__exit__(None, None, None),
    "iterate": iter,
    "next": lambda iterator: list(itertools.islice(iterator, 1)),  # empty at its end
    "length": len,
    "truth": bool,
    "text": str,
    "repr": repr,
    "kind": lambda kind, value: isinstance(value, kind),
}
ABOUT: dict[str, type] = {"length": int, "truth": bool, "text": str, "repr": str, "kind": bool}
"""The operations that prove nothing by themselves, and the kind that their answer must have."""


LENT = "_steelyard_place"
"""The attribute of an exception that a function of the assertions raised: its place there."""


class Kept:
    """The values behind handles, and the functions of the assertions that the candidate was lent.

    Args:
        ask: Calls a function of the assertions by its number and name.
        find: Returns the candidate's function of a name.
    """

    def __init__(self, ask: Callable[..., object], find: Callable[[str], object]) -> None:
        self._ask, self._find = ask, find
        self._values: list[object] = []
        self._numbers: dict[int, int] = {}
        self._lent: dict[int, object] = {}

    def encode(self, value: object) -> str:
        """Return a value as text, with handles for what is not plain data.

        Raises:
            NotPlainError: if it nests too deeply.
        """
        return values.encode(value, self._keep)

    def decode(self, text: bytes) -> Any:
        """Return the values that a request encodes."""
        return values.decode(text, self._found)

    def raised(self, error: BaseException) -> str:
        """Return the outcome for an exception."""
        place = getattr(error, "__dict__", {}).get(LENT)
        return calls.raised(error, place if type(place) is int else None)

    def _found(self, given: Any) -> object:
        which, *name = given
        if which is None:
            return self._find(name[0])
        if name:
            return self._borrowed(which, name[0])
        return getattr(builtins, which) if type(which) is str else self._values[which]

    def _borrowed(self, number: int, name: str) -> object:
        """Return a function that calls the assertions' own; always the same for the same one."""
        if number not in self._lent:

            def lent(*arguments: object, **named: object) -> object:
                return self._ask(number, name, list(arguments), named)

            lent.__name__ = lent.__qualname__ = name
            self._lent[number] = lent
        return self._lent[number]

    def _keep(self, value: object) -> object:
        for number, lent in self._lent.items():
            if lent is value:
                return [number, None]
        number = self._numbers.setdefault(id(value), len(self._values))
        if number == len(self._values):
            self._values.append(value)  # and keeps its id
        return [number, values.kind_of(value)]


class Handle:
    """One value of the candidate, in the assertions' process."""

    __slots__ = ("__weakref__", "_ask", "_kind", "_number")

    _ask: Ask
    _kind: str
    _number: int

    def __init__(self, ask: Ask, number: int, kind: str) -> None:
        for name, value in zip(self.__slots__[1:], (ask, kind, number)):  # noqa: B905
            object.__setattr__(self, name, value)

    def __call__(self, /, *arguments: object, **named: object) -> object:
        """Call the value in the candidate's process."""
        return self._ask("call", self, arguments, named)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, Handle) and self._checked("kind", value)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # numpy and others read memory that such attributes describe
            raise AttributeError(f"{name} of {self._kind} stays in the program's process")
        return self._ask("attribute", self, (name,), {})

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            raise AttributeError(f"{name} of {self._kind} stays in the program's process")
        self._ask("set attribute", self, (name, value), {})

    def __setitem__(self, key: object, value: object) -> None:
        self._ask("set item", self, (key, value), {})

    def __enter__(self) -> object:
        return self._ask("enter", self, (), {})

    def __exit__(self, *_: object) -> None:
        # What it answers would decide whether a failed assertion counts.
        self._ask("exit", self, (), {})

    def __getitem__(self, key: object) -> object:
        if type(key) is slice:
            return self._ask("slice", self, (key.start, key.stop, key.step), {})
        return self._ask("item", self, (key,), {})

    def __iter__(self) -> Iterator[object]:
        iterator = self._ask("iterate", self, (), {})
        if type(iterator) is not Handle:
            raise TypeError(f"{self._kind} is not iterable")
        return iterator

    def __next__(self) -> object:
        item = self._ask("next", self, (), {})
        if type(item) is not list or not item:
            raise StopIteration
        return item[0]

    def __len__(self) -> int:
        return self._checked("length")  # type: ignore[no-any-return]  # checked there

    def __bool__(self) -> bool:
        return self._checked("truth")  # type: ignore[no-any-return]  # checked there

    def __str__(self) -> str:
        return self._checked("text")  # type: ignore[no-any-return]  # checked there

    def __repr__(self) -> str:
        return self._checked("repr")  # type: ignore[no-any-return]  # checked there

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError(f"{self._kind} stays in the program's process")

    def _checked(self, operation: str, *arguments: object) -> Any:
        answer = self._ask(operation, self, arguments, {})
        if type(answer) is not ABOUT[operation]:
            raise TypeError(
                f"the {operation} of {self._kind} is not of type {ABOUT[operation].__name__}"
            )
        return answer


def reference(value: object) -> object:
    """Return what a request has in place of a handle, or of a built-in class or function.

    Raises:
        NotPlainError: if the value is neither.
    """
    if isinstance(value, Handle):
        return [value._number] if type(value) is Handle else [None, value._kind]
    name = getattr(value, "__name__", None)
    if type(name) is str and name[:1] != "_" and getattr(builtins, name, reference) is value:
        return [name]
    raise values.NotPlainError(f"{values.kind_of(value)}, which is not plain data")
