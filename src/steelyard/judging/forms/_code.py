"""Read tests that are code: Python that calls the program, or the rest of the program.

1. Python tests are assertions, `check(candidate)`, unittest or pytest. Tests of LeetCode's problems
   get the names that these use, and programs have them without an import.
2. In other languages the tests follow the program's text, and print a line at their end.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from steelyard._python_trees import python_tree
from steelyard.errors import TestsError
from steelyard.judging.forms._pairs import Source, TaskFields, decoded, read_pairs
from steelyard.schemas import sha256_of
from steelyard.toolchains import LanguageRow, language_called, language_table

_CALLED = re.compile(r"[^\W\d]\w*(\(\))?(\.[^\W\d]\w*)?")
_SHARING = re.compile(
    r"\b(?:tempfile|shutil|pathlib|socket|patch|Mock|MagicMock)\b|\bopen\(|\bPath\("
    r"|\bos\.(?:makedirs|mkdir|remove|rmdir|unlink|listdir|chdir|path\.(?:exists|isfile|isdir))\b"
)
_CHECKS = re.compile(r"^check\(([\w.()]+)\)\s*\Z", re.MULTILINE)
CODE_KEYS = ("functional", "pytest", "assert_case")
"""Keys of a ground truth whose value is Python code."""
_REFUSED = MappingProxyType(
    {"java": "its rows need the package javatuples", "go_test.go": "its tests need `go test`"}
)


def read_asserts(source: Source) -> TaskFields:
    """Return the fields for a list of texts, each a case, or for one text.

    Raises:
        TestsError: for anything else.
    """
    texts = source.tests
    if isinstance(texts, str):
        texts = decoded(texts) if texts.lstrip().startswith("[") else [texts]
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise TestsError("tests are not a list of texts; write assertions in it")
    return {
        "entry": f"asserts:{source.name}" if source.name else "asserts",
        "language": "python",
        "setup": source.setup,
        "tests": [{"code": each} for each in texts],
    }


def read_check(source: Source) -> TaskFields:
    """Return the fields for HumanEval's `check(candidate)`.

    The prompt begins the function, and defines helpers of the tests too, so it is their setup. A
    head alone, without a docstring, gets a body for that.

    Raises:
        TestsError: if the tests are not one text.
    """
    code, prompt = _text(source, "a function check(candidate)"), source.prompt
    try:
        python_tree(prompt)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        prompt = f"{prompt.rstrip()}\n    pass\n"
    setup = "\n".join(filter(None, [source.setup, prompt]))
    return {
        "entry": f"asserts:{source.name}",
        "language": "python",
        "completion": "continuation",
        "setup": setup,
        "tests": [{"code": code}],
    }


def _text(source: Source, wanted: str) -> str:
    if not isinstance(source.tests, str):
        raise TestsError(f"tests are not text; write {wanted}")
    return source.tests


def read_test_code(source: Source) -> TaskFields:
    """Return the fields for test functions or classes of unittest: one case.

    Raises:
        TestsError: if the tests are not one text.
    """
    code = _text(source, "test functions or classes")
    return read_asserts(replace(source, tests=[code]))


def read_stubbed_test_code(source: Source) -> TaskFields:
    """Return the fields for tests that may use what the head of the function imports and defines.

    `setup` ends with that head, without a body.

    Raises:
        TestsError: if the tests are not one text, or share more with the program than calls.
    """
    if found := _SHARING.search(str(source.tests)):
        raise TestsError(
            f"the tests share files or patched names with the program ({found[0].strip('(')}), "
            "which runs in another process; leave the task out"
        )
    head = f"{source.setup.rstrip()}\n    pass\n" if source.setup else ""
    return {**read_test_code(replace(source, setup=head)), "completion": "continuation"}


def read_checked_call(source: Source) -> TaskFields:
    """Return the fields for `check(candidate)` that gets what `name` is, as `Solution().add`.

    `setup` runs before the program and before the tests.

    Raises:
        TestsError: if the tests are not one text, or the name is neither a function nor a method.
    """
    tests = _text(source, "a function check(candidate)")
    if not _CALLED.fullmatch(source.name):
        raise TestsError(
            f"{source.name[:100]!r} does not name what check gets; write add or Solution().add"
        )
    called = source.name
    setup = source.setup
    if "class ListNode" in setup:
        setup, called = f"{setup}{_WITH_NODES}", f"_with_nodes({called})"
    code = f"{tests}\n\ncheck({called})\n"
    return {
        **read_test_code(replace(source, name="", setup=setup, tests=code)),
        "completion": "continuation",
        "starter_code": f"{source.setup}\n",
    }


def read_ground_truth(source: Source) -> TaskFields:
    """Return the fields for what trainers hold as the truth of a row.

    1. Pairs of an input and an output, of standard input or calls, in every way of `read_pairs`.
    2. `{"functional": code}`: Python that runs after the program. It may use LeetCode's names.
    3. `{"pytest": code}`, or code alone: test functions.
    4. `{"assert_case": [code]}`: assertions.

    Raises:
        TestsError: for anything else.
    """
    tests = source.tests
    if isinstance(tests, str) and not tests.lstrip().startswith(("{", "[")):
        return read_test_code(source)
    tests = decoded(tests)
    key = next((key for key in CODE_KEYS if isinstance(tests, Mapping) and tests.get(key)), "")
    if not isinstance(tests, Mapping) or not key:
        return read_pairs(replace(source, tests=tests))
    held = replace(source, tests=tests[key], name="")
    if key == "assert_case":
        return read_asserts(held)
    if key == "pytest":
        return read_test_code(held)
    held = replace(held, setup=_LEETCODE_NAMES)
    code = str(held.tests)
    if ends := _CHECKS.search(code):
        return read_checked_call(replace(held, tests=code[: ends.start()], name=ends[1]))
    program = {"completion": "continuation", "starter_code": _LEETCODE_NAMES}
    return {**read_test_code(held), **program}


def read_output(source: Source) -> TaskFields:
    """Return the fields for a question whose answer is a value, written as a Python expression.

    Raises:
        TestsError: if the tests are not the value's text.
    """
    return _answered(source, "expression", f"assert answer() == ({source.tests})")


def read_input(source: Source) -> TaskFields:
    """Return the fields for a question whose answer is the arguments for a value.

    The function `name`, which `setup` defines, runs on the side of the tests: an answer is plain
    data.

    Raises:
        TestsError: if the tests are not the value's text.
    """
    call = f"_args, _named = answer()\nassert {source.name}(*_args, **_named) == ({source.tests})"
    return _answered(source, "arguments", call)


def _answered(source: Source, completion: str, code: str) -> TaskFields:
    _text(source, "the expected value as Python does")
    return {
        **read_asserts(replace(source, name="answer", tests=[code])),
        "completion": completion,
    }


def read_program_rest(source: Source) -> TaskFields:
    """Return the fields for tests that follow the program's text, and end it well if they hold.

    A program that ends before its tests do has not passed: they print a line at their end, which
    no program knows.

    Raises:
        TestsError: for a language that cannot be judged; the message names it.
    """
    tests = _text(source, "the rest of the program")
    rows = {row.name: row for row in language_table().languages if row.final_print}
    row = rows.get(language_called(source.language) or "")
    if row is None:
        why = _REFUSED.get(source.language, f"use one of {', '.join(rows)}")
        raise TestsError(f"programs in {source.language[:50]!r} cannot be judged: {why}")
    line = f"passed {sha256_of(source.prompt + tests)[:16]}"
    return {
        "entry": "stdio",
        "language": row.name,
        "completion": "continuation",
        "ending": _with_last_line(row, tests, line),
        "tests": [{"input": "", "expected": line}],
        "match_mode": "contains",
    }


def _with_last_line(row: LanguageRow, tests: str, line: str) -> str:
    """Return tests that print a line at the end, of their function `main` if they have one."""
    statement = row.final_print.replace("{line}", line)
    if not row.has_main:
        return f"{tests}\n{statement}\n"
    body, brace, after = tests.rpartition("}")
    head = body.partition("main(")[0]
    start = max(head.rfind(sign) for sign in "\n;{}") + 1
    return f"{body[:start]}{row.before_main}{body[start:]}    {statement}\n{brace}{after}"


_LEETCODE_NAMES = """\
import bisect, collections, copy, datetime, functools, heapq, itertools, json, math, operator
import random, re, string, sys
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from operator import *
from string import *
from typing import *
inf = float("inf")


