"""Cases for functions and methods are read as they are meant, and else it is said what to mend."""

import json
import math
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import TestsError, UsageError
from steelyard.judging._loading import load_tests
from steelyard.schemas import Entry, TestSuite, values

FUNCTION = Entry.parse("function:f")
CLASS = Entry.parse("class:Solution.solve")


def load(cases: object, entry: Entry = FUNCTION) -> TestSuite:
    return load_tests(cases, entry=entry)  # type: ignore[arg-type]


def refusal(cases: object, entry: Entry = FUNCTION) -> str:
    with pytest.raises(TestsError) as raised:
        load(cases, entry)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def asked(case: dict[str, object]) -> Any:
    return values.decode(load([case]).cases[0].input)


def wanted(case: dict[str, object]) -> Any:
    return values.decode(load([case]).cases[0].expected)


def deep(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


class TestInMemory:
    def test_a_case_is_a_call_and_what_must_come_of_it(self) -> None:
        case = {"args": [1, (2, {3})], "kwargs": {"key": b"x"}, "expected": {4: math.inf}}
        assert asked(case) == [[1, (2, {3})], {"key": b"x"}, 0]
        assert wanted(case) == ["ok", {4: math.inf}]

    @pytest.mark.parametrize(
        ("case", "request_line", "outcome"),
        [
            ({"args": [], "expected": None}, [[], None, 0], ["ok", None]),
            ({"args": (1,), "expected": 2}, [[1], None, 0], ["ok", 2]),
            ({"kwargs": {"a": 1}, "expected": 2}, [[], {"a": 1}, 0], ["ok", 2]),
            ({"args": None, "kwargs": {}, "expected": 2}, [[], None, 0], ["ok", 2]),
            ({"args": [1], "kwargs": None, "expected": 2}, [[1], None, 0], ["ok", 2]),
            ({"args": [1], "expected_exception": "E"}, [[1], None, 0], ["raised", "E"]),
            (
                {"args": [1], "expected": 2, "expected_exception": None},
                [[1], None, 0],
                ["ok", 2],
            ),
            (
                {"args": [[1]], "expected": None, "expected_args": ([2],)},
                [[[1]], None, 1],
                ["ok", None, [[2]]],
            ),
            ({"args": [1], "expected": 2, "expected_args": None}, [[1], None, 0], ["ok", 2]),
            ({"args": [1], "expected": 2, "expected_args": []}, [[1], None, 1], ["ok", 2, []]),
            (
                {"kwargs": {"a": 1}, "expected": 2, "expected_kwargs": {"a": (3,)}},
                [[], {"a": 1}, 2],
                ["ok", 2, None, {"a": (3,)}],
            ),
            (
                {
                    "args": [1],
                    "kwargs": {"a": 1},
                    "expected": 2,
                    "expected_args": [4],
                    "expected_kwargs": {"a": 3},
                },
                [[1], {"a": 1}, 3],
                ["ok", 2, [4], {"a": 3}],
            ),
            ({"args": [1], "expected": 2, "expected_kwargs": None}, [[1], None, 0], ["ok", 2]),
        ],
    )
    def test_what_is_left_out(
        self, case: dict[str, object], request_line: object, outcome: object
    ) -> None:
        assert asked(case) == request_line
        assert wanted(case) == outcome

    def test_what_looks_like_a_tagged_value_is_a_dictionary(self) -> None:
        tagged = {"$": "tuple", "v": [1]}
        assert asked({"args": [tagged], "expected": tagged})[0] == [tagged]

    def test_a_subclass_is_what_it_is_underneath(self) -> None:
        assert wanted({"args": [], "expected": OrderedDict(a=True)}) == ["ok", {"a": True}]

    def test_the_other_keys_are_those_of_any_case(self) -> None:
        cases = [
            {"args": [], "expected": 1, "name": "a", "timeout": 2, "category": "c"},
            {"args": [], "expected": 1},
        ]
        first, second = load({"tests": cases}).cases
        assert (first.name, first.timeout, first.category, second.name) == ("a", 2.0, "c", "2")

    def test_a_suite_knows_what_it_is_for(self) -> None:
        case = {"args": [], "expected": 1}
        assert load([case]).entry_kind == "function"
        assert load([case], CLASS).entry_kind == "class"
        assert load([case]).cases == load([case], CLASS).cases

    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ({"expected": 1}, '"args" is missing; add the list of arguments'),
            ({"args": None, "expected": 1}, '"args" is missing; add the list of arguments'),
            ({"args": 5, "expected": 1}, '"args" is not a list; write the arguments as a list'),
            ({"args": "ab", "expected": 1}, '"args" is not a list; write'),
            ({"args": {"a": 1}, "expected": 1}, '"args" is not a list; write'),
            ({"args": {1}, "expected": 1}, '"args" is not a list; write'),
            ({"args": 5, "kwargs": {}, "expected": 1}, '"args" is not a list; write'),
            (
                {"kwargs": [1], "expected": 1},
                '"kwargs" is not an object with names; write {"name": value}',
            ),
            ({"args": [], "kwargs": {1: 2}, "expected": 1}, '"kwargs" is not an object with names'),
            ({"args": [], "kwargs": "a", "expected": 1}, '"kwargs" is not an object with names'),
            ({"args": []}, '"expected" or "expected_exception": neither is given; add one'),
            (
                {"args": [], "expected": None, "expected_exception": "E"},
                '"expected" or "expected_exception": both are given; keep one',
            ),
            (
                {"args": [], "expected_exception": 5},
                '"expected_exception" is not a name; write a name such as "ValueError"',
            ),
            ({"args": [], "expected_exception": None}, '"expected_exception" is not a name'),
            ({"args": [], "expected_exception": ValueError}, '"expected_exception" is not a name'),
            ({"args": [], "expected_exception": "a b"}, '"expected_exception" is not a name'),
            ({"args": [], "expected_exception": ""}, '"expected_exception" is not a name'),
            ({"args": [], "expected_exception": "os.error"}, '"expected_exception" is not a name'),
            (
                {"args": [], "expected": 1, "expected_args": 5},
                '"expected_args" is not a list; write the arguments as they must be after the call',
            ),
            (
                {"args": [], "expected_exception": "E", "expected_args": []},
                '"expected_args" needs "expected": a call that raises gives no arguments back',
            ),
            (
                {"args": [], "expected": 1, "expected_kwargs": [5]},
                '"expected_kwargs" is not an object with names; write {"name": value}',
            ),
            (
                {"kwargs": {"a": 1}, "expected": 1, "expected_kwargs": {"b": 1}},
                '"expected_kwargs" has other names than "kwargs"; write the same ones',
            ),
            (
                {"args": [1], "expected": 1, "expected_kwargs": {"b": 1}},
                '"expected_kwargs" has other names than "kwargs"; write the same ones',
            ),
            (
                {"args": [], "expected_exception": "E", "expected_kwargs": {}},
                '"expected_kwargs" needs "expected": a call that raises gives no arguments back',
            ),
            (
                {"kwargs": {"a": 1}, "expected": 1, "expected_kwargs": {"a": ...}},
                "it holds an ellipsis, which is not plain data; give plain values",
            ),
            ({"args": [], "expected": 1, "raises": "E"}, 'key "raises"; call it "expected_exc'),
            ({"arguments": [], "expected": 1}, 'unknown key "arguments"; call it "args"'),
            ({"input": [], "expected": 1}, 'unknown key "input"; call it "args"'),
            ({"input": "1", "expected": "2"}, "this is a case for the entry stdio, and the entry "),
            ({"inputs": "1", "output": "2"}, "; set the entry to stdio"),
            ("assert f(1) == 2", "this is a case for the entry asserts, and the entry is "),
            ({"INPUTS": [], "expected": 1}, 'unknown key "INPUTS"; call it "args"'),
            ({"args": [], "output": 1}, 'unknown key "output"; call it "expected"'),
            ({"args": [], "expected_output": 1}, '"expected_output"; call it "expected"'),
            ({"args": [], "result": 1}, 'unknown key "result"; call it "expected"'),
            ({"args": [], "expected": 1, "id": "a"}, 'unknown key "id"; call it "name"'),
            ({"args": [], "expected": 1, "time_limit": 1}, 'call it "timeout"'),
            (
                {"args": [], "expected": 1, "weight": 2},
                'unknown key "weight"; a case has args, kwargs, expected, expected_',
            ),
            ({"args": [], "expected": 1, 3: 4}, "unknown key 3; a case has"),
            ({"args": [], "expected": 1, "timeout": "1"}, '"timeout" is text; write it as'),
            ({"args": [], "expected": 1, "timeout": 0}, "timeout must be above 0"),
            ({"args": [], "expected": 1, "name": 5}, '"name" is a number; write it as text'),
            ({"args": [object()], "expected": 1}, "it holds an object, which is not plain data; "),
            ({"args": [], "expected": range(3)}, "it holds a range, which is not plain data; give"),
            ({"kwargs": {"a": {1: iter([])}}, "expected": 1}, "it holds a list_iterator, "),
            (
                {"args": [], "expected": 1, "expected_args": [...]},
                "it holds an ellipsis, which is not plain data; give plain values",
            ),
            (
                {"args": [deep(300)], "expected": 1},
                "it holds a value nested deeper than 200 levels; give plain values",
            ),
            ([1], "a list is not a case; write "),
            ("f(1)", 'text is not a case; write {"args": [...], "expected": ...}'),
            (5, "a number is not a case; write "),
        ],
    )
    def test_what_does_not_fit_is_said(self, case: object, said: str) -> None:
        good = {"args": [], "expected": 1}
        for entry in (FUNCTION, CLASS):
            assert refusal([good, case], entry).startswith("case 2: ")
            assert said in refusal([good, case], entry)

    def test_the_name_of_a_case_is_part_of_its_place(self) -> None:
        message = refusal([{"args": [], "name": "empty"}])
        assert message.startswith('case 1 ("empty"): "expected" or ')

    def test_a_single_case_is_no_list(self) -> None:
        said = "got a single case, not a list; put it into a list"
        assert refusal({"args": [], "expected": 1}) == said


