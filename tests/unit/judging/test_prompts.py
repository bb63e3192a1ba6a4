"""Tests are found in prompts, and nothing else is taken for one."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import TestsError
from steelyard.judging.prompts import Notation, extract_tests

CORPUS = Path(__file__).parents[2] / "corpus" / "prompts"
PROMPTS = sorted(path.stem for path in CORPUS.glob("*.txt"))


def cases_of(prompt: str) -> list[tuple[bytes, bytes]]:
    return [(case.input, case.expected) for case in extract_tests(prompt).suite.cases]


def test_the_corpus_is_there() -> None:
    assert len(PROMPTS) >= 15


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_of_the_corpus_gives_what_is_written_beside_it(name: str) -> None:
    prompt = (CORPUS / f"{name}.txt").read_text("utf-8")
    wanted = json.loads((CORPUS / f"{name}.json").read_text("utf-8"))
    if "error" in wanted:
        with pytest.raises(TestsError) as raised:
            extract_tests(prompt)
        message = str(raised.value)
        assert wanted["error"] in message
        assert "\n" not in message
        assert "give the tests" in message
        return
    extracted = extract_tests(prompt)
    assert cases_of(prompt) == [
        (case["input"].encode(), case["expected"].encode()) for case in wanted["cases"]
    ]
    assert list(extracted.shapes) == wanted["shapes"]
    if "arguments" in wanted:
        assert [list(found.arguments) for found in extracted.found] == wanted["arguments"]


def test_line_ends_of_any_system_read_alike() -> None:
    prompt = (CORPUS / "contest_plain.txt").read_text("utf-8")
    assert cases_of(prompt.replace("\n", "\r\n")) == cases_of(prompt)
    assert cases_of(prompt.replace("\n", "\r")) == cases_of(prompt)


def test_each_case_says_its_shape_and_line() -> None:
    extracted = extract_tests("Double it.\nInput: 1\nOutput: 2\n\n>>> double(4)\n8\n")
    assert [(found.name, found.shape, found.line) for found in extracted.found] == [
        ("1", Notation.INLINE, 2),
        ("2", Notation.DOCTEST, 5),
    ]
    assert extracted.shapes == (Notation.INLINE, Notation.DOCTEST)
    assert extracted.suite.source == "prompt (inline, doctest)"
    assert [case.name for case in extracted.suite.cases] == ["1", "2"]


def test_what_is_passed_over_is_said_with_its_line() -> None:
    extracted = extract_tests(
        "Input\nThe n.\n\nOutput\nIts square.\n\nExample\nInput: 2\nOutput: 4"
    )
    assert extracted.passed_over == ("line 1: an input apart from the announced samples",)


def test_the_same_test_twice_counts_once() -> None:
    assert cases_of("Input: 1\nOutput: 2\n\nInput: 1\nOutput: 2\n") == [(b"1\n", b"2")]


def test_an_output_that_trails_off_into_prose_ends_at_the_blank_line() -> None:
    assert cases_of("Input\n5\n\nOutput\n25\n\nUse C++ and read from stdin.\n") == [(b"5\n", b"25")]


def test_blank_lines_within_an_output_are_kept_where_another_sample_follows() -> None:
    prompt = "Examples\nInput\n1\nOutput\na\n\nb\n\nInput\n2\nOutput\nc\n"
    assert cases_of(prompt) == [(b"1\n", b"a\n\nb"), (b"2\n", b"c")]


def test_an_empty_fence_is_an_empty_input() -> None:
    assert cases_of("Input:\n```\n```\nOutput:\n```\nhello\n```\n") == [(b"", b"hello")]


def test_a_label_within_quotes_is_data() -> None:
    assert cases_of('Input: s = "x Output: y" Output: 3') == [(b'"x Output: y"\n', b"3")]


def test_labels_inside_a_claimed_fence_are_data() -> None:
    prompt = "Input:\n```\nOutput:\n9\n```\nOutput:\n```\nInput:\n```\n"
    assert cases_of(prompt) == [(b"Output:\n9\n", b"Input:")]


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("Input: 5 Output: 25.", (b"5\n", b"25")),
        ("Input: 5 Output: 25. It reads 5.", (b"5\n", b"25")),
        ("Input: 5\nOutput: 25\nBecause five times five is that.\n", (b"5\n", b"25")),
        ("Input: n Output: n squared\n\nExample:\nInput: 3\nOutput: 9", (b"3\n", b"9")),
        ("Example\nInput: list files\nOutput: total 0", (b"list files\n", b"total 0")),
        (
            "    Example:\n      Input:\n      3\n        4\n      Output:\n      9",
            (b"3\n  4\n", b"9"),
        ),
        ("Examples\n```\n# call it\nInput: 3\nOutput: 9\n```", (b"3\n", b"9")),
        ("```a``` is code\nInput:\n```\n5\n```\nOutput:\n```\n9\n```", (b"5\n", b"9")),
        ("Input:\n````\n```\nx\n```\n````\nOutput:\n```\n1\n```", (b"```\nx\n```\n", b"1")),
        ("- Input:\n  ```\n  5\n    6\n  ```\n- Output:\n  ~~~\n  7\n  ~~~", (b"5\n  6\n", b"7")),
        (">>> f(1)  # doctest: +ELLIPSIS\n[0, ...]\n>>> f(2)  # small\n[0]", (b"2\n", b"[0]")),
        ("    >>> f(1)\n    2\ndef g(): pass", (b"1\n", b"2")),
        ("```\n>>> f(1)\n2\n```\n", (b"1\n", b"2")),
        (">>> print(f(1))\na\n<BLANKLINE>\nb", (b"1\n", b"a\n\nb")),
    ],
)
def test_a_test_ends_where_its_data_ends(prompt: str, wanted: tuple[bytes, bytes]) -> None:
    assert cases_of(prompt) == [wanted]


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Sample Input 1\n5\nSample Output 2\n9", "line 1: input 1 before output 2"),
        ("Input:\n```\n...\n```\nOutput:\n```\n...\n```", "an input that is a placeholder"),
        ("Input: list files\nOutput: total 0", "described, not given"),
        ("input=5, Output: 25\nOutput: 7", "no test was found"),
        ("if input == 5, output == 25", "no test was found"),
        ("input == 5, output == 25", "no test was found"),
    ],
)
def test_what_is_in_doubt_is_no_test(prompt: str, said: str) -> None:
    with pytest.raises(TestsError, match=said):
        extract_tests(prompt)


def test_code_that_assigns_to_input_and_output_is_no_test() -> None:
    with pytest.raises(TestsError, match="no test was found"):
        extract_tests("input = read()\noutput = solve(input)\nprint(output)\n")


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("", "no test was found"),
        ("x" * 1_000_001, "more than 1,000,000 characters"),
        ("Input: \ud800 Output: 1", "surrogate"),
        ("".join(f"Input: {n} Output: {n}\n" for n in range(1_001)), "more than 1,000 tests"),
        ("Input\n" * 10_001, "more than 10,000 labels"),
    ],
)
def test_a_prompt_out_of_bounds_is_refused(prompt: str, said: str) -> None:
    with pytest.raises(TestsError, match=said) as raised:
        extract_tests(prompt)
    assert "\n" not in str(raised.value)


def test_as_many_cases_as_are_allowed_are_read() -> None:
    prompt = "".join(f"Input: {n} Output: {n}\n" for n in range(1_000))
    assert len(extract_tests(prompt).suite) == 1_000


@pytest.mark.parametrize(
    "argument",
    [
        "[" * 100_000,
        "(" * 60 + "1" + ",)" * 60,
        "1" * 100_000,
        '"' + "\\" * 99_999,
        "'unclosed",
        "{1: 2}",
        "__import__('os').system('true')",
        "1_000",
        "007",
        r'"\ud800"',
        "[1 2]",
        "nan",
    ],
)
def test_hostile_arguments_are_read_or_passed_over(argument: str) -> None:
    prompt = (
        f"Input: a = {argument}\nOutput: 1\n\nInput: b = 2\nOutput: 3\n\n>>> f({argument})\n1\n"
    )
    extracted = extract_tests(prompt)
    assert b"2\n" in [case.input for case in extracted.suite.cases]
    for case in extracted.suite.cases:
        for line in case.input.splitlines():
            json.loads(line, parse_int=str)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(st.lists(values, min_size=1, max_size=4))
def test_python_and_json_literals_become_json_of_the_same_value(arguments: list[object]) -> None:
    as_python = ", ".join(repr(argument) for argument in arguments)
    as_json = ", ".join(f"a{n} = {json.dumps(value)}" for n, value in enumerate(arguments))
    for prompt in (f">>> f({as_python})\n1\n", f"Input: {as_json}\nOutput: 1\n"):
        (stdin, _), *rest = cases_of(prompt)
        assert not rest
        assert [json.loads(line) for line in stdin.decode().split("\n")[:-1]] == arguments


fragments = st.sampled_from(
    [
        "Input",
        "Output",
        "Input:",
        "Output:",
        "Sample Input 1",
        "Examples",
        "Note",
        "```",
        "~~~",
        ">>> f(1)",
        "...",
        "25",
        "a = [1",
        "The first line contains n.",
        '"',
        "",
        "\n",
        "**",
        " ",
        "input=1,",
        "output=2",
        "Explanation: x",
        "### Input",
        "'''",
    ]
)


@given(st.lists(fragments | st.text(max_size=6), max_size=40), st.sampled_from(["\n", " "]))
def test_any_text_gives_cases_or_is_refused(parts: list[str], between: str) -> None:
    try:
        extracted = extract_tests(between.join(parts))
    except TestsError:
        return  # its text is checked by the tests of what is refused
    assert len(extracted.suite) == len(extracted.found) >= 1
    assert extracted.shapes
    assert all(not case.input or case.input.endswith(b"\n") for case in extracted.suite.cases)


@given(
    st.lists(
        st.tuples(st.integers(), st.integers()), min_size=1, max_size=8, unique_by=lambda p: p[0]
    )
)
@pytest.mark.parametrize(
    "template",
    [
        "Input: {} Output: {}\n",
        "Input: {}\nOutput: {}\n\n",
        "Example: input={}, output={}\n",
        "Input\n{}\nOutput\n{}\n\n",
        "Input:\n```\n{}\n```\nOutput:\n```\n{}\n```\n",
        ">>> f({})\n{}\n",
    ],
)
def test_every_shape_gives_back_the_pairs_that_were_written(
    template: str, pairs: list[tuple[int, int]]
) -> None:
    prompt = "Do it.\n" + "".join(template.format(*pair) for pair in pairs)
    assert cases_of(prompt) == [(f"{a}\n".encode(), f"{b}".encode()) for a, b in pairs]
