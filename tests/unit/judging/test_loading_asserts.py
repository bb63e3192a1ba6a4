"""Assertions come in as text, in mappings or as Python files; what they test is told from use."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import TestsError
from steelyard.judging._loading import load_tests
from steelyard.schemas import Entry, TestSuite
from steelyard.toolchains.incell.tested import called_at_the_top, names_tested, only_called

ASSERTS = Entry.parse("asserts")


def load(cases: object, entry: Entry = ASSERTS) -> TestSuite:
    return load_tests(cases, entry=entry)  # type: ignore[arg-type]


def tasks(cases: object, entry: Entry = ASSERTS) -> list[Any]:
    return [json.loads(case.input) for case in load(cases, entry).cases]


def refusal(cases: object) -> str:
    with pytest.raises(TestsError) as raised:
        load(cases)
    assert "\n" not in str(raised.value)
    return str(raised.value)


class TestInMemory:
    def test_a_text_or_a_mapping_is_a_case(self) -> None:
        cases = ["assert f(1) == 2", {"code": "assert g()", "setup": "import math", "name": "g"}]
        assert tasks(cases) == [
            {"setup": "", "code": "assert f(1) == 2", "entry": None},
            {"setup": "import math", "code": "assert g()", "entry": None},
        ]
        assert [case.name for case in load(cases).cases] == ["1", "g"]
        assert load(cases).entry_kind == "asserts"

    def test_the_name_under_test_goes_along(self) -> None:
        assert tasks(["assert f()"], Entry.parse("asserts:f"))[0]["entry"] == "f"

    def test_a_setup_is_shared_by_all_that_have_none_of_their_own(self) -> None:
        cases = ["assert f()", {"code": "assert g()"}, {"code": "assert h()", "setup": "import re"}]
        for key in ("tests", "test_cases"):
            got = [task["setup"] for task in tasks({"setup": "import math", key: cases})]
            assert got == ["import math", "import math", "import re"]

    def test_what_is_not_given_is_empty(self) -> None:
        task = {"code": "assert f()", "setup": None, "timeout": None, "name": None}
        assert tasks([task]) == [{"setup": "", "code": "assert f()", "entry": None}]

    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ({"setup": "import math"}, '"code" is missing; add the assertions'),
            ({"code": ""}, '"code" is missing; add the assertions'),
            ("", '"code" is missing; add the assertions'),
            ({"code": None}, '"code" is missing; add the assertions'),
            ({"code": ["assert f()"]}, '"code" is not text; write Python source in it'),
            ({"code": b"assert f()"}, '"code" is not text; write Python source in it'),
            ({"code": "assert f()", "setup": 5}, '"setup" is not text; write Python source in it'),
            ({"assert": "f()"}, 'unknown key "assert"; call it "code"'),
            ({"test": "assert f()"}, 'unknown key "test"; call it "code"'),
            ({"code": "assert f()", "prompt": "def f(): ..."}, '"prompt"; call it "setup"'),
            ({"code": "assert f()", "entry_point": "f"}, '"entry_point"; call it "entry"'),
            ({"code": "assert f()", "test_setup": ""}, '"test_setup"; call it "setup"'),
            ({"code": "assert f()", "expected": 1}, 'unknown key "expected"; a case has'),
            ({"code": "assert f()", "timeout": True}, '"timeout" is a boolean; write it as'),
            (5, 'a number is not a case; write "assert f(1) == 2" or {"code": '),
            (["assert f()"], "a list is not a case; write "),
        ],
    )
    def test_what_does_not_fit_is_said(self, case: object, said: str) -> None:
        assert refusal(["assert f()", case]).startswith("case 2: ")
        assert said in refusal(["assert f()", case])

    def test_a_case_alone_is_no_list(self) -> None:
        assert refusal("assert f()").startswith("assert f(): no such file or folder")
        said = "got a single case, not a list; put it into a list"
        assert refusal({"code": "assert f()"}) == said


class TestInFiles:
    def test_json_takes_the_same(self, tmp_path: Path) -> None:
        cases = ["assert f()", {"code": "assert g()", "setup": "import re"}]
        path = tmp_path / "a.json"
        path.write_text(json.dumps({"setup": "import math", "tests": cases}))
        assert [task["setup"] for task in tasks(path)] == ["import math", "import re"]
        path = tmp_path / "a.jsonl"
        path.write_text("\n".join(map(json.dumps, cases)))
        assert [task["code"] for task in tasks(path)] == ["assert f()", "assert g()"]

    def test_each_assertion_of_a_python_file_is_a_case(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        text = '''\
            """What it is about."""
            import functools
            from dataclasses import dataclass

            @dataclass(frozen=True)
            @functools.total_ordering
            class Point:
                x: int

            @functools.cache
            def helper(n):
                assert n > 0, "é"
                return n

            assert f(1) == (
                helper(1)
            )
            LIMIT = 5; assert f(LIMIT) == 5  # on one line

            def check(candidate):
                assert candidate(3) == 3
            '''
        path.write_text("\ufeff" + text.replace("\n" + " " * 12, "\n").lstrip(), "utf-8")
        first, second, third = tasks(path, Entry.parse("asserts:f"))
        assert first["code"] == "assert f(1) == (\n    helper(1)\n)"
        assert second["code"] == "assert f(LIMIT) == 5"
        assert third["code"] == "def check(candidate):\n    assert candidate(3) == 3"
        assert first["setup"] == second["setup"] == third["setup"]
        shared = ast.unparse(ast.parse(first["setup"]))
        for part in (
            "@dataclass(frozen=True)\n@functools.total_ordering\nclass Point:",
            "@functools.cache\ndef helper(n):\n    assert n > 0, 'é'",
            "LIMIT = 5",
            "import functools",
        ):
            assert part in shared
        assert [case.name for case in load(path).cases] == ["1", "2", "3"]

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"assert f(1 ==", ":1: '(' was never closed; correct this line"),
            (b"x = 1\n  y = 2", ":2: unexpected indent; correct this line"),
            (b"\xff", ": not Python that can be read ("),
            (b"assert f()\0", "null bytes"),
            (b"", ": no assert statement and no check(candidate); add one"),
            (b"def test_f():\n    assert f()", ": no assert statement and no check(candidate)"),
        ],
    )
    def test_a_python_file_that_asserts_nothing_is_refused(
        self, tmp_path: Path, content: bytes, said: str
    ) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(content)
        assert refusal(path).startswith(f"{path}:")
        assert "None" not in refusal(path)
        assert said in refusal(path)


class TestNamesToldFromUse:
    @pytest.mark.parametrize(
        ("setup", "code", "names"),
        [
            ("", "assert f(1) == g(2)", ["f", "g"]),
            ("", "assert sorted(f([1])) == list(range(3))", ["f"]),
            ("import math", "assert math.isclose(f(1), math.pi)", ["f"]),
            ("import os.path as p, sys", "assert f(p, sys)", ["f"]),
            ("from math import isclose as near", "assert near(f(1), 1)", ["f"]),
            ("def helper(x): return x", "assert helper(f(1))", ["f"]),
            ("async def later(): ...\nclass Point: ...", "assert f(later, Point)", ["f"]),
            ("x = 1\ny: int = 2\nfor z in (): ...", "assert f(x, y, z)", ["f"]),
            ("", "assert all(f(x) for x in [1])", ["f"]),
            ("", "assert all(map(lambda x, *y, z=1, **w: f(x, y, z, w), [1]))", ["f"]),
            ("", "assert (n := f(1)) and n", ["f"]),
            ("", "with open('a') as h:\n    f(h)", ["f"]),
            ("", "try:\n    f(1)\nexcept ValueError as e:\n    assert str(e)", ["f"]),
            ("", "s = f(1)\nassert s.g(2)", ["f"]),
            ("", "assert f(1) == f(2) == g(f)", ["f", "g"]),
            ("", "import math\nassert math.pi", []),
            ("def f(x): ...", "assert f(1)", []),
        ],
    )
    def test_they_are_those_that_nothing_defines(
        self, setup: str, code: str, names: list[str]
    ) -> None:
        assert sorted(names_tested(setup, code)) == names

    @pytest.mark.parametrize(
        ("code", "name"),
        [
            ("assert f(1) == LIMIT", "f"),
            ("assert g(f(1)) == 1", None),
            ("assert LIMIT == 1", None),
            ("assert f(1) == h.g(2)", "f"),
        ],
    )
    def test_one_is_meant_where_no_other_is_called(self, code: str, name: str | None) -> None:
        assert only_called(code, ["LIMIT", "f", "g", "h"]) == name

    @pytest.mark.parametrize(
        ("code", "calls"),
        [
            ("def check(c): ...\ncheck(f)", True),
            ("def check(c): check(c)", False),
            ("if f(1): check(f)", False),
            ("check", False),
            ("x.check(f)", False),
        ],
    )
    def test_check_is_called_for_sure_by_a_statement_of_its_own(
        self, code: str, calls: bool
    ) -> None:
        assert ("check" in called_at_the_top(code)) is calls
