"""Convert plain lists to lists and trees of nodes, as annotations require, and back."""

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
    """The positions of nodes in an annotated value."""

    name: str
    """`ListNode`, `TreeNode`, or the name before the brackets in lower case."""
    parts: tuple[Shape | None, ...] = ()
    """The shapes in the brackets; None for a part without nodes."""

    def at(self, index: int) -> Shape | None:
        """Return the shape of a sequence's item."""
        if self.name != "tuple" or len(self.parts) < 2:
            return self.parts[0]
        return self.parts[index] if index < len(self.parts) else None

    @property
    def lacks_as_list(self) -> bool:
        """True if None means an empty list."""
        if self.name in _CHOICES:
            return any(part is not None and part.lacks_as_list for part in self.parts)
        return self.name in _NODES or self.name in _LISTS

    @property
    def chosen(self) -> Shape | None:
        """The shape itself or, if it is a union, the first part with nodes."""
        if self.name not in _CHOICES:
            return self
        first = next(part for part in self.parts if part is not None)
        return first.chosen


def shape_of(annotation: object) -> Shape | None:
    """Return the shape of an annotation; None if it has no nodes."""
    name, inside = _split_annotation(annotation)
    if name in _NODES:
        return Shape(name)
    if name.lower() == "tuple" and len(inside) == 2 and _is_ellipsis(inside[1]):
        inside = inside[:1]
    parts = tuple(map(shape_of, inside))
    return Shape(name.lower(), parts) if any(part is not None for part in parts) else None


def _split_annotation(annotation: Any) -> tuple[str, list[Any]]:
    """Return the last part of an annotation's name, and the contents of its brackets."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    elif isinstance(annotation, ast.Constant):
        annotation = annotation.value
    if isinstance(annotation, str):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return _split_annotation(ast.parse(annotation.strip(), mode="eval").body)
        return "", []
    if isinstance(annotation, ast.BinOp):
        return "union", [annotation.left, annotation.right]
    if isinstance(annotation, ast.Subscript):
        index = annotation.slice
        return _split_annotation(annotation.value)[0], getattr(index, "elts", [index])
    if isinstance(annotation, ast.AST):
        return str(getattr(annotation, "attr", getattr(annotation, "id", ""))), []
    named = typing.get_origin(annotation) or annotation
    return str(getattr(named, "__name__", "")), list(typing.get_args(annotation))


def _is_ellipsis(part: Any) -> bool:
    return part is ... or (isinstance(part, ast.Constant) and part.value is ...)


class Nodes:
    """Convert lists to nodes and back, with a program's own classes if it has them."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._list_nodes = (names.get("ListNode", ListNode), ListNode)
        self._tree_nodes = (names.get("TreeNode", TreeNode), TreeNode)

    def build(self, value: Any, shape: Shape | None) -> Any:
        """Return a plain argument with the nodes that its annotation requires."""
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
        """Return a value with lists instead of nodes."""
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
        """Return an unannotated container with lists instead of the nodes directly in it."""
        kinds = (*self._list_nodes, *self._tree_nodes)
        if type(value) is dict and any(isinstance(item, kinds) for item in value.values()):
            return {key: self.plain(item, None) for key, item in value.items()}
        if type(value) in (list, tuple) and any(isinstance(item, kinds) for item in value):
            return type(value)(self.plain(item, None) for item in value)
        return value


def put_back(given: Any, after: Any) -> None:
    """Apply a call's changes to a plain argument."""
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
    """Return a tree from its values level by level, with None for a missing child."""
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
            raise ValueError("the list of nodes has a cycle")
        seen.add(id(node))
        values.append(node.val)
        node = node.next
    return values


def _values_of_tree(root: Any) -> list[object]:
    values: list[object] = []
    level, depth = [root], 0
    seen: set[int] = set()  # a subtree may have two parents, but never itself as a descendant
    while level:
        values += [None if node is None else node.val for node in level]
        nodes = [node for node in level if node is not None]
        seen.update(map(id, nodes))
        level = [child for node in nodes for child in (node.left, node.right)]
        depth += 1
        if depth > len(seen) + 1 or len(values) > _MOST_NODES:
            raise ValueError("the tree of nodes has a cycle")
    while values and values[-1] is None:
        values.pop()
    return values
