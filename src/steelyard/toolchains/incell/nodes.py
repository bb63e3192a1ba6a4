"""Lists and trees of nodes: made of plain lists where annotations say so, and made plain again."""

from __future__ import annotations

import ast
import collections
import typing
from contextlib import suppress
from typing import Any, NamedTuple

_MOST_NODES = 10_000_000
_NODES = ("ListNode", "TreeNode")
_CHOICES = ("union", "uniontype", "optional", "annotated")
_LISTS = ("list", "sequence", "iterable", "collection")


class ListNode:
    """A node of a singly linked list."""

    def __init__(self, val: object = 0, next: ListNode | None = None) -> None:  # noqa: A002
        self.val = val
        self.next = next


class TreeNode:
    """A node of a binary tree."""

    def __init__(
        self, val: object = 0, left: TreeNode | None = None, right: TreeNode | None = None
    ) -> None:
        self.val = val
        self.left = left
        self.right = right


class Shape(NamedTuple):
    """Where an annotation puts nodes."""

    name: str
    """`ListNode`, `TreeNode`, or in lower case what stands before the brackets."""
    parts: tuple[Shape | None, ...] = ()
    """What stands in the brackets; None for what speaks of no nodes."""

    def at(self, place: int) -> Shape | None:
        """The shape of a sequence's item."""
        if self.name != "tuple" or len(self.parts) < 2:
            return self.parts[0]
        return self.parts[place] if place < len(self.parts) else None

    @property
    def lacks_as_list(self) -> bool:
        """Whether None stands for an empty list."""
        if self.name in _CHOICES:
            return any(part is not None and part.lacks_as_list for part in self.parts)
        return self.name in _NODES or self.name in _LISTS

    @property
    def chosen(self) -> Shape | None:
        """Itself, or the first part with nodes where it is a choice."""
        if self.name not in _CHOICES:
            return self
        first = next(part for part in self.parts if part is not None)
        return first.chosen


def shape_of(annotation: object) -> Shape | None:
    """What an annotation says of nodes; None where it speaks of none."""
    name, inside = _taken_apart(annotation)
    if name in _NODES:
        return Shape(name)
    if name.lower() == "tuple" and len(inside) == 2 and _is_ellipsis(inside[1]):
        inside = inside[:1]
    parts = tuple(map(shape_of, inside))
    return Shape(name.lower(), parts) if any(part is not None for part in parts) else None


def _taken_apart(annotation: Any) -> tuple[str, list[Any]]:
    """The last part of its name, and what stands in its brackets."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    elif isinstance(annotation, ast.Constant):
        annotation = annotation.value
    if isinstance(annotation, str):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return _taken_apart(ast.parse(annotation.strip(), mode="eval").body)
        return "", []
    if isinstance(annotation, ast.BinOp):
        return "union", [annotation.left, annotation.right]
    if isinstance(annotation, ast.Subscript):
        index = annotation.slice
        return _taken_apart(annotation.value)[0], getattr(index, "elts", [index])
    if isinstance(annotation, ast.AST):
        return str(getattr(annotation, "attr", getattr(annotation, "id", ""))), []
    named = typing.get_origin(annotation) or annotation
    return str(getattr(named, "__name__", "")), list(typing.get_args(annotation))


def _is_ellipsis(part: Any) -> bool:
    return part is ... or (isinstance(part, ast.Constant) and part.value is ...)


class Nodes:
    """Makes nodes of lists and lists of nodes, with a program's own classes if it has them."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._list_nodes = (names.get("ListNode", ListNode), ListNode)
        self._tree_nodes = (names.get("TreeNode", TreeNode), TreeNode)

    def build(self, value: Any, shape: Shape | None) -> Any:
        """A plain argument with nodes where the annotation has them."""
        shape = shape and shape.chosen
        if shape is None:
            return value
        if shape.name in _NODES:
            if value is not None and not isinstance(value, (list, tuple)):
                return value
            if shape.name == "ListNode":
                return _linked(value, self._list_nodes[0])
            return _tree(value, self._tree_nodes[0])
        if isinstance(value, dict):
            return {key: self.build(item, shape.parts[-1]) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.build(item, shape.at(at)) for at, item in enumerate(value))
        return value

    def plain(self, value: Any, shape: Shape | None) -> Any:
        """Lists in place of nodes; anything else as it is."""
        if isinstance(value, self._list_nodes):
            return _values_of_list(value)
        if isinstance(value, self._tree_nodes):
            return _values_of_tree(value)
        if value is None and shape is not None and shape.lacks_as_list:
            return []
        shape = shape and shape.chosen
        if shape is None or shape.name in _NODES:
            return self._plain_inside(value)
        if isinstance(value, dict):
            return {key: self.plain(item, shape.parts[-1]) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            kind = list if isinstance(value, list) else tuple
            return kind(self.plain(item, shape.at(at)) for at, item in enumerate(value))
        return value

    def _plain_inside(self, value: Any) -> Any:
        """The nodes that lie right in a container of which no annotation speaks."""
        kinds = (*self._list_nodes, *self._tree_nodes)
        if type(value) is dict and any(isinstance(item, kinds) for item in value.values()):
            return {key: self.plain(item, None) for key, item in value.items()}
        if type(value) in (list, tuple) and any(isinstance(item, kinds) for item in value):
            return type(value)(self.plain(item, None) for item in value)
        return value


def put_back(given: Any, after: Any) -> None:
    """Shows in a plain argument what became of it."""
    if given is after:
        return
    if type(given) is list:
        given[:] = after if type(after) is list else []
    elif type(given) is dict and type(after) is dict:
        given.clear()
        given.update(after)
    elif type(given) is tuple and type(after) is tuple:
        for mine, theirs in zip(given, after, strict=False):
            put_back(mine, theirs)


def _linked(items: Any, node: Any) -> object:
    head = None
    for item in reversed(items or []):
        first = node(item)
        first.next = head
        head = first
    return head


def _tree(items: Any, node: Any) -> object:
    """A tree from its values level by level, None for a child that is not there."""
    if not items or items[0] is None:
        return None
    rest = iter(items)
    root = node(next(rest))
    level = collections.deque([root])
    for value in rest:
        parent = level[0]
        left = parent if value is None else node(value)
        if value is not None:
            parent.left = left
            level.append(left)
        following = next(rest, None)
        if following is not None:
            parent.right = node(following)
            level.append(parent.right)
        level.popleft()
        if not level:
            break
    return root


def _values_of_list(node: Any) -> list[object]:
    values: list[object] = []
    seen: set[int] = set()
    while node is not None:
        if id(node) in seen or len(values) > _MOST_NODES:
            raise ValueError("the list of nodes runs in a circle")
        seen.add(id(node))
        values.append(node.val)
        node = node.next
    return values


def _values_of_tree(root: Any) -> list[object]:
    values: list[object] = []
    level, depth = [root], 0
    seen: set[int] = set()  # a subtree may well hang in two places, but none below itself
    while level:
        values += [None if node is None else node.val for node in level]
        nodes = [node for node in level if node is not None]
        seen.update(map(id, nodes))
        level = [child for node in nodes for child in (node.left, node.right)]
        depth += 1
        if depth > len(seen) + 1 or len(values) > _MOST_NODES:
            raise ValueError("the tree of nodes runs in a circle")
    while values and values[-1] is None:
        values.pop()
    return values
