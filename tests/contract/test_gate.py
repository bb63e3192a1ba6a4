"""The static gate: which rule a text breaks, and where; all of it parsed in a real cell."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard import ExecutionVerifier, judge
from steelyard.errors import InfrastructureError, LanguageError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Policy, Shape, Verdict
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain
from steelyard.toolchains.incell.check import check
from tests.hostile.arena import pool_without_forks

NONE = Policy.parse("no-imports")
SOME = Policy.parse("math,collections,os.path")
SYS = Policy.parse("sys")
ANY = Policy()
NO_INPUT = Policy.parse("no-input")
INHERITED = "class Base: pass\nclass Solution(Base): pass"

REJECTED = [
    # modules
    ("import os", NONE, "1 import"),
    ("x = 1\nimport math", NONE, "2 import"),
    ("import math, socket", SOME, "1 import"),
    ("import mathematics", SOME, "1 import"),
    ("import os as math", SOME, "1 import"),
    ("from os import system", SOME, "1 import"),
    ("import os.path", SOME, "1 import"),  # which gives `os`
    ("from . import math", SOME, "1 import"),
    ("from .math import sqrt", SOME, "1 import"),
    ("from .. import x", ANY, "1 import"),
    ("from os import *", SOME, "1 import"),
    ("if False:\n    pass\nelse:\n    import os", SOME, "4 import"),
    ("try:\n    import os\nexcept ImportError:\n    pass", SOME, "2 import"),
    ("def f():\n    def g():\n        import os", SOME, "3 import"),
    ("class A:\n    import os", SOME, "2 import"),
    ("import \uff4fs", SOME, "1 import"),
    ("import os", ANY, "1 import"),
    ("from subprocess import run", ANY, "1 import"),
    ("import urllib.request", ANY, "1 import"),
    ("from importlib import import_module", ANY, "1 import"),
    ("import importlib as i\ni.import_module('os')", Policy.parse("importlib"), "2 import"),
    ("__import__('math')", SOME, "1 import"),
    ("f = __import__", ANY, "1 import"),
    ("\uff45\uff58\uff45\uff43('1')", NONE, "1 system"),
    # files and the operating system
    ("open('x')", NONE, "1 system"),
    ("f = open", ANY, "1 system"),
    ("print(f'{open(0).read()}')", ANY, "1 system"),
    ("eval('1')", NONE, "1 system"),
    ("exec('1')", NONE, "1 system"),
    ("compile('1', '', 'eval')", NONE, "1 system"),
    ("@exec\n@input\nclass A: pass", NONE, "1 system"),
    ("f = lambda x=open: x", NONE, "1 system"),
    ("def f(open=open): pass", NONE, "1 system"),
    ("def f(open: open): pass", NONE, "1 system"),
    ("(g := open)('x')", NONE, "1 system"),
    ("open = 1\nopen", NONE, "2 system"),  # the built-in, were the first line in `if False`
    ("open += 1", NONE, "1 system"),
    ("match 1:\n    case open(): pass", NONE, "2 system"),
    ("def f():\n    global open\n    open = 1\n    return open", NONE, "4 system"),
    ("def f(open):\n    class A:\n        open = open", NONE, "3 system"),
    ("def f(open):\n  class A:\n    global open\n    def g(self): open", NONE, "4 system"),
    ("def f():\n    [open for open in 'x']\n    return open", NONE, "3 system"),
    ("def f():\n    lambda open: 1\n    return open", NONE, "3 system"),
    ("[open for x in open]", NONE, "1 system 1 system"),
    ("[1 for open in open]", NONE, "1 system"),
    ("def f():\n    def open(): pass\nopen", NONE, "3 system"),
    ("class open: pass\nopen", NONE, "2 system"),
    ("import random\nrandom._os.system('x')", ANY, "2 system"),
    ("from random import _os", ANY, "1 system"),
    ("import collections\ncollections._sys", SOME, "2 system"),
    ("import sys\nsys.modules['os']", SYS, "2 system"),
    ("s = __debug__\nimport sys as t\nt.modules", ANY, "3 system"),
    ("import typing\ntyping.sys.modules['os']", ANY, "2 system"),
    ("import _socket", ANY, "1 import"),
    ("from sys import modules as m", SYS, "1 system"),
    ("from sys import *", SYS, "1 system"),
    ("import sys\ngetattr(sys, 'modules')", SYS, "2 system"),
    ("import sys\nsys._getframe()", SYS, "2 system"),
    # dunder tricks
    ("().__class__", NONE, "1 dunder"),
    ("().__class__.__base__.__subclasses__()", NONE, "1 dunder"),
    ("f = print.__self__", NONE, "1 dunder"),
    ("(lambda: 0).__globals__", NONE, "1 dunder"),
    ("(lambda: 0).__code__", NONE, "1 dunder"),
    ("type(1).mro()", NONE, "1 dunder"),
    ("type(1).__mro__", NONE, "1 dunder"),
    ("().__\uff43lass__", NONE, "1 dunder"),
    ("().__init__.__func__", NONE, "1 dunder"),
    ("__builtins__['open']", NONE, "1 dunder"),
    ("__builtins__ = {}", NONE, "1 dunder"),
    ("__loader__", NONE, "1 dunder"),
    ("class A:\n    def f(self): return __class__", NONE, "2 dunder"),
    ("(i for i in ()).gi_frame.f_globals", NONE, "1 dunder"),
    ("try: 1/0\nexcept Exception as e: e.__traceback__", NONE, "2 dunder"),
    ("f'{().__class__}'", NONE, "1 dunder"),
    ("'{0.__class__}'.format(1)", NONE, "1 dunder"),
    ("'{0.real.__class__}'.format(1)", NONE, "1 dunder"),
    ("'{0[{].__class__}'.format(1)", NONE, "1 dunder"),
    ("'{0.__cl' 'ass__}'.format(1)", NONE, "1 dunder"),
    ("getattr(1, '__class__')", NONE, "1 dunder"),
    ("hasattr(1, '__class__')", NONE, "1 dunder"),
    ("x = '__subclasses__'", NONE, "1 dunder"),
    ("match 1:\n    case object(__class__=c): pass", NONE, "2 dunder"),
    ("class A:\n    __match_args__ = ('x',)", NONE, "2 dunder"),
    ("match 1:\n    case A(x): pass", NONE, "2 dynamic"),
    ("int = A\nmatch 1:\n    case int(x): pass", NONE, "3 dynamic"),
    ("def f(int):\n    match 1:\n        case int(x): pass", NONE, "3 dynamic"),
    ("class int: pass\nmatch 1:\n    case int(x): pass", NONE, "3 dynamic"),
    ("def f(__builtins__): return __builtins__", NONE, "1 dunder"),
    ("open.__setattr__", NONE, "1 dunder 1 system"),
    # names that are not written out
    ("getattr(1, '__cla' + 'ss__')", NONE, "1 dynamic"),
    ("n = 'x'\ngetattr(1, n)", NONE, "2 dynamic"),
    ("getattr(1, f'{1}')", NONE, "1 dynamic"),
    ("getattr(*x)", NONE, "1 dynamic"),
    ("g = getattr", NONE, "1 dynamic"),
    ("setattr(1, n, 2)", NONE, "1 dynamic"),
    ("map(getattr, x, y)", NONE, "1 dynamic"),
    ("globals()['__import__']", NONE, "1 dynamic 1 dunder"),
    ("vars(x)", NONE, "1 dynamic"),
    ("locals()", NONE, "1 dynamic"),
    ("t = '{}'\nt.format(1)", NONE, "2 dynamic"),
    ("str.format('{}', 1)", NONE, "1 dynamic"),
    ("getattr('{}', 'format')(1)", NONE, "1 dynamic"),
    ("from operator import attrgetter\nf = attrgetter(n)", ANY, "1 dynamic 2 dynamic"),
    ("import operator\noperator.attrgetter('x.__class__')", ANY, "2 dunder"),
    ("import functools\nfunctools.singledispatch", ANY, "2 dynamic"),
    ("import functools\nfunctools.wraps(f)(g)", ANY, "2 dynamic"),
    ("from functools import wraps\nw = wraps", ANY, "2 dynamic"),
    ("from functools import wraps as w", ANY, "1 dynamic"),
    ("from functools import update_wrapper", ANY, "1 dynamic"),
    ("from x import wraps", ANY, "1 dynamic"),
    ("from functools import wraps\n@wraps(f)\nclass A: pass", ANY, "2 dynamic"),
    ("from functools import wraps\n@wraps(f)\n@h\ndef g(): pass", ANY, "2 dynamic"),
    ("import functools as t\n@t.wraps(f, ('a',))\ndef g(): pass", ANY, "2 dynamic"),
    ("from functools import wraps\n@wraps(f, updated=())\ndef g(): pass", ANY, "2 dynamic"),
    ("from functools import wraps\n@wraps(*f)\ndef g(): pass", ANY, "2 dynamic"),
    ("from functools import wraps\n@wraps\ndef g(): pass", ANY, "2 dynamic"),
    ("from functools import wraps\n@wraps(vars)\ndef g(): pass", ANY, "2 dynamic"),
    ("import functools\n@functools._os.wraps(f)\ndef g(): pass", ANY, "2 system"),
    # input
    ("input()", NO_INPUT, "1 input"),
    ("import sys\nsys.stdin.read()", NO_INPUT, "2 input"),
    ("from sys import stdin", NO_INPUT, "1 input"),
]

ACCEPTED = [
    ("", NONE),
    ("print(int(input()) ** 2)", NONE),
    ("from __future__ import annotations", NONE),
    ("import math\nfrom collections import deque, abc", SOME),
    ("import collections.abc", SOME),
    ("from math import *", SOME),
    ("from os.path import join", SOME),
    ("from os import path", SOME),
    ("import os.path as p", SOME),
    ("import sys\nsys.setrecursionlimit(9)\nsys.stdin.readline()", SYS),
    ("import sys, heapq, threading\nfrom typing import List", ANY),
    ("class A:\n    modules = 1\nA.modules", NONE),
    ("def f(open): return open[0]", NONE),
    ("def f(input, vars):\n    return [input for _ in vars]", NONE),
    ("def f():\n    open = []\n    def g(): return open\n    return g", NONE),
    ("def f():\n    for open in 'x': print(open)", NONE),
    ("def f(open):\n    class A:\n        def g(self): return open\n    return A", NONE),
    ("[open for open in 'x' if open]", NONE),
    ("f = lambda eval: eval + 1", NONE),
    ("match 1:\n    case int(x) | str(x): pass\n    case A(y=2): pass", NONE),
    ("import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)", ANY),
    ("from functools import wraps\n@staticmethod\n@wraps(print)\nasync def g(): pass", ANY),
    ("from functools import cache, cmp_to_key, lru_cache, partial, reduce, total_ordering", ANY),
    ("def f(xs: list[int], list=None): return dict(int=1)", NONE),
    ("class A:\n    def open(self): return self.open()", NONE),
    ("class A:\n    def __init__(self): super().__init__()", NONE),
    ("class A:\n    __slots__ = ('x',)\n    def __lt__(self, o): return self.x < o.x", NONE),
    ("if __name__ == '__main__': print(type(1).__name__)", NONE),
    ("t = {}\nt['__end__'] = 1", NONE),
    ("'{:>5} {name}'.format(1, name=2)", NONE),
    ("f'{1:>5}'", NONE),
    ("getattr(1, 'real', None)", NONE),
    ("from operator import itemgetter\nsorted([], key=itemgetter(1))", ANY),
    ("# import os\n'''import os'''", NONE),
    ("x = 1 # type: open", NONE),
    ("import os\nopen('x')\n().__class__", Policy(forbid=frozenset())),
    ("# -*- coding: latin-1 -*-\nx = '\xe9'", NONE),
]

SHAPES = [
    ("def f(x): pass", [Shape(name="f")], ""),
    ("f = lambda x: x", [Shape(name="f", parameters=1)], ""),
    ("async def f(*a): pass", [Shape(name="f", parameters=9)], ""),
    ("if 1:\n    def f(x): pass", [Shape(name="f")], ""),
    ("def g(): pass", [Shape(name="f")], "there is no function f"),
    ("def g():\n    def f(): pass", [Shape(name="f")], "there is no function f"),
    ("def f(x): pass", [Shape(name="f", parameters=2)], "1: f takes fewer than 2 parameters"),
    ("def f(x, /, *, y): pass", [Shape(name="f", parameters=2)], ""),
    ("class Solution:\n    def solve(self): pass", [Shape(name="Solution.solve")], ""),
    ("class Solution:\n    pass", [Shape(name="Solution.solve")], "1: the class Solution has no"),
    ("def solve(): pass", [Shape(name="Solution.solve")], "there is no class Solution"),
    ("def Solution(): pass", [Shape(name="Solution.solve")], "1: Solution is not a class"),
    (INHERITED, [Shape(name="Solution.solve")], ""),
    (
        "class A:\n    def m(self): pass\n    @staticmethod\n    def n(x): pass",
        [Shape(name="A.m", parameters=1), Shape(name="A.n", parameters=1)],
        "2: A.m takes fewer than 1 parameter",
    ),
]


@pytest.fixture(scope="module")
def python() -> Toolchain:
    return find_toolchain("python")


def rules_broken(python: Toolchain, pool: CellPool, source: str, policy: Policy) -> str:
    result = python.compile(_bytes(source), pool, policy=policy).result
    found = []
    for each in result.errors:
        match = re.fullmatch(r"policy: .* \(rule (\w+)\)", each.message)
        assert match, each
        found.append(f"{each.line} {match[1]}")
    assert result.ok is (not found)
    return " ".join(found)


def _bytes(source: str) -> bytes:
    return source.encode("latin-1" if "latin-1" in source else "utf-8")


@pytest.mark.parametrize(("source", "policy", "expected"), REJECTED)
def test_a_text_that_breaks_a_rule_is_rejected_there(
    python: Toolchain, pool: CellPool, source: str, policy: Policy, expected: str
) -> None:
    assert rules_broken(python, pool, source, policy) == expected
    assert python.compile(_bytes(source), pool).result.ok  # but for the policy


@pytest.mark.parametrize(("source", "policy"), ACCEPTED)
def test_a_text_that_keeps_the_rules_passes(
    python: Toolchain, pool: CellPool, source: str, policy: Policy
) -> None:
    assert rules_broken(python, pool, source, policy) == ""


@pytest.mark.parametrize(("source", "shapes", "expected"), SHAPES)
def test_what_is_required_must_be_there(
    python: Toolchain, pool: CellPool, source: str, shapes: list[Shape], expected: str
) -> None:
    policy = Policy(require=tuple(shapes))
    result = python.compile(source.encode(), pool, policy=policy).result
    line, _, what = expected.rpartition(": ")
    assert result.ok is not bool(expected)
    assert len(result.errors) == bool(expected)
    for error in result.errors:
        assert error.message.startswith(f"policy: {what}")
        assert error.message.endswith("(rule shape)")
        assert str(error.line or "") == line


HOSTILE = {
    "null byte": b"x = 1\0\nimport os",
    "utf-16": "import os".encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbfimport os",
    "utf-7": b"# coding: utf-7\n+AGkAbQBwAG8AcgB0 os",
    "escapes as an encoding": b"# coding: unicode_escape\n#\\nimport os",
    "form feed": b"\x0cimport os",
    "old line ends": b"#\rimport os",
    "deep attributes": b"x" + b".a" * 50_000,
    "deep operators": b"-" * 60_000 + b"1",
    "deep lambdas": b"lambda: " * 3_000 + b"open",
    "many": b"import os\n" * 5_000,
    "long name": b"import " + b"a" * 100_000,
    "half a character": b"'\\ud800 {0.__class__}'",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_no_text_passes_by_being_odd(python: Toolchain, pool: CellPool, source: bytes) -> None:
    result = python.compile(source, pool, policy=NONE).result
    assert not result.ok
    assert 1 <= len(result.errors) <= 100
    assert all(len(error.message) <= 500 for error in result.errors)


def test_warnings_are_told_once_and_a_broken_text_is_a_syntax_error(
    python: Toolchain, pool: CellPool
) -> None:
    result = python.compile(b"1 is 1", pool, policy=NONE).result
    assert result.ok
    assert len(result.warnings) == 1
    (error,) = python.compile(b"import os\nx = = 1", pool, policy=NONE).result.errors
    assert error.message.startswith("SyntaxError")


def test_nothing_runs_and_every_case_says_why() -> None:
    source = "import os\nprint(1)\ndef f(x): return x"
    case = {"args": [1], "expected": 1}
    result = judge(source, [case, case], entry="function:f", policy="no-imports")
    assert result.reward == 0
    assert {each.verdict for each in result.cases} == {Verdict.CE}
    message = "1:1: error: policy: import of os is not allowed (rule import)"
    assert {each.message for each in result.cases} == {message}
    assert message in result.details
    assert judge(source, [case, case], entry="function:f").success


def test_the_entry_says_what_must_be_there() -> None:
    case = {"args": [1], "expected": 1}
    options = {"entry": "class:Solution.solve", "policy": "math"}
    right = judge("class Solution:\n    def solve(self, x): return x", [case], **options)
    assert right.success
    wrong = judge("class Solution:\n    def solved(self, x): return x", [case], **options)
    assert "the class Solution has no method solve (rule shape)" in wrong.cases[0].message


def test_a_cell_without_a_fork_server_has_the_same_gate(
    python: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = CompileCache(tmp_path_factory.mktemp("cache"))
    source = b"import math"
    with pool_without_forks() as cells:
        for _ in range(2):  # the second time from the cache, where each policy has its own answer
            for policy, ok in ((None, True), (SOME, True), (NONE, False), (ANY, True)):
                result = python.compile(source, cells, policy=policy, cache=cache).result
                assert result.ok is ok
        assert result.cached
        assert not python.compile(b"import os", cells, policy=SOME, cache=cache).result.ok


class _Faulty(Policy):
    """A policy in whose gate something goes wrong."""

    def to_text(self) -> str:
        return self.model_dump_json().replace('"name":"f"', '"name":1')


@pytest.mark.parametrize("make_pool", [lambda: CellPool(1), pool_without_forks])
def test_a_fault_of_the_gates_own_is_no_verdict(
    python: Toolchain, make_pool: Callable[[], CellPool]
) -> None:
    faulty = _Faulty(require=(Shape(name="f"),))
    with make_pool() as cells:
        with pytest.raises(InfrastructureError, match="AttributeError"):
            python.compile(b"def f(): pass", cells, policy=faulty)
        assert python.compile(b"def f(): pass", cells, policy=NONE).result.ok


def test_an_error_that_an_examination_raises_is_not_the_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_source: bytes, _path: str) -> list[dict[str, object]]:
        raise ValueError("of the gate")

    def too_deep(_source: bytes, _path: str) -> list[dict[str, object]]:
        raise RecursionError("for a tree")

    monkeypatch.chdir(tmp_path)
    Path("main.py").write_text("x = 1")
    with pytest.raises(ValueError, match="of the gate"):
        check("main.py", fail)
    status, (finding,) = check("main.py", too_deep)
    assert (status, finding["message"]) == (1, "RecursionError: for a tree")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "takes names of modules, got ''"),
        ("math collections", "takes names of modules"),
        ("no-imports,math", "cannot be combined"),
        ("no-such", "there is no rule 'no-such'"),
        ("no-import", "there is no rule 'no-import'"),
        ("1", "takes names of modules"),
    ],
)
def test_a_text_that_names_no_policy(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"^policy '{text}': .*{message}.*; use no-imports, or"):
        ExecutionVerifier(language="python", policy=text)


def test_a_policy_as_text() -> None:
    assert NONE.modules == ()
    assert SOME.modules == ("math", "collections", "os.path")
    assert NO_INPUT.modules is None
    assert NO_INPUT.forbid == ANY.forbid | {"input"}
    assert Policy.parse("math , no-input").modules == ("math",)
    assert Policy.model_validate_json(SOME.to_text()) == SOME
    with pytest.raises(UsageError, match="needs the rule import"):
        Policy(modules=("math",), forbid=frozenset({"system"}))
    with pytest.raises(UsageError, match="a shape's name"):
        Shape(name="a.b.c")


def test_options_for_python_are_refused_by_name_for_other_languages() -> None:
    with pytest.raises(LanguageError, match=r"^preload: only for Python, not for C; leave it out$"):
        find_toolchain("c", preload=["numpy"])
    with pytest.raises(LanguageError, match=r"^seed: only for Python, not for C; leave it out$"):
        find_toolchain("c", seed=1)


def test_other_languages_have_no_gate(pool: CellPool) -> None:
    with pytest.raises(LanguageError, match="a policy is for Python, not for C"):
        ExecutionVerifier(language="c", policy="no-imports")
    with pytest.raises(LanguageError, match="a policy is for Python"):
        find_toolchain("c").compile(b"", pool, policy=NONE)
