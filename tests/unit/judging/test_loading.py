"""Tests come in from memory, files and folders; what cannot be read is said with its place."""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import TestsError
from steelyard.judging._loading import load_tests
from steelyard.schemas import TestCase, TestSuite

PAIR = '{"input": "5", "expected": "25"}'


def write(path: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(source: object) -> str:
    with pytest.raises(TestsError) as raised:
        load_tests(source)  # type: ignore[arg-type]
    message = str(raised.value)
    assert "\n" not in message
    return message


def test_mappings_become_cases_in_order() -> None:
    suite = load_tests(
        [
            {"input": "5\n", "expected": "25", "name": "square", "timeout": 2, "category": "small"},
            {"input": b"\xff\x00", "expected": b"\xfe", "timeout": None},
            TestCase(input=b"1", expected=b"1"),
        ]
    )
    assert suite.cases == (
        TestCase(input=b"5\n", expected=b"25", name="square", timeout=2.0, category="small"),
        TestCase(input=b"\xff\x00", expected=b"\xfe", name="2"),
        TestCase(input=b"1", expected=b"1", name="3"),
    )


def test_a_mapping_may_hold_the_list() -> None:
    cases = [{"input": "1", "expected": "2"}]
    assert (
        load_tests({"tests": cases})
        == load_tests({"test_cases": cases, "id": 7})
        == load_tests(cases)
    )


def test_an_empty_list_in_memory_is_an_empty_suite() -> None:
    assert len(load_tests([])) == 0


def test_a_suite_stays_as_it_is() -> None:
    suite = TestSuite(cases=(TestCase(name="a"),))
    assert load_tests(suite) is suite


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"expected": "1"}, 'case 2: "input" is missing; add it'),
        ({"input": "1"}, 'case 2: "expected" is missing; add it'),
        ({"input": 25, "expected": "1"}, '"input" is a number; write it as text, in quotes'),
        ({"input": "1", "expected": 10**5000}, '"expected" is a number; write it as text'),
        ({"input": "1", "expected": None}, '"expected" is null; write it as text'),
        ({"input": True, "expected": "1"}, '"input" is a boolean; write it as text'),
        ({"input": ["1"], "expected": "1"}, '"input" is a list; write it as text'),
        ({"input": "1", "output": "1"}, 'unknown key "output"; call it "expected"'),
        ({"inputs": "1", "expected": "1"}, 'unknown key "inputs"; call it "input"'),
        ({"arguments": [1], "result": 1}, "this is a case for the entry function:NAME or class:"),
        ({"input": "1", "expected": "1", "weight": 2}, 'unknown key "weight"; a case has'),
        ({"input": "1", "expected": "1", 3: 2}, "unknown key 3; a case has"),
        ({"input": "1", "expected": "1", "name": 4}, '"name" is a number; write it as text'),
        ({"input": "1", "expected": "1", "category": []}, '"category" is a list; write it'),
        (
            {"input": "1", "expected": "1", "name": "big\nn", "timeout": 0},
            r'case 2 ("big\nn"): timeout must be above 0; give it in seconds',
        ),
        ({"input": "", "expected": "", "timeout": 1e9}, "timeout must be at most 86400"),
        ({"input": "", "expected": "", "timeout": float("nan")}, "timeout must be at most 86400"),
        ({"input": "", "expected": "", "timeout": "5"}, '"timeout" is text; write it as a number'),
        ({"input": "", "expected": "", "timeout": True}, '"timeout" is a boolean; write it'),
        ({"input": "\ud800", "expected": ""}, "input holds a character that UTF-8 cannot write"),
        ({"input": "", "expected": "", "name": "\udcff"}, "name holds a character that UTF-8"),
        ("5 25", 'case 2: text is not a case; write {"input"'),
        (["5", "25"], "case 2: a list is not a case"),
        ({"input": "", "expected": "", "name": "1"}, 'the name "1" is also the name of case 1'),
    ],
)
def test_a_faulty_case_is_named_with_what_to_do(case: object, said: str) -> None:
    assert said in refusal([{"input": "", "expected": ""}, case])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("tests.json", "no such file or folder"),
        (b"[]", "give a list"),
        ({"cases": []}, 'neither "test_cases" nor "tests"'),
        ({"tests": [], "test_cases": []}, "keep one"),
        ({"tests": {"input": "", "expected": ""}}, '"tests" is an object; make it a list'),
        ({"tests": "5"}, "tests are text; give a list"),
        ({"input": "1", "expected": "1"}, "put it into a list"),
    ],
)
def test_what_is_no_list_of_cases_is_refused(source: object, said: str) -> None:
    assert said in refusal(source)


