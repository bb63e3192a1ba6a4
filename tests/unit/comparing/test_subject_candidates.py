"""A candidate's source, however it is written, becomes its module with only that replaced."""

import textwrap
from pathlib import Path

import pytest

from steelyard.comparing.function import read_candidate
from steelyard.errors import SubjectError
from tests.unit.comparing.subject_samples import read, refused, subject_in

MODULE = '''"""Doc."""
import os

LIMIT = 10  # most


def helper(a):
    return a + 1


# about f
def f(x, n=10):
    """Sum."""
    return helper(x) * n  # here


def g():
    return os.sep
'''
CLASS = """import functools


class C:
    size = 3

    def m(self, a):
        return self._h(a)

    def _h(self, a):
        return a + self.size

    @staticmethod
    def s(a):
        return a

    @classmethod
    @functools.lru_cache
    def k(cls, a):
        return a

    @property
    def p(self):
        return 1

    @p.setter
    def p(self, value):
        self.size = value

    class D:
        def m(self):
            return 2


def after():
    pass
"""
F = "def f(x, n=10):\n    return n * (x + 1)\n"
ORIGINAL_F = '''def f(x, n=10):
    """Sum."""
    return helper(x) * n  # here
'''
OUTSIDE = MODULE.split(ORIGINAL_F)


@pytest.mark.parametrize(
    "text",
    [
        F,
        F.rstrip("\n"),
        F.replace("\n", "\r\n"),
        F.replace("\n", "\r"),
        "\ufeff" + F,
        "\n\n" + F + "\n\n\n",
        textwrap.indent(F, "    "),
        textwrap.indent(F, "\t"),
        "# a comment\n" + F,
        '"""What it does."""\n' + F,
        "import os\n\n" + F,
        "LIMIT = 10\n" + F,
        F + "\nif __name__ == '__main__':\n    print(f(1))\n",
        F + "\nprint(f(3))\nassert f(1) == 20\n",
        "def helper(a):\n    return a + 1\n\n" + F,
        "def helper(a): ...\n\n" + F,
        "def helper(a):\n    '''As before.'''\n    pass\n\n" + F,
        "def helper(a):\n    raise NotImplementedError\n\n" + F,
        "def f(x, n=10):\n    return 0\n\n" + F,
        "from typing import overload\n"[:0] + "@overload\ndef f(x): ...\n\n" + F,
        f"```python\n{F}```",
        f"```\n{F}```\n",
        f"Here it is:\n\n```python\n{F}```\n\nIt's faster.",
        f"~~~py\n{F}~~~",
        f"````python\n{F}````",
        f"```python\n{F}",
        f"Before:\n```python\ndef f(x, n=10):\n    return 0\n```\nAfter:\n```python\n{F}```",
        f"<think>\n```python\ndef f(x, n=10):\n    return 0\n```\n</think>\n```python\n{F}```",
        f"The code is:```python\n{F}```<|im_end|>",
        f"{F}<|im_end|>",
        f"<think>Faster.</think>\n<answer>\n{F}</answer>",
        f"```python\n{F}```\nRun it:\n```\n$ python m.py\n```",
        f"1. Item\n   ```python\n{textwrap.indent(F, '   ')}   ```\n",
        f"```python\r\n{F}```\r\n".replace("\n", "\r\n").replace("\r\r", "\r"),
    ],
)
def test_only_the_function_is_replaced(tmp_path: Path, text: str) -> None:
    candidate = read(subject_in(tmp_path, MODULE), text)
    assert candidate.module_text == F.join(OUTSIDE)
    assert (candidate.first_line, candidate.last_line) == (12, 13)
    assert candidate.changed
    assert candidate.other_files == {}


@pytest.mark.parametrize(
    ("module", "newline", "end"),
    [
        (MODULE, "\n", "\n"),
        (MODULE.replace("\n", "\r\n"), "\r\n", "\r\n"),
        (MODULE.replace("\n", "\r"), "\r", "\r"),
        (MODULE.split("\n\n\ndef g", maxsplit=1)[0], "\n", ""),
        (MODULE.split("\n\n\ndef g", maxsplit=1)[0].replace("\n", "\r\n"), "\r\n", ""),
        (MODULE.replace("# most", "# \x0c \x85 \u2028 most"), "\n", "\n"),
    ],
)
def test_line_ends_stay(tmp_path: Path, module: str, newline: str, end: str) -> None:
    candidate = read(subject_in(tmp_path, module.encode()), F)
    original = ORIGINAL_F.replace("\n", newline)
    if original not in module:
        original = original.removesuffix(newline)
    expected = F.replace("\n", newline)
    before, after = module.split(original)
    assert candidate.module_text == before + (
        expected + after if after else expected[: -len(newline)]
    )
    assert candidate.module_text.endswith(end)


