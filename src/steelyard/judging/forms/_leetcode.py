"""The names that tests of LeetCode's problems use, and that programs have without an import."""

WITH_NODES = """

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

LEETCODE_NAMES = """\
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