@pytest.mark.parametrize(
    "text",
    [
        f"[{PAIR}]",
        f'{{"tests": [{PAIR}]}}',
        f'\ufeff{{"about": {{"tests": 1}}, "test_cases":\n[{PAIR}], "limits": []}}\r\n',
    ],
)
def test_a_json_file_holds_a_list_or_an_object_with_one(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, {"tests.json": text}) / "tests.json"
    suite = load_tests(path)
    assert suite.cases == (TestCase(input=b"5", expected=b"25", name="1"),)
    assert suite.source == str(path)


def test_a_jsonl_file_holds_one_case_a_line(tmp_path: Path) -> None:
    text = f'\ufeff{PAIR}\r\n\n  \n{{"input": "a\u2028b", "expected": "", "name": "x"}}\n'
    suite = load_tests(write(tmp_path, {"t.JSONL": text}) / "t.JSONL")
    assert suite.cases == (
        TestCase(input=b"5", expected=b"25", name="1"),
        TestCase(input="a\u2028b".encode(), expected=b"", name="x"),
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.json", "", ":1: no test cases"),
        ("t.json", "\n \n", ":1: no test cases"),
        ("t.json", "[]", ":1: no test cases"),
        ("t.json", '{"tests": []}', ":1: no test cases"),
        (
            "t.json",
            f"[\n{PAIR}\n\n oops]",
            ":4: not JSON (Expecting ',' delimiter at line 4, column 2)",
        ),
        ("t.json", f"[{PAIR}]\n{PAIR}", ":2: not JSON (Extra data"),
        ("t.json", f"{PAIR}\n{PAIR}", "name the file .jsonl"),
        ("t.json", '"tests"', ":1: text is not a list of cases"),
        ("t.json", PAIR, ":1: got a single case, not a list"),
        ("t.json", f'[\n{PAIR},\n{PAIR},\n\n{{"input": 5}}]', ":5: case 3: "),
        ("t.json", f'{{"a": [1, {{}}],\n"tests"\n:\n [\n{PAIR},\n7]}}', ":6: case 2: a number"),
        ("t.json", f'[\n{PAIR},\n{{"input": "1",\n "input": "2"}}]', ':3: the key "input" appears'),
        ("t.json", f'{{"tests": [{PAIR}],\n"tests": []}}', ':1: the key "tests" appears twice'),
        ("t.json", f'[{{"a": 1, "a": 2}},\n{PAIR},]', ':1: the key "a" appears twice'),
        ("t.json", "[" * 200_000, "nested too deep"),
        ("t.json", f'[{{"input": {"1" * 5000}, "expected": ""}}]', "write it as text"),
        ("t.json", b'[\n"\xff"]', ":2: a byte that is not UTF-8"),
        ("t.jsonl", "\n\n", ":1: no test cases"),
        ("t.jsonl", f"{PAIR}\n\n{{oops", ":3: not JSON (Expecting property name"),
        ("t.jsonl", f"{PAIR}\n[{PAIR}]", ":2: a list is not a case"),
        ("t.jsonl", f"[\n{PAIR}\n]", "write the list of cases in a .json file"),
        ("t.jsonl", f'{PAIR}\n\n{{"input": "1"}}', ':3: case 2: "expected" is missing'),
        ("t.jsonl", f'{PAIR}\n{{"input": "", "input": ""}}', ":2: the key"),
        ("t.jsonl", f"{PAIR}\n" + "[" * 200_000, ":2: JSON nested too deep"),
        (
            "t.jsonl",
            f'{{"input": "", "expected": "", "name": "2"}}\n{PAIR}',
            ":2: case 2: the name",
        ),
        ("t.txt", PAIR, "unknown format of tests; give .json, .jsonl, .py, or a folder"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(
    tmp_path: Path, name: str, text: str | bytes, said: str
) -> None:
    path = write(tmp_path, {name: text}) / name
    message = refusal(path)
    assert message.startswith(str(path))
    assert said in message


def test_a_missing_path_is_said(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.json") == (
        f"{tmp_path}/none.json: no such file or folder; check the path of the tests"
    )


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.json")
    assert "neither a file nor a folder" in refusal(tmp_path / "t.json")


def test_a_folder_holds_inputs_with_their_answers(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "10.in": "j",
            "10.ans": "J",
            "2.in": b"\xff\r\n",
            "2.out": b"\x00",
            "sample/1.in": "s",
            "sample/1.ans": "S",
            "secret/big/a.b.in": "x",
            "secret/big/a.b.ans": "X",
            "secret/big/a.b.out": "X",
            "notes.txt": "no test",
            "._2.in": "no test",
            ".hidden/3.in": "no test",
        },
    )
    suite = load_tests(folder)
    assert [(case.name, case.category, case.input, case.expected) for case in suite.cases] == [
        ("2", "", b"\xff\r\n", b"\x00"),
        ("10", "", b"j", b"J"),
        ("sample/1", "sample", b"s", b"S"),
        ("secret/big/a.b", "secret/big", b"x", b"X"),
    ]
    assert suite.source == str(folder)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, ": no NAME.in in this folder"),
        ({"a.in": ""}, "/a.in: no answer; add a.ans or a.out"),
        ({"a.in": "", "a.ans": "", "b.ans": ""}, "/b.ans: an answer without b.in; add the input"),
        ({"a.in": "", "a.ans": "1", "a.out": "2"}, "/a.in: a.ans and a.out differ; keep one"),
    ],
)
def test_a_faulty_folder_is_named_with_the_file(
    tmp_path: Path, files: dict[str, str | bytes], said: str
) -> None:
    message = refusal(write(tmp_path, files))
    assert message.startswith(str(tmp_path))
    assert said in message