@pytest.mark.parametrize(
    ("text", "parts", "note"),
    [
        ("import math\n\n" + F, ['"""Doc."""\nimport os\nimport math\n\nLIMIT'], ""),
        ("import os.path\n" + F, ["import os\nimport os.path\n\nLIMIT"], ""),
        ("from os import path as p\n" + F, ["import os\nfrom os import path as p\n\nLIMIT"], ""),
        ("TABLE = {}\n" + F, ["TABLE = {}\n\n\n# about f\ndef f"], ""),
        (
            "def _h(a):\n    return a\n\n" + F,
            ["def _h(a):\n    return a\n\n\n# about f\ndef f"],
            "",
        ),
        (F + "\n\ndef _h(a):\n    return a\n", [F + "\n\ndef _h(a):\n    return a\n\n\ndef g"], ""),
        (F + "\nT = [f(1)]\n", [F + "\n\nT = [f(1)]\n\n\ndef g"], ""),
        (
            "def helper(a):\n    return 1 + a\n\n" + F,
            ["\n\n\ndef helper(a):\n    return 1 + a\n\n\n# about"],
            "'helper' is replaced too (line 7)",
        ),
        ("LIMIT = 20\n" + F, ["\nLIMIT = 20\n\n\ndef helper"], "'LIMIT' is replaced too"),
        (
            "import math\ndef helper(a):\n    return math.floor(a)\n" + F,
            ["import os\nimport math\n", "def helper(a):\n    return math.floor(a)\n"],
            "'helper'",
        ),
        (
            "import os as LIMIT\n" + F,
            ["import os as LIMIT\n\n\n# about f"],
            "'LIMIT' is rebound",
        ),
        (
            "def os():\n    pass\n" + F,
            ["def os():\n    pass\n\n\n# about f"],
            "'os' is rebound",
        ),
        ("a = 1; b = 2\n" + F, ["a = 1\nb = 2\n\n\n# about f"], ""),
        ("# why\nK = 1\n" + F, ["# why\nK = 1\n\n\n# about f"], ""),
        (
            "try:\n    import numba\nexcept ImportError:\n    numba = None\n" + F,
            ["try:\n    import numba\nexcept ImportError:\n    numba = None\n\n\n# about f"],
            "",
        ),
        (
            "from __future__ import annotations\n" + F,
            ['"""Doc."""\nfrom __future__ import annotations\nimport os'],
            "__future__",
        ),
        ("class Node:\n    pass\n\n" + F, ["class Node:\n    pass\n\n\n# about f"], ""),
        (
            "import functools\n\n@functools.cache\n" + F,
            ["# about f\n@functools.cache\ndef f"],
            "decorators changed from none to @functools.cache",
        ),
    ],
)
def test_what_it_brings_along_finds_its_place(
    tmp_path: Path, text: str, parts: list[str], note: str
) -> None:
    candidate = read(subject_in(tmp_path, MODULE), text, kind="function")
    for part in parts:
        assert part in candidate.module_text
    assert any(note in one for one in candidate.notes) or not note
    assert bool(note) == bool(candidate.notes)


def test_code_blocks_that_the_function_needs_come_with_it(tmp_path: Path) -> None:
    function = F.replace("n *", "K * n *")
    text = (
        "First:\n```python\nimport math\nK = 2\n```\n"
        f"Then:\n```python\n{function}```\nUse:\n```python\nf(3)\n```"
    )
    candidate = read(subject_in(tmp_path, MODULE), text)
    assert "import os\nimport math\n" in candidate.module_text
    assert "K = 2\n\n\n# about f" in candidate.module_text
    assert "f(3)" not in candidate.module_text


