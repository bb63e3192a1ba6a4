"""Provide what solutions of contest sites expect: names without imports, and nodes for lists."""

from __future__ import annotations

import bisect
import collections
import copy
import datetime as dt
import functools
import heapq
import importlib
import inspect
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import sys
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from steelyard.toolchains.incell import nodes

_SORTED = ("SortedDict", "SortedList", "SortedSet")


@functools.cache
def usual_names() -> dict[str, object]:
    """Return the names that a solution can use without importing them."""
    names: dict[str, object] = {name: getattr(typing, name) for name in typing.__all__}
    modules = (
        bisect,
        collections,
        copy,
        dt,
        functools,
        heapq,
        itertools,
        json,
        math,
        operator,
        random,
        re,
        statistics,
        string,
        sys,
    )
    names.update((module.__name__, module) for module in modules)
    for module in (collections, functools, heapq, itertools, bisect):
        public = (name for name in dir(module) if not name.startswith("_"))
        names.update((name, getattr(module, name)) for name in public)
    numbers = (name for name in dir(math) if name[0] != "_" and name != "pow")  # a built-in too
    names.update((name, getattr(math, name)) for name in numbers)
    names.update(ListNode=nodes.ListNode, TreeNode=nodes.TreeNode)
    names.update(deepcopy=copy.deepcopy, stdin=sys.stdin, stdout=sys.stdout)
    return names


def give_names(names: dict[str, Any], code: types.CodeType, own: str = "") -> None:
    """Put the usual names that a program's code uses into its module; `own` is never one."""
    usual = usual_names()
    for used in names_used(code):
        if used in usual and used != own:
            names[used] = usual[used]
        elif used in _SORTED:
            with suppress(ImportError):
                names[used] = getattr(importlib.import_module("sortedcontainers"), used)


def names_used(code: types.CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a program's code."""
    todo = [code]
    while todo:
        code = todo.pop()
        yield from code.co_names
        todo += [each for each in code.co_consts if isinstance(each, types.CodeType)]


def converted(method: Callable[..., Any], names: dict[str, Any]) -> Callable[..., object]:
    """Return the method with lists instead of nodes, if its annotations have nodes."""
    try:
        annotated = getattr(method, "__init__", None) if isinstance(method, type) else method
        annotations = getattr(annotated, "__annotations__", None)
        if not annotations or not any(map(nodes.shape_of, annotations.values())):
            return method  # most have none: to read a signature takes longer than most calls
        signature = inspect.signature(method)
    except Exception:  # none to read, or the candidate's own attribute raised
        return method
    shapes = {
        name: nodes.shape_of(parameter.annotation)
        for name, parameter in signature.parameters.items()
    }
    returns = nodes.shape_of(signature.return_annotation)
    if returns is None and not any(shapes.values()):
        return method
    program_nodes = nodes.Nodes(names)

    def call(*arguments: object, **named: object) -> object:
        given = [*zip(arguments, shapes.values(), strict=False)]
        given += [(argument, shapes.get(name)) for name, argument in named.items()]
        taken = [program_nodes.build(argument, shape) for argument, shape in given]
        count = len(taken) - len(named)
        result = method(
            *taken[:count], *arguments[count:], **dict(zip(named, taken[count:], strict=True))
        )
        for (argument, shape), node in zip(given, taken, strict=True):
            if shape is not None:  # for callers that compare arguments after the call
                nodes.put_back(argument, program_nodes.plain(node, shape))
        return program_nodes.plain(result, returns)

    return call