def test_a_problem_package_is_refused_by_name(tmp_path: Path) -> None:
    for name, kind in (
        ("problem.yaml", "Kattis"),
        ("problem.xml", "Polygon"),
        ("init.yml", "DMOJ"),
        ("sums/problem.yaml", "Kattis"),
    ):
        root = tmp_path / kind / name.replace("/", "-")
        write(root, {"data/1.in": "1", "data/1.ans": "1", name: "", "data/secret/2.in": ""})
        assert f"{root / name}: a problem package of {kind}" in refusal(root)
        write(root, {"data/secret/2.ans": ""})
        if name == Path(name).name:
            assert len(load_tests(root / "data")) == 2


def test_a_link_may_lead_within_the_folder_and_not_out_of_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "tests", {"a.in": "1", "a.ans": "2", "sub/b.ans": "2"})
    (folder / "sub/b.in").symlink_to("../a.in")
    assert [case.input for case in load_tests(folder).cases] == [b"1", b"1"]
    (folder / "sub/b.in").unlink()
    (tmp_path / "private").write_text("key")
    (folder / "sub/b.in").symlink_to(tmp_path / "private")
    assert "b.in: a link that leads out of the folder" in refusal(folder)


def test_a_test_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.ans": ""})
    os.mkfifo(tmp_path / "a.in")
    assert "a.in: not a regular file" in refusal(tmp_path)


def test_a_file_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, {"t.json": f"[{PAIR}]"}) / "t.json"
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user can read every file")
    assert "Permission denied" in refusal(path)


texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.lists(
        st.fixed_dictionaries(
            {"input": texts, "expected": texts},
            optional={
                "timeout": st.floats(0, 86_400, exclude_min=True) | st.none(),
                "category": texts,
            },
        ),
        min_size=1,
        max_size=6,
    )
)
def test_memory_json_and_jsonl_give_the_same_suite(
    tmp_path_factory: pytest.TempPathFactory, cases: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("tests")
    write(
        folder,
        {
            "t.json": json.dumps(cases, indent=1),
            "t.jsonl": "\n".join(json.dumps(case, ensure_ascii=False) for case in cases),
        },
    )
    wanted = load_tests(cases).digest
    assert load_tests(folder / "t.json").digest == wanted
    assert load_tests(folder / "t.jsonl").digest == wanted


@given(st.lists(texts, max_size=8), st.integers(0, 8))
def test_a_bad_entry_is_found_on_its_line_wherever_it_stands(
    tmp_path_factory: pytest.TempPathFactory, inputs: list[str], place: int
) -> None:
    entries = [json.dumps({"input": text, "expected": ""}) for text in inputs]
    entries.insert(place, '{"input": 5, "expected": ""}')
    path = tmp_path_factory.mktemp("tests") / "t.json"
    path.write_text("[\n" + ",\n".join(entries) + "\n]", "utf-8")
    number = min(place, len(inputs)) + 1
    assert re.search(rf"^{re.escape(str(path))}:{number + 1}: case {number}: ", refusal(path))