METHODS = [
    ("C.m", "def m(self, a):\n    return a + self.size\n"),
    ("C.m", "    def m(self, a):\n        return a + self.size\n"),
    ("C.m", "class C:\n    def m(self, a):\n        return a + self.size\n"),
    ("C.m", "class C:\n  def m(self, a):\n    return a + self.size\n"),
    ("C.m", "class C:\n\tdef m(self, a):\n\t\treturn a + self.size\n"),
    (
        "C.m",
        "class C(B):\n    '''C.'''\n    size = 3\n    def m(self, a):\n        return self.size\n",
    ),
    (
        "C.m",
        "class C:\n    def m(self, a):\n        return a + self.size\n    def _h(self, a): ...\n",
    ),
    ("C.s", "def s(a):\n    return +a\n"),
    ("C.s", "@staticmethod\ndef s(a):\n    return +a\n"),
    ("C.s", "@staticmethod\n    def s(a):\n        return +a\n"),
    ("C.s", "    @staticmethod\n    def s(a):\n        return +a\n"),
    ("C.k", "def k(cls, a):\n    return +a\n"),
    ("C.p", "def p(self):\n    return +1\n"),
    ("C.p", "@property\ndef p(self):\n    return +1\n"),
    ("C.p", "class C:\n    @property\n    def p(self):\n        return +1\n"),
    ("C.p.setter", "def p(self, value):\n    self.size = +value\n"),
    ("C.p.setter", "@p.setter\ndef p(self, value):\n    self.size = +value\n"),
    (
        "C.p.setter",
        "class C:\n    @p.setter\n    def p(self, value):\n        self.size = +value\n",
    ),
    ("C.D.m", "def m(self):\n    return +2\n"),
    ("C.D.m", "class D:\n    def m(self):\n        return +2\n"),
    ("C.D.m", "class C:\n    class D:\n        def m(self):\n            return +2\n"),
]


@pytest.mark.parametrize(("qualname", "text"), METHODS)
def test_only_the_method_is_replaced(tmp_path: Path, qualname: str, text: str) -> None:
    subject = subject_in(tmp_path, CLASS, qualname)
    candidate = read(subject, text)
    before, after = CLASS.splitlines(), candidate.module_text.splitlines()
    assert after[: subject.first_line - 1] == before[: subject.first_line - 1]
    assert len(after) == len(before)
    different = [
        number
        for number, pair in enumerate(zip(before, after, strict=True), 1)
        if pair[0] != pair[1]
    ]
    body = [line.split("return ")[-1] for line in text.splitlines()]
    assert different
    assert different[0] > subject.first_line - 1
    assert different[-1] <= subject.last_line
    assert any(after[different[-1] - 1].endswith(line.strip()) for line in body)


@pytest.mark.parametrize(
    ("qualname", "text", "parts"),
    [
        (
            "C.m",
            "def m(self, a):\n    return self._x(a)\n\ndef _x(self, a):\n    return a\n",
            ["        return self._x(a)\n\n    def _x(self, a):\n        return a\n\n    def _h"],
        ),
        (
            "C.m",
            "def _x(a):\n    return a\n\ndef m(self, a):\n    return _x(a)\n",
            ["def _x(a):\n    return a\n\n\nclass C:"],
        ),
        (
            "C.m",
            "import math\n\ndef m(self, a):\n    return math.e\n",
            ["import functools\nimport math\n\n\nclass C:"],
        ),
        (
            "C.m",
            "class C:\n    extra = 1\n    def m(self, a):\n        return self.extra\n",
            ["size = 3\n\n    extra = 1\n\n    def m"],
        ),
        (
            "C.m",
            "class C:\n    size = 4\n    def m(self, a):\n        return a\n",
            ["class C:\n    size = 4\n\n    def m"],
        ),
        (
            "C.m",
            "class C:\n    def m(self, a):\n        pass\n    def _h(self, a):\n        return 7\n",
            ["    def _h(self, a):\n        return 7\n\n    @static"],
        ),
        (
            "C.m",
            "def m(self, a):\n    return a\n\ndef _h(self, a):\n    return 7\n",
            ["    def _h(self, a):\n        return 7\n\n    @static"],
        ),
        (
            "C.D.m",
            "class C:\n    class D:\n        z = 1\n        def m(self):\n            pass\n",
            ["    class D:\n        z = 1\n\n        def m"],
        ),
        (
            "C.p.setter",
            "class C:\n    extra = 1\n    @p.setter\n    def p(self, value):\n        pass\n",
            ["    extra = 1\n\n    @property"],
        ),
    ],
)
def test_what_a_method_brings_along_finds_its_place(
    tmp_path: Path, qualname: str, text: str, parts: list[str]
) -> None:
    candidate = read(subject_in(tmp_path, CLASS, qualname), text)
    for part in parts:
        assert part in candidate.module_text


