"""The tree of a constraint: what the closed language can say, with the type of each part."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from steelyard.values import PlainType

INT, FLOAT, BOOL, STR, NONE = (
    PlainType("int"),
    PlainType("float"),
    PlainType("bool"),
    PlainType("str"),
    PlainType("none"),
)

Types = Sequence[PlainType]


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """Something that computes a value from values."""

    name: str
    takes: str
    """One code for each argument. n: a number, i: an int, s: a text, q: anything with items,
    l: a list or tuple, m: a list of rows, e: a list of edges, N: items that are numbers,
    S: items that are texts, B: items that are bools, a: anything. A digit: an optional argument
    with this default. `*`: the code before it repeats. `?`: what follows may be left out."""
    gives: PlainType | Callable[[Types], PlainType]
    run: Callable[..., Any]
    phrase: str
    is_linear: bool = False
    """It reads all items of its arguments."""
    faults: Callable[..., float] | None = None
    """For a predicate: the number of faults."""


Sign = Literal["<", "<=", ">", ">=", "==", "!=", "in", "not in"]


_INVERSE: dict[Sign, Sign] = {
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
}
TURNED: dict[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""The sign for exchanged sides."""


@dataclass(frozen=True, slots=True)
class Const:
    """A number, a text, a bool or None."""

    value: Any
    type: PlainType


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter, or a variable of a loop."""

    name: str
    slot: int
    """Position in the environment of an evaluation."""
    type: PlainType


@dataclass(frozen=True, slots=True)
class Apply:
    """A function, a method, an operator of arithmetic or a predicate, with its arguments."""

    operation: Operation
    args: tuple["Node", ...]
    type: PlainType

    @property
    def name(self) -> str:
        """The operation's name."""
        return self.operation.name


@dataclass(frozen=True, slots=True)
class Chain:
    """Comparisons in a row: `1 <= k <= n`."""

    operands: tuple["Node", ...]
    signs: tuple[Sign, ...]
    type: PlainType = BOOL


@dataclass(frozen=True, slots=True)
class Logic:
    """`and`, `or` over several items; `not` over one."""

    sign: Literal["and", "or", "not"]
    items: tuple["Node", ...]
    type: PlainType = BOOL


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else other`."""

    test: "Node"
    then: "Node"
    other: "Node"
    type: PlainType


@dataclass(frozen=True, slots=True)
class Item:
    """One item: `base[index]`."""

    base: "Node"
    index: "Node"
    type: PlainType


@dataclass(frozen=True, slots=True)
class Part:
    """A slice: `base[low:high:step]`."""

    base: "Node"
    low: "Node | None"
    high: "Node | None"
    step: "Node | None"
    type: PlainType


@dataclass(frozen=True, slots=True)
class Display:
    """A list, a tuple or a set, item by item."""

    items: tuple["Node", ...]
    type: PlainType


Target = int | tuple["Target", ...]
"""The slot of a loop's variable, or a tuple of such for `a, b`."""


@dataclass(frozen=True, slots=True)
class Loop:
    """`for target in source if condition`."""

    target: Target
    names: tuple[str, ...]
    source: "Node"
    conditions: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Many:
    """The values of `body` in all rounds of the loops."""

    body: "Node"
    loops: tuple[Loop, ...]
    type: PlainType


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that is computed once an evaluation. Only evaluations have this node."""

    body: "Node"
    slot: int
    type: PlainType


Node = Kept | Const | Name | Apply | Chain | Logic | Choice | Item | Part | Display | Many


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint of a specification, as it was written and as it was read."""

    text: str
    names: frozenset[str]
    """The parameters that it names."""
    tree: Node = field(repr=False)
    slots: int = field(repr=False)
    """Length of the environment that an evaluation needs."""


def inverted(node: Chain) -> Chain | None:
    """Return the comparison that holds exactly if this one does not; None if there is none.

    Of two sets neither needs to be a part of the other.
    """
    if len(node.signs) != 1:
        return None
    sign = node.signs[0]
    if sign[0] in "<>" and any(each.type.base.kind in ("set", "any") for each in node.operands):
        return None
    return Chain(node.operands, (_INVERSE[sign],))


_PARTS: dict[type, tuple[str, ...]] = {
    Kept: ("body",),
    Apply: ("args",),
    Chain: ("operands",),
    Logic: ("items",),
    Choice: ("test", "then", "other"),
    Item: ("base", "index"),
    Part: ("base", "low", "high", "step"),
    Display: ("items",),
    Many: ("body", "loops"),
    Loop: ("source", "conditions"),
}
"""The fields that hold nodes."""


_Whole = TypeVar("_Whole", bound=Node | Loop)


def rebuilt(node: _Whole, change: Callable[[Node], Any]) -> _Whole:
    """Return a node, or a loop, whose children are changed."""
    names = _PARTS.get(type(node), ())
    return replace(node, **{name: _changed(getattr(node, name), change) for name in names})


def _changed(value: Any, change: Callable[[Node], Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(each, change) for each in value)
    if isinstance(value, Loop):
        return rebuilt(value, change)
    return value and change(value)


def children(node: Node) -> list[Node]:
    """Return the nodes directly below a node."""
    found: list[Node] = []
    rebuilt(node, found.append)
    return found


def weight(node: Node) -> int:
    """Return the number of nodes in a tree, which an evaluation visits at most once each round."""
    return 1 + sum(weight(each) for each in children(node))


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it."""
    yield node
    for each in children(node):
        yield from walk(each)
