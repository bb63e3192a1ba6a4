"""Programs that a model wrote are called in cells: each end is data, and answers are compared."""

from typing import Any

import pytest

from steelyard import judge
from steelyard.authoring.calls import Answers, Callee, Fault, compiled
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification
from steelyard.values import match_mode_of, text_of_answer, text_of_arguments

LIMITS = Limits(cpu_ms=300, memory_mib=128, output_mib=1)


def spec(returns: str = "int", **fields: Any) -> Specification:
    given = {
        "title": "t",
        "description": "d",
        "returns": returns,
        "parameters": [{"name": "x", "type": "list[int]"}],
    }
    return Specification.model_validate(given | fields)


def solution(body: str, pool: CellPool) -> Callee:
    found = compiled(
        f"class Solution:\n    def solve(self, x):\n        {body}\n",
        "class:Solution.solve",
        pool=pool,
        limits=LIMITS,
        parameters=1,
    )
    assert isinstance(found, Callee)
    return found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os\nclass Solution:\n    def solve(self, x): return 1", "line 1: "),
        ("class Solution:\n    def solve(self): return 1", "solve"),
        ("def solve(x): return 1", "no class Solution"),
        ("class Solution:\n    def solve(self, x):\n        return open('f')", "line 3: "),
        ("class Solution:\n    def solve(self, x) return 1", "line 2: "),
        ("x = '\ud800'", "UTF-8"),
    ],
)
def test_the_gate_names_the_line(source: str, words: str, pool: CellPool) -> None:
    found = compiled(source, "class:Solution.solve", pool=pool, limits=LIMITS, parameters=1)
    assert isinstance(found, Fault)
    assert words in found.text


def test_every_end_of_a_call_is_data(pool: CellPool) -> None:
    callee = solution(
        "return sum(x) if x[0] == 0 else 1 / 0 if x[0] == 1 else (1, 2) if x[0] == 2 else "
        "len if x[0] == 3 else math.inf if x[0] == 4 else {1}",
        pool,
    )
    for together in (False, True):
        found = Answers(spec()).outcomes(callee, [[[each]] for each in range(6)], together=together)
        assert [each.how for each in found] == ["answer", "raised", *["type"] * 4]
        assert found[0].value == 0
        assert found[1].message == "ZeroDivisionError: division by zero"
        assert "a list, expected int" in found[2].message
        assert "a builtin_function_or_method" in found[3].message
        assert "inf" in found[4].message
        assert "a set" in found[5].message


@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("\n        while True: pass", "slow"),
        ("return 'a' * (4 << 20)", "output"),
    ],
)
def test_a_limit_ends_the_calls(body: str, how: str, pool: CellPool) -> None:
    answers = Answers(spec("str" if how == "output" else "int"))
    found = answers.outcomes(solution(body, pool), [[[each]] for each in range(4)])
    assert [each.how for each in found] == [how, how, "skipped", "skipped"]


def test_smaller_arguments_are_tried_after_a_limit(pool: CellPool) -> None:
    callee = solution("\n        while x[0] > 90: pass\n        return x[0]", pool)
    inputs = [[[each]] for each in (95, 96, 97, 3, -99)]
    found = Answers(spec()).outcomes(callee, inputs)
    assert [each.how for each in found] == ["slow", "slow", "skipped", "answer", "skipped"]
    ends = Answers(spec()).outcomes(callee, [[[each]] for each in range(120, 90, -1)])
    assert 2 <= sum(each.how == "slow" for each in ends) <= 8, "not all of them cost their limit"


def test_state_does_not_pass_between_calls(pool: CellPool) -> None:
    found = compiled(
        "class Solution:\n    seen = []\n    def solve(self, x):\n"
        "        self.seen.append(1)\n        return len(self.seen)\n",
        "class:Solution.solve",
        pool=pool,
        limits=LIMITS,
        parameters=1,
    )
    assert isinstance(found, Callee)
    alone = Answers(spec()).outcomes(found, [[[1]]] * 3)
    assert [each.value for each in alone] == [1, 1, 1]


def test_answers_are_compared_as_the_specification_says(pool: CellPool) -> None:
    backwards = solution("return x[::-1]", pool)
    for mode, alike in (("exact", False), ("unordered", True)):
        answers = Answers(spec("list[int]", match_mode=mode))
        found = answers.outcomes(backwards, [[[1, 2, 3]]])[0]
        assert answers.alike(answers.stated([1, 2, 3]), found) is alike
    close = Answers(spec("float", match_mode="numeric"))
    assert close.alike(close.stated(0.3), close.stated(0.1 + 0.2))
    with pytest.raises(UsageError, match="expected int"):
        Answers(spec()).stated("1")


def test_a_tuple_is_a_list_unless_types_are_exact(pool: CellPool) -> None:
    pair = solution("return [x[0], x[1]]", pool)
    for kind, how in (("value", "answer"), ("exact", "type")):
        found = Answers(spec("tuple[int, int]", output_type=kind)).outcomes(pair, [[[1, 2]]])[0]
        assert found.how == how


def test_sets_integers_as_keys_and_unions_arrive_as_such(pool: CellPool) -> None:
    kind = "tuple[set[int], dict[int, set[str]], list[int | tuple[int, int]]]"
    task = spec("list[bool]", parameters=[{"name": "x", "type": kind}])
    callee = solution("return [x[0] == {1, 3}, x[1] == {7: {'a', 'b'}}, x[2] == [5, (1, 2)]]", pool)
    found = Answers(task).outcomes(callee, [[[[3, 1], {"7": ["b", "a"]}, [5, [1, 2]]]]])
    assert found[0].value == [True, True, True], found[0]


def test_an_answer_in_place_is_the_first_argument(pool: CellPool) -> None:
    answers = Answers(spec("list[int]", output_type="in-place"))
    assert answers.outcomes(solution("x.sort()", pool), [[[3, 1, 2]]])[0].value == [1, 2, 3]


READER = r"""
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>
int main() {
    int n; std::cin >> n;
    std::vector<std::string> names(n);
    for (auto& each : names) std::cin >> std::quoted(each);
    int m; std::cin >> m;
    long long total = 0;
    for (int i = 0; i < m; i++) { long long a, b; std::cin >> a >> b; total += a * b; }
    bool given; int extra = 0; std::cin >> given;
    if (given) std::cin >> extra;
    std::cout << n + 1 << "\n";
    for (auto& each : names) std::cout << std::quoted(each) << "\n";
    std::cout << std::quoted(std::to_string(total + extra)) << "\n";
}
"""


def test_a_cpp_program_reads_and_writes_the_text() -> None:
    task = Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": "list[str]",
            "parameters": [
                {"name": "names", "type": "list[str]"},
                {"name": "pairs", "type": "list[tuple[int, int]]"},
                {"name": "extra", "type": "int | None"},
            ],
        }
    )
    calls: list[tuple[list[Any], list[str]]] = [
        (
            [['a "b"', "", "c\\d  e\n", "ß"], [[2, 3], [4, -5]], 7],
            ['a "b"', "", "c\\d  e\n", "ß", "-7"],
        ),
        ([[], [], None], ["0"]),
    ]
    tests = [
        {"input": text_of_arguments(task, args), "expected": text_of_answer(task, answer)}
        for args, answer in calls
    ]
    result = judge(READER, tests, language="cpp", match_mode=match_mode_of(task))
    assert result.passed, result