def test_strings_keep_their_lines_when_a_function_moves(tmp_path: Path) -> None:
    text = (
        'def m(self, a):\n    """Doc\n\n    more.\n    """\n'
        '    b = (\n        "x"\n        "y"\n    )\n'
        '    return """one\n  two\n""" + f"""\n{a}\n""" + b + "a\\\n  b"\n'
    )
    module = read(subject_in(tmp_path, CLASS, "C.m"), text).module_text
    assert '        """Doc\n\n        more.\n        """\n' in module
    assert '            "x"\n            "y"\n        )\n' in module
    assert 'return """one\n  two\n""" + f"""\n{a}\n""" + b + "a\\\n  b"\n' in module


@pytest.mark.parametrize(
    ("module", "text", "expected"),
    [
        (
            "class C:\n\tdef f(self):\n\t\treturn 1\n",
            "def f(self):\n    return 2\n",
            "class C:\n\tdef f(self):\n\t    return 2\n",
        ),
        (
            "if A:\n  def f(): return 1\nelse:\n  def f(): return 2\n",
            "def f(): return 3\n",
            "if A:\n  def f(): return 1\nelse:\n  def f(): return 3\n",
        ),
        (
            "try:\n    from a import f\nexcept E:\n  def f(): return 1\n",
            "import math\ndef f(): return 2\n",
            "import math\n\n\ntry:\n    from a import f\nexcept E:\n  def f(): return 2\n",
        ),
        (
            "#!/usr/bin/env python\n# coding: utf-8\ndef f(): return 1\n",
            "import math\ndef f(): return 2\n",
            "#!/usr/bin/env python\n# coding: utf-8\nimport math\n\n\ndef f(): return 2\n",
        ),
        (
            "@overload\ndef f(x: int): ...\ndef f(x): return 1\n",
            "import math\ndef f(x): return 2\n",
            "import math\n\n\n@overload\ndef f(x: int): ...\ndef f(x): return 2\n",
        ),
        (
            "@a  # why\n# and\n@b\ndef f(): return 1\n",
            "def f(): return 2\n",
            "@a  # why\n# and\n@b\ndef f(): return 2\n",
        ),
        ("@a\ndef f(): return 1\n", "@b\n@c\ndef f(): return 2\n", "@b\n@c\ndef f(): return 2\n"),
        (
            "import sys\nsys.path.append('lib')\nimport a\n\ndef f(): return 1\n",
            "from b import c\ndef f(): return c\n",
            "import sys\nsys.path.append('lib')\nimport a\nfrom b import c\n\ndef f(): return c\n",
        ),
        (
            "import a\n\ndef g(): return 1\n\nimport b\n\ndef h(): return b\n\ndef f(): return 1\n",
            "import c\ndef g(): return c\ndef f(): return g()\n",
            (
                "import a\nimport c\n\ndef g(): return c\n\nimport b\n\n"
                "def h(): return b\n\ndef f(): return g()\n"
            ),
        ),
        ("def f(): return 1", "def f(): return 2\n", "def f(): return 2"),
        (
            "def f(): return 1",
            "def f(): return 2\n\ndef g(): pass\n",
            "def f(): return 2\n\n\ndef g(): pass",
        ),
        (
            "x = 1\n\n\n\ndef f(): return 1\n\n\n\n",
            "def f(): return 2\n",
            "x = 1\n\n\n\ndef f(): return 2\n\n\n\n",
        ),
        (
            "def f(): return 1\n# end\n",
            "def f():\n    return 2\n",
            "def f():\n    return 2\n# end\n",
        ),
        ("async def f(): return 1\n", "async def f(): return 2\n", "async def f(): return 2\n"),
        ("def f(): yield 1\n", "def f(): yield 2\n", "def f(): yield 2\n"),
        (
            "try:\n    import json\nexcept ImportError:\n    json = None\ndef f(): return 1\n",
            "import json\ndef f(): return 2\n",
            "try:\n    import json\nexcept ImportError:\n    json = None\ndef f(): return 2\n",
        ),
    ],
)
def test_the_module_comes_out_byte_for_byte(
    tmp_path: Path, module: str, text: str, expected: str
) -> None:
    subject = subject_in(tmp_path, module, "C.f" if module.startswith("class") else "f")
    assert read(subject, text).module_text == expected