class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next = val, next


class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val, self.left, self.right = val, left, right


def list_node(values):
    head = None
    for value in reversed(values):
        head = ListNode(value, head)
    return head


def is_same_list(first, second):
    while first and second and first.val == second.val:
        first, second = first.next, second.next
    return not first and not second


def tree_node(values):
    nodes = [None if value is None else TreeNode(value) for value in values]
    parents, children = iter([node for node in nodes if node]), nodes[1:]
    for left, right in zip_longest(children[::2], children[1::2]):
        parent = next(parents)
        parent.left, parent.right = left, right
    return nodes[0] if nodes else None


def is_same_tree(first, second):
    if not first or not second:
        return not first and not second
    return (
        first.val == second.val
        and is_same_tree(first.left, second.left)
        and is_same_tree(first.right, second.right)
    )
"""
"""Python text."""


_WITH_NODES = """

def _with_nodes(call):
    def called(*args, **named):
        named = {name: _node_of_program(value) for name, value in named.items()}
        return call(*map(_node_of_program, args), **named)
    return called


def _node_of_program(value):
    import solution
    kind = type(value).__name__
    if isinstance(value, list):
        return [_node_of_program(each) for each in value]
    if kind == "TreeNode":
        children = map(_node_of_program, (value.left, value.right))
        return solution.TreeNode(value.val, *children)
    if kind != "ListNode":
        return value
    values, node = [], None
    while value is not None:
        values.append(value.val)
        value = value.next
    for each in reversed(values):
        node = solution.ListNode(each, node)
    return node
"""
"""Python text of a decorator on the side of the tests: nodes among a call's arguments become nodes
of the program's own classes, as the tests' objects never reach the program."""
