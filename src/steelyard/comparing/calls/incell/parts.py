"""What a call's arguments are made of, and the same arguments with one part put in another's place.

A place is a path of steps from the call to a value inside it. Nothing is changed where it lies:
`put` copies what stands on the path and shares the rest.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import pickle
import sys
import types
from collections import deque
from collections.abc import Iterator
from typing import Any, TypeVar

from steelyard.values.incell.snapshot import content_keys

Item = TypeVar("Item")
Call = tuple[tuple[object, ...], dict[str, object]]
"""The positional arguments, a method's object first, and the keyword arguments."""
Step = tuple[str, Any]
"""How a part is reached: `("item", 3)`, `("field", "name")` and so on."""
Path = tuple[Step, ...]

_MOST_DEPTH = 8
_ATOMIC = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.GeneratorType,
    types.CoroutineType,
    BaseException,
)
_LIBRARIES = frozenset(
    {
        "numpy",
        "pandas",
        "polars",
        "pyarrow",
        "scipy",
        "torch",
        "jax",
        "jaxlib",
        "xarray",
        "tensorflow",
        "sklearn",
        "matplotlib",
        "sqlalchemy",
        "django",
    }
)
"""Their objects keep invariants in fields that no user sets."""
_PICKLE = 5


def places(call: Call, *, most: int, ends: int | None = None) -> list[tuple[Path, object]]:
    """The places of a call, those nearest to its top first.

    Args:
        call: The call.
        most: At most so many places.
        ends: Of a longer container only so many first and so many last parts; None for all.

    Returns:
        Each place with its value; the call itself is none.
    """
    args, kwargs = call
    found: list[tuple[Path, object]] = [((("arg", i),), value) for i, value in enumerate(args)]
    found += [((("kwarg", name),), value) for name, value in kwargs.items()]
    above: list[frozenset[int]] = [frozenset()] * len(found)
    turn = 0
    while turn < len(found) and len(found) < most:
        path, value = found[turn]
        around = above[turn] | {id(value)}
        turn += 1
        if len(path) > _MOST_DEPTH:
            break
        for step, part in parts(value, ends=ends):
            if id(part) not in around:
                found.append(((*path, step), part))
                above.append(around)
    return found[:most]


def parts(value: object, *, ends: int | None = None) -> list[tuple[Step, object]]:
    """The parts of a value with the step that leads to each; none where it has none.

    Args:
        value: The value.
        ends: Only so many of its first and so many of its last parts; None for all.
    """
    if isinstance(value, (list, tuple, deque)):
        return [(("item", i), value[i]) for i in _indices(len(value), ends)]
    if isinstance(value, dict):
        pairs = list(value.items())
        shown = [(i, pairs[i]) for i in _indices(len(pairs), ends)]
        inner: list[tuple[Step, object]] = [(("value", i), part) for i, (_, part) in shown]
        return inner + [(("key", i), key) for i, (key, _) in shown]
    if isinstance(value, (set, frozenset)):
        elements = ordered(value)
        return [(("element", i), elements[i]) for i in _indices(len(elements), ends)]
    return [(("field", name), getattr(value, name)) for name in fields(value)]


def _indices(length: int, ends: int | None) -> list[int]:
    if ends is None or length <= 2 * ends:
        return list(range(length))
    return [*range(ends), *range(length - ends, length)]


def at(call: Call, path: Path) -> object:
    """The value at a place."""
    value: Any = call
    for kind, where in path:
        if kind == "arg":
            value = value[0][where]
        elif kind == "kwarg":
            value = value[1][where]
        elif kind == "field":
            value = getattr(value, where)
        elif kind == "item":
            value = value[where]
        elif kind == "value":
            value = list(value.values())[where]
        else:
            value = (list(value) if kind == "key" else ordered(value))[where]
    return value


def twins(found: list[tuple[Path, object]]) -> dict[int, list[Path]]:
    """The places at which one and the same object stands that has parts, by its `id`."""
    all_of: dict[int, list[Path]] = {}
    for path, value in found:
        if parts(value):
            all_of.setdefault(id(value), []).append(path)
    return {mark: paths for mark, paths in all_of.items() if len(paths) > 1}


def put(call: Call, path: Path, part: object) -> Call:
    """The call with another value at a place; what is not on the way is shared.

    Raises:
        Exception: An object on the way does not take the value: whatever its class raises.
    """
    (kind, where), *inner = path
    args, kwargs = call
    old = args[where] if kind == "arg" else kwargs[where]
    value = _put(old, inner, part)
    if kind == "arg":
        return (*args[:where], value, *args[where + 1 :]), kwargs
    return args, {**kwargs, where: value}