@pytest.mark.parametrize(
    ("module", "text", "said"),
    [
        ("def f(x): pass", "def f(y): pass", "parameter 'x' became 'y'"),
        ("def f(x, y): pass", "def f(y, x): pass", "order changed from (x, y) to (y, x)"),
        ("def f(x): pass", "def f(x, _cache={}): pass", "parameter '_cache' was added"),
        ("def f(x, y): pass", "def f(x): pass", "parameter 'y' was removed"),
        ("def f(x): pass", "def f(*x): pass", "parameter 'x' became *x"),
        ("def f(x): pass", "def f(*, x): pass", "parameter 'x' became keyword-only"),
        ("def f(x): pass", "def f(x, /): pass", "parameter 'x' became positional-only"),
        ("def f(*x): pass", "def f(**x): pass", "parameter '*x' became **x"),
        ("def f(n=10): pass", "def f(n=20): pass", "default of 'n' changed from 10 to 20"),
        ("def f(n=1): pass", "def f(n=1.0): pass", "default of 'n' changed from 1 to 1.0"),
        ("def f(n=1): pass", "def f(n=True): pass", "from 1 to True"),
        ("def f(n=()): pass", "def f(n=None): pass", "from () to None"),
        ("def f(n): pass", "def f(n=1): pass", "gained the default 1"),
        ("def f(n=1): pass", "def f(n): pass", "lost its default 1"),
        ("def f(*, n=1): pass", "def f(*, n=2): pass", "default of 'n'"),
        ("def f(): pass", "async def f(): pass", "became async"),
        ("async def f(): pass", "def f(): pass", "no longer async"),
        ("def f(): pass", "def f(self): pass", "parameter 'self' was added"),
    ],
)
def test_a_changed_signature_is_named(tmp_path: Path, module: str, text: str, said: str) -> None:
    reason = refused(subject_in(tmp_path, module), text)
    assert reason.code == "signature-changed"
    assert said in reason.text
    assert reason.rejects


@pytest.mark.parametrize(
    ("qualname", "text", "said"),
    [
        (
            "C.s",
            "class C:\n    @functools.cache\n    def s(a): pass\n",
            "a staticmethod became a plain method",
        ),
        (
            "C.m",
            "class C:\n    @staticmethod\n    def m(self, a): pass\n",
            "a plain method became a staticmethod",
        ),
        ("C.p", "@functools.cache\ndef p(self): pass\n", "a property became a plain method"),
    ],
)
def test_a_changed_binding_is_named(tmp_path: Path, qualname: str, text: str, said: str) -> None:
    reason = refused(subject_in(tmp_path, CLASS, qualname), text)
    assert reason.code == "signature-changed"
    assert said in reason.text


@pytest.mark.parametrize(
    ("module", "text", "note"),
    [
        ("def f(n=1000): return 1", "def f(n=1_000): return 2", ""),
        ("def f(n=0x10): return 1", "def f(n=16): return 2", ""),
        ("def f(n='a'): return 1", 'def f(n="a"): return 2', ""),
        ("def f(n=(1, 2)): return 1", "def f(n=(1,2,)): return 2", ""),
        ("def f(x): return 1", "def f(x: int) -> int: return 2", "annotations changed"),
        (
            "def f(): yield 1",
            "def f(): return [1]",
            "it became a function: the original is a generator",
        ),
        ("def f(): return []", "def f(): yield 1", "it became a generator"),
        ("@a\ndef f(): return 1", "def f(): return 2", "keeps the original's decorators"),
        ("def f(): return 1", "def f(): return 1", "identical to the original"),
        ("def f(): return 1", "def f():\n    # why\n    return 1", "changes no code"),
        ("def f(): return 1", "K = 2\ndef f(): return 1", "the function itself is unchanged"),
    ],
)
def test_what_callers_may_not_mind_is_noted(
    tmp_path: Path, module: str, text: str, note: str
) -> None:
    candidate = read(subject_in(tmp_path, module), text)
    assert any(note in one for one in candidate.notes) if note else not candidate.notes
    assert candidate.changed == (note != "identical to the original")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "function-missing", "'f' is not defined"),
        ("\n  \n", "function-missing", "'f' is not defined"),
        ("x = 1\n", "function-missing", "'f' is not defined"),
        ("def g(x, n=10): pass\n", "function-missing", "'f' is not defined"),
        ("f = lambda x, n=10: 1\n", "function-missing", "lambda in line 1"),
        ("class f: pass\n", "function-missing", "is a class"),
        ("class Solution:\n    def f(self, x): pass\n", "function-missing", "Solution.f"),
        ("from fast import f\n", "function-missing", "imported from 'fast:f'"),
        (F + "f = jit(f)\n", "function-missing", "the result of jit(...)"),
        (F + "del f\n", "function-missing", "deleted"),
        ("```python\ndef g(): pass\n```", "function-missing", "none of its code blocks"),
        ("def f(x, n=10)\n    pass\n", "does-not-parse", "in line 1: def f(x, n=10)"),
        ("def f(x, n=10):\nreturn 1\n", "does-not-parse", "in line 2"),
        ("```python\ndef f(:\n```", "does-not-parse", "line 1"),
        ("Here is prose about it.\n", "does-not-parse", "line 1"),
        ("def f(x, n=10):\n    return '\x1b[31m\n", "does-not-parse", "unterminated"),
    ],
)
def test_a_candidate_that_is_none_is_told(tmp_path: Path, text: str, code: str, said: str) -> None:
    reason = refused(subject_in(tmp_path, MODULE), text)
    assert reason.code == code
    assert said in reason.text


