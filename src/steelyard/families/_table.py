"""The one table of named families, which the expander and the makers of inputs share."""

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin

Kind = Literal["values", "order", "text", "tree", "graph", "form"]
"""`values`: numbers `(n, low, high, seed)`. `order`: arranges a list `(items, seed)`; with
`(n, low, high, seed)` it arranges such a list of random numbers. `text`: makes text. `tree` and
`graph`: lists of edges. `form`: gives values another form, such as rows or pairs."""
Maker = TypeVar("Maker", bound=Callable[..., Any])


@dataclass(frozen=True)
class Family:
    """One named generator."""

    name: str
    kind: Kind
    make: Callable[..., Any]
    weigh: Callable[..., int]
    """The most items and characters of the result, computed before it is made."""
    signature: inspect.Signature

    def bound(self, args: Sequence[Any], named: Mapping[str, Any]) -> inspect.BoundArguments:
        """Return the arguments by name, if a call with them is possible.

        Raises:
            ValueError: if one is missing, unknown, or of another type.
        """
        try:
            call = self.signature.bind(*args, **named)
        except TypeError as error:
            raise ValueError(f"{self.name}{self.signature}: {error}") from None
        call.apply_defaults()
        for name, value in call.arguments.items():
            parameter = self.signature.parameters[name]
            values = value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
            if not all(_fits(each, parameter.annotation) for each in values):
                raise ValueError(f"{self.name}{self.signature}: {name} has another type")
        return call

    def call(self, call: inspect.BoundArguments) -> Any:
        """Return what the family makes of the arguments."""
        return self.make(*call.args, **call.kwargs)


FAMILIES: dict[str, Family] = {}


def family(kind: Kind, weigh: Callable[..., int] | None = None) -> Callable[[Maker], Maker]:
    """Enter a function into the table, under its name.

    Args:
        kind: Its kind.
        weigh: From its arguments to the most items of its result. By default the first argument:
            its value, or its length.
    """

    def enter(make: Maker) -> Maker:
        name = make.__name__.rstrip("_")
        FAMILIES[name] = Family(name, kind, make, weigh or _first, inspect.signature(make))
        return make

    return enter


def names_of(kind: Kind) -> tuple[str, ...]:
    """Return the names of all families of a kind, in the order of their definition."""
    return tuple(each.name for each in FAMILIES.values() if each.kind == kind)


def _first(first: int | Sequence[object], *_: object, **__: object) -> int:
    return abs(first) if isinstance(first, int) else len(first)


def _fits(value: object, expected: Any) -> bool:
    if expected is Any:
        return True
    if isinstance(expected, types.UnionType):
        return any(_fits(value, each) for each in get_args(expected))
    if get_origin(expected) is list:
        kind = get_args(expected)[0]
        return isinstance(value, list) and (kind is Any or all(_fits(x, kind) for x in value))
    return type(value) is expected or (expected is float and type(value) is int)