def _put(value: Any, path: list[Step], part: object) -> object:
    if not path:
        return part
    (kind, where), *inner = path
    if kind == "field":
        return _with_field(value, where, _put(getattr(value, where), inner, part))
    if kind == "item":
        items = list(value)
        items[where] = _put(items[where], inner, part)
        return rebuilt(value, items)
    if kind == "element":
        items = ordered(value)
        items[where] = _put(items[where], inner, part)
        return rebuilt(value, items)
    pairs = list(value.items())
    key, item = pairs[where]
    pairs[where] = (
        (_put(key, inner, part), item) if kind == "key" else (key, _put(item, inner, part))
    )
    return rebuilt(value, pairs)


def rebuilt(value: Any, items: list[Any]) -> Any:
    """A container of the same kind with other items; a dict's items are its pairs."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset, dict):
        return kind(items)
    if isinstance(value, tuple):
        make = getattr(kind, "_make", kind)
        return make(items)
    if isinstance(value, frozenset):
        return kind(items)
    made = copy.copy(value)
    made.clear()
    if isinstance(value, (list, deque)):
        made.extend(items)
    else:
        made.update(dict(items) if isinstance(value, dict) else items)
    return made


def build_of(value: object) -> tuple[object, ...]:
    """A value's type, with a tuple's length and an array's number of dimensions."""
    length = len(value) if isinstance(value, tuple) else None
    return type(value), length, getattr(value, "ndim", None)


def ordered(value: set[Any] | frozenset[Any]) -> list[Any]:
    """The elements of a set in an order that is the same in each process, where they have one."""
    elements = list(value)
    keys = [
        (type(each).__name__, key)
        for each, key in zip(elements, content_keys(elements), strict=True)
    ]
    return [elements[at] for at in sorted(range(len(elements)), key=keys.__getitem__)]


def fields(value: object) -> list[str]:
    """The public fields of an object of the user's own class; none of any other value.

    Fields that begin with an underscore are left out: an object keeps them in step with each
    other, and with one changed alone it is in a state that no program reaches.
    """
    kind = type(value)
    home = str(kind.__module__).partition(".")[0]
    if isinstance(value, (*_ATOMIC, int, float, complex, str, bytes)):
        return []
    if kind is not types.SimpleNamespace and (
        home in sys.stdlib_module_names or home in _LIBRARIES
    ):
        return []
    names = [name for name in getattr(value, "__dict__", {}) if isinstance(name, str)]
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else [str(name) for name in slots]
    return [
        name for name in dict.fromkeys(names) if not name.startswith("_") and _present(value, name)
    ]


def _present(value: object, name: str) -> bool:
    try:
        getattr(value, name)
    except Exception:  # a property may raise anything
        return False
    return True


def _with_field(value: Any, name: str, part: object) -> object:
    """A copy of an object with another value in a field, through its class's own checks."""
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        declared = dataclasses.fields(value)
        if any(field.name == name for field in declared) and all(field.init for field in declared):
            return dataclasses.replace(value, **{name: part})
    attr = sys.modules.get("attr")
    if attr is not None and attr.has(kind):
        return attr.evolve(value, **{name: part})
    model = getattr(kind, "model_fields", None)
    if model is not None and hasattr(kind, "model_validate"):
        given = {**vars(value), name: part}
        return kind.model_validate(
            {_alias(model, own): each for own, each in given.items() if own in model}
        )
    made = copy.copy(value)
    object.__setattr__(made, name, part)
    return made


def _alias(model: Any, name: str) -> str:
    """By what name pydantic takes a field."""
    alias = model[name].validation_alias or model[name].alias
    return alias if isinstance(alias, str) else name


def pickled(call: Call) -> bytes | None:
    """The call's pickle; None where it has none."""
    try:
        return pickle.dumps(call, _PICKLE)
    except Exception:  # classes say themselves how they are pickled, and may raise anything
        return None


def digest(call: Call) -> bytes | None:
    """What tells a call from another one; None where it has no pickle."""
    data = pickled(call)
    return None if data is None else hashlib.blake2b(data, digest_size=16).digest()


def copied(call: Call) -> Call | None:
    """A deep copy of a call, through its pickle where it has one; None where there is no way."""
    try:
        data = pickled(call)
        if data is not None:
            made: Call = pickle.loads(data)  # noqa: S301 - bytes of our own, a line above
            return made
        return copy.deepcopy(call)
    except Exception:  # as for pickles
        return None


class Distinct:
    """Keeps calls that differ from all kept before, each as a copy of its own.

    Args:
        first: Calls that count as kept.
    """

    def __init__(self, first: list[Call]) -> None:
        self._seen = {mark for call in first if (mark := digest(call)) is not None}

    def take(self, call: Call) -> Call | None:
        """A deep copy of the call; None where it is known or cannot be copied."""
        made = copied(call)
        # Of the copy: which equal parts of the call are one object is chance.
        mark = None if made is None else digest(made)
        if mark is None:
            return made
        if mark in self._seen:
            return None
        self._seen.add(mark)
        return made


def alternated(sources: list[Iterator[Item]]) -> Iterator[Item]:
    """One of each source in turn, until all are at their end."""
    while sources:
        for source in list(sources):
            for item in source:
                yield item
                break
            else:
                sources.remove(source)