def test_a_whole_module_is_taken_as_it_is(tmp_path: Path) -> None:
    text = (
        MODULE.replace(ORIGINAL_F, F)
        .replace("LIMIT = 10", "LIMIT = 11")
        .replace("os.sep", "os.curdir")
    )
    candidate = read(subject_in(tmp_path, MODULE), text)
    assert candidate.module_text == text
    assert candidate.also_changed == ("g", "LIMIT")


@pytest.mark.parametrize(
    ("text", "also"),
    [
        (F, ()),
        (f"{F}\n\ndef one_more(x):\n    return x\n", ()),
        (f"{F}\n\nLIMIT = 10  # as before\n", ()),
        (f"{F}\n\nLIMIT = 12\n", ("LIMIT",)),
    ],
)
def test_what_it_changes_beside_the_function_is_told(
    tmp_path: Path, text: str, also: tuple[str, ...]
) -> None:
    assert read(subject_in(tmp_path, MODULE), text).also_changed == also


def test_what_a_whole_module_takes_away_is_told(tmp_path: Path) -> None:
    text = MODULE.replace("LIMIT = 10", "")
    assert read(subject_in(tmp_path, MODULE), text, kind="module").also_changed == ("LIMIT",)


def test_a_whole_module_takes_the_original_line_ends(tmp_path: Path) -> None:
    text = MODULE.replace(ORIGINAL_F, F)
    candidate = read(subject_in(tmp_path, MODULE.replace("\n", "\r\n")), text)
    assert candidate.module_text == text.replace("\n", "\r\n")


def test_a_whole_module_may_leave_out_what_it_does_not_use(tmp_path: Path) -> None:
    text = "LIMIT = 10\n" + F + "def g():\n    return '/'\n"
    candidate = read(subject_in(tmp_path, MODULE), text)
    assert candidate.module_text == text
    assert "does not define 'helper'" in candidate.notes[0]


def test_a_source_that_uses_what_it_leaves_out_is_no_whole_module(tmp_path: Path) -> None:
    text = "LIMIT = 11\n" + F + "def helper(a):\n    return os.sep\n"
    module = read(subject_in(tmp_path, MODULE), text).module_text
    assert "import os\n" in module
    assert "def g" in module


def test_a_class_with_one_method_is_no_whole_module(tmp_path: Path) -> None:
    text = "class C:\n    def m(self, a):\n        return 1\n\n\ndef after():\n    pass\n"
    assert "def _h" in read(subject_in(tmp_path, CLASS, "C.m"), text).module_text


def test_the_kind_can_be_told(tmp_path: Path) -> None:
    subject = subject_in(tmp_path, MODULE)
    assert read(subject, F, kind="module").module_text == F
    whole = MODULE.replace(ORIGINAL_F, F)
    assert read(subject, whole, kind="function").module_text == whole
    assert refused(subject, F, kind="diff").code == "does-not-parse"
    assert refused(subject, "g = 1\n", kind="module").code == "function-missing"
    with pytest.raises(SubjectError, match="must be auto, function, module or diff"):
        read_candidate(subject, F, kind="patch")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("module", "encoding"),
    [
        ("# coding: latin-1\ndef f(): return 'é'\n".encode("latin-1"), "iso-8859-1"),
        (b"\xef\xbb\xbfdef f(): return 1\n", "utf-8-sig"),
    ],
)
def test_the_module_is_written_in_its_encoding(
    tmp_path: Path, module: bytes, encoding: str
) -> None:
    subject = subject_in(tmp_path, module)
    candidate = read(subject, "def f(): return 'ü'\n")
    assert candidate.encoding == encoding
    assert candidate.module_bytes.decode(encoding) == candidate.module_text
    if encoding == "iso-8859-1":
        assert "does not have" in refused(subject, "def f(): return '漢'\n").text