class TestInFiles:
    def write(self, path: Path, text: str) -> Path:
        path.write_text(text)
        return path

    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ('{"$": "tuple", "v": [1, 2]}', (1, 2)),
            ('{"$": "set", "v": [1, 2]}', {1, 2}),
            ('{"$": "frozenset", "v": []}', frozenset()),
            ('{"$": "bytes", "v": "a\\u00ff"}', b"a\xff"),
            ('{"$": "bytearray", "v": "a"}', bytearray(b"a")),
            ('{"$": "complex", "v": [1, -2.5]}', 1 - 2.5j),
            ('{"$": "int", "v": "0x1f"}', 31),
            ('{"$": "float", "v": "-inf"}', -math.inf),
            ('{"$": "dict", "v": [[1, 2], [{"$": "tuple", "v": [3]}, 4]]}', {1: 2, (3,): 4}),
            ('{"$": "tuple", "v": [{"$": "set", "v": [1]}, [null]]}', ({1}, [None])),
            ('{"a": [{"$": "set", "v": [1]}]}', {"a": [{1}]}),
            ('{"$": "tuple"}', {"$": "tuple"}),
            ('{"$": "tuple", "v": [], "w": 1}', {"$": "tuple", "v": [], "w": 1}),
            ('{"$": "list", "v": []}', {"$": "list", "v": []}),
            ('{"v": 1}', {"v": 1}),
            ("NaN", None),
        ],
    )
    def test_a_value_that_json_has_no_word_for(
        self, tmp_path: Path, written: str, value: object
    ) -> None:
        line = f'{{"args": [{written}], "kwargs": {{"k": {written}}}, "expected": {written}}}'
        for name, text in (("a.jsonl", line), ("a.json", f"[{line}]")):
            (case,) = load(self.write(tmp_path / name, text)).cases
            (given,), named, _ = values.decode(case.input)
            kind, expected = values.decode(case.expected)
            if value is None:
                assert given != given
            else:
                assert given == named["k"] == expected == value
                assert type(given) is type(named["k"]) is type(expected) is type(value)
            assert kind == "ok"

    @pytest.mark.parametrize(
        ("written", "said"),
        [
            ('{"$": "int", "v": 5}', '{"$": "int", "v": 5} is not a value: TypeError: '),
            ('{"$": "set", "v": [[1]]}', '{"$": "set", "v": [[1]]} is not a value: '),
            ('{"$": "bytes", "v": "\\u0100"}', '"\\u0100"} is not a value: Unicode'),
            ('{"$": "complex", "v": 1}', " is not a value: "),
            ('{"$": "dict", "v": [1]}', " is not a value: "),
            ("[" * 250 + "]" * 250, "it holds a value nested deeper than 200 levels"),
            ("[" * 700 + "]" * 700, "nest"),
            ('{"$": "tuple", "v": ' + "[" * 450 + "]" * 450 + "}", "nest"),
        ],
    )
    @pytest.mark.parametrize("key", ["args", "expected"])
    def test_a_value_that_stands_for_none_is_refused(
        self, tmp_path: Path, written: str, said: str, key: str
    ) -> None:
        good = '{"args": [], "expected": 1}'
        old, new = ("1", written) if key == "expected" else ("[]", f"[{written}]")
        case = good.replace(old, new)
        path = self.write(tmp_path / "a.jsonl", f"{good}\n{case}\n")
        message = refusal(path)
        assert message.startswith(f"{path}:2: case 2: ")
        assert said in message

    def test_what_is_no_list_is_refused_with_an_example(self, tmp_path: Path) -> None:
        example = 'list of cases such as {"args": [...], "expected": ...}'
        assert refusal(self.write(tmp_path / "a.json", "5")).endswith(f"write a {example}")
        with pytest.raises(UsageError, match="must be Path or str or TestSuite"):
            load_tests(5, entry=FUNCTION)  # type: ignore[arg-type]

    def test_a_fault_is_said_with_its_line(self, tmp_path: Path) -> None:
        text = json.dumps([{"args": [], "expected": 1}, {"args": 1, "expected": 1}], indent=1)
        path = self.write(tmp_path / "a.json", text)
        assert refusal(path).startswith(f'{path}:6: case 2: "args" is not a list')

    def test_folders_and_python_files_are_for_others(self, tmp_path: Path) -> None:
        assert "neither a file nor a folder" in refusal(tmp_path)
        path = self.write(tmp_path / "a.py", "assert f(1) == 2")
        assert "unknown format of tests" in refusal(path)
