"""The names that tests of LeetCode's problems use, and that programs have without an import."""

__all__ = ["LEETCODE_NAMES"]

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
