"""What solutions in LeetCode's manner expect: names that are there, lists and trees of nodes."""

from __future__ import annotations

import bisect
import collections
import functools
import heapq
import inspect
import itertools
import math
import operator
import random
import re
import string
import typing
from collections.abc import Callable
from typing import Any

_MOST_NODES = 10_000_000


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


def usual_names() -> dict[str, object]:
    """What a solution finds without importing it."""
    names: dict[str, object] = {name: getattr(typing, name) for name in typing.__all__}
    modules = (bisect, collections, functools, heapq, itertools, math, operator, random, re, string)
    names.update((module.__name__, module) for module in modules)
    for module in (collections, functools, heapq, itertools, bisect):
        public = (name for name in dir(module) if not name.startswith("_"))
        names.update((name, getattr(module, name)) for name in public)
    numbers = (name for name in dir(math) if name[0] != "_" and name != "pow")  # a built-in too
    names.update((name, getattr(math, name)) for name in numbers)
    names.update(ListNode=ListNode, TreeNode=TreeNode)
    return names


def converted(method: Callable[..., Any], names: dict[str, Any]) -> Callable[..., object]:
    """The method with lists in place of nodes, where its annotations speak of nodes."""
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        return method
    makers = {
        name: _maker(parameter.annotation, names)
        for name, parameter in signature.parameters.items()
    }
    returns = _kinds(signature.return_annotation)
    if not any(makers.values()) and not returns:
        return method

    def call(*arguments: object, **named: object) -> object:
        taken = [
            maker(argument) if maker else argument
            for maker, argument in itertools.zip_longest(makers.values(), arguments)
        ][: len(arguments)]
        for name, argument in named.items():
            maker = makers.get(name)
            if maker:
                named[name] = maker(argument)
        result = method(*taken, **named)
        for maker, argument, node in zip(makers.values(), arguments, taken, strict=False):
            if maker and type(argument) is list:  # what became of the nodes, for who compares it
                changed = _plain(node, names)
                argument[:] = changed if type(changed) is list else []
        if result is None and returns:
            return []
        return _plain(result, names)

    return call


def _kinds(annotation: object) -> list[str]:
    text = annotation if isinstance(annotation, str) else repr(annotation)
    return [name for name in ("ListNode", "TreeNode") if name in text]


def _maker(annotation: object, names: dict[str, Any]) -> Callable[[Any], object] | None:
    """What makes nodes of an argument; None where the annotation speaks of none."""
    kinds = _kinds(annotation)
    if not kinds:
        return None
    build = _linked if kinds == ["ListNode"] else _tree
    node = names[kinds[0]]
    text = annotation if isinstance(annotation, str) else repr(annotation)
    if "list[" in text.lower():
        return lambda items: [build(item, node) for item in items]
    return lambda items: build(items, node)


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


def _plain(result: Any, names: dict[str, Any]) -> object:
    """Nodes as lists; anything else as it is."""
    if isinstance(result, (ListNode, names.get("ListNode", ListNode))):
        return _values_of_list(result)
    if isinstance(result, (TreeNode, names.get("TreeNode", TreeNode))):
        return _values_of_tree(result)
    if type(result) is list and any(hasattr(item, "val") for item in result):
        return [_plain(item, names) for item in result]
    return result


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
