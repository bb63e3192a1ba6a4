"""Loose pseudocode is read as its author meant it, in every style."""

from __future__ import annotations

import pytest

from steelyard.solving.pruning._paths import Paths
from steelyard.solving.pruning._pseudocode import parse_pseudocode
from steelyard.solving.pruning._reading import SizedTree
from steelyard.solving.pruning._sizes import Sizes
from steelyard.solving.pruning._tree import Block, blocks_under

_STYLES = {
    "indented": "for i in 1..n:\n  for j in 1..m:\n    s += a\nprint s",
    "braces": "for (i=0; i < n; i++) {\n for (j=0; j < m; j++) { s += a; }\n}\nprint s;",
    "brace below": "for i = 1 to n\n{\nfor j = 1 to m\n{\ns += a\n}\n}\nprint s",
    "end words": "for i = 1 to n do\nfor j = 1 to m do\ns += a\nend for\nend for\nprint s",
    "numbered": "1. for i from 1 to n:\n   a. for j from 1 to m:\n      s += a\n2. print s",
    "one line": "for i in range(n): for j in range(m): s += a\nprint s",
    "no braces": "for (int i = 0; i < n; ++i)\n  for (int j = 0; j < m; j++)\n    s += a;\nprint s",
    "repeat": "repeat n times:\n    repeat m times:\n        s += a\nprint s",
    "go": "for i := 0; i < n; i++ {\n for j := 0; j < m; j++ {\n s += a\n}\n}\nprint s",
}


def _steps(text: str, **bounds: int) -> dict[str, float]:
    paths = Paths(SizedTree(parse_pseudocode(text), Sizes(bounds)))
    return {path.line.text.rstrip(";"): path.steps for path in paths.all}


@pytest.mark.parametrize("style", _STYLES)
def test_two_loops_are_two_loops_in_every_style(style: str) -> None:
    steps = _steps(_STYLES[style], n=1_000, m=700)
    assert steps["print s"] == 1
    assert 600_000 < steps["s += a"] <= 1_001 * 701


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("while lo < hi:\n  mid = (lo + hi) / 2\n  x", 1, 64),
        ("for i in 1..n:\n  while j < n and a[j] < i:\n    j += 1\n    x", 1_000, 1_100),
        ("for i in 1..n:\n  j = 0\n  while j < n:\n    j += 1\n    x", 900_000, 1_100_000),
        ("for i in 1..n:\n  for d in 0..3:\n    x", 3_000, 4_000),
        ("for i in 1..n:\n  for (j = i; j <= n; j += i):\n    x", 5_000, 30_000),
        ("for u in 1..n:\n  for v in adj[u]:\n    x", 1_000, 6_000),
        ("for i in 1..n:\n  for c in 'a'..'z':\n    x", 20_000, 30_000),
        ("for (i = 1; i <= n; i *= 2)\n  x", 8, 12),
        ("for (i = 2; i * i <= n; i++)\n  x", 30, 33),
        ("for mask in 0..2^k - 1:\n  x", 1_000, 1_025),
        ("for i in 1..n:\n  while st not empty and a[top] > i:\n    pop()\n    x", 1_000, 1_100),
        ("do {\n x\n} while (next_permutation(p))", 1e300, 1e301),
    ],
)
def test_a_loop_runs_as_often_as_its_kind_does(text: str, least: float, most: float) -> None:
    assert least <= _steps(text, n=1_000, m=2_000, k=10)["x"] <= most


def test_the_butterflies_of_a_transform_are_n_log_n() -> None:
    text = """
for (len = 2; len <= n; len <<= 1)
  for (i = 0; i < n; i += len)
    for (j = 0; j < len / 2; j++)
      x
"""
    assert _steps(text, n=2**20)["x"] <= 40 * 2**20


def test_a_function_is_known_by_its_header() -> None:
    text = (
        "gcd(a, b): if b == 0 return a; return gcd(b, a mod b)\nint dfs(int u) {\n  x\n}\ngcd(1, 2)"
    )
    functions = [
        block for block in blocks_under(parse_pseudocode(text)) if block.kind == "function"
    ]
    assert [(block.name, block.params) for block in functions] == [
        ("gcd", ("a", "b")),
        ("dfs", ("u",)),
    ]


def test_nothing_is_refused() -> None:
    for text in (
        "",
        "}}}}",
        "((((",
        "for",
        "while",
        "for (",
        "{",
        ":",
        "end",
        "until",
        "'",
        "for each",
    ):
        assert isinstance(parse_pseudocode(text), Block)
        _steps(text, n=10)
