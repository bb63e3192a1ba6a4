"""A wrong value for any public keyword is one line: what is wrong, the value, what to do."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.errors import UsageError

BAD = object()
PROGRAM = "def f(a):\n    return a\n"
TESTS = [{"input": "", "expected": ""}]
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "judge": (steelyard.judge, {"program": "print(1)", "tests": TESTS}),
    "profile": (steelyard.profile, {"program": "print(1)", "inputs": "."}),
    "compare_growth": (
        steelyard.compare_growth,
        {"program": "print(1)", "versus": "print(1)", "inputs": "."},
    ),
    "compare": (steelyard.compare, {"program": PROGRAM, "function": "m:f"}),
    "judge_of": (steelyard.judge_of, {"task": steelyard.Task(id="t", prompt="")}),
    "view_evaluation": (steelyard.view_evaluation, {"folder": "x"}),
    "merge_evaluations": (steelyard.merge_evaluations, {"folders": ["x"], "out": "y"}),
    "diff_evaluations": (steelyard.diff_evaluations, {"first": "x", "second": "y"}),
    "export_evaluation": (steelyard.export_evaluation, {"folder": "x"}),
    "reward_report": (steelyard.reward_report, {"rows": []}),
    "Solver": (steelyard.Solver, {}),
    "Author": (steelyard.Author, {}),
    "solve": (steelyard.solve, {"problem": "Print 1.", "logs": None}),
    "ExecutionVerifier": (steelyard.ExecutionVerifier, {}),
    "CellPool": (steelyard.CellPool, {}),
    "CompareBaseline": (steelyard.CompareBaseline, {"function": "m:f"}),
    "Profiler": (steelyard.Profiler, {"inputs": "."}),
    "checker_for": (steelyard.checker_for, {"mode": "exact"}),
    "value_checker_for": (steelyard.value_checker_for, {"mode": "exact"}),
    "code_of_reply": (steelyard.code_of_reply, {"text": "```\n```"}),
    "extract_tests": (steelyard.extract_tests, {"prompt": ""}),
    "find_toolchain": (steelyard.find_toolchain, {"language": "python"}),
    "language_of": (steelyard.language_of, {"path": Path("a.py")}),
    "load_tests": (steelyard.load_tests, {"source": TESTS}),
    "problem_of_text": (steelyard.problem_of_text, {"text": "x"}),
    "read_problem": (steelyard.read_problem, {"path": Path("x.json")}),
    "Limits": (steelyard.Limits, {}),
    "TestCase": (steelyard.TestCase, {}),
    "TestSuite": (steelyard.TestSuite, {}),
    "Entry": (steelyard.Entry, {}),
    "Policy": (steelyard.Policy, {}),
    "Constraints": (steelyard.Constraints, {"runtime_limit": 1, "memory_limit": 1}),
    "ProblemInput": (steelyard.ProblemInput, {"task_id": "x", "prompt": "x"}),
    "JudgeOptions": (steelyard.JudgeOptions, {}),
    "ProfileOptions": (steelyard.ProfileOptions, {}),
    "CompareOptions": (steelyard.CompareOptions, {}),
    "SolveOptions": (steelyard.SolveOptions, {}),
}
CHECKED_IN_USE = {
    ("JudgeOptions", "checker"),
    ("Profiler", "inputs"),
    ("reward_report", "extraction"),
}
"""Values that are refused once there are programs to judge or to profile."""
CALLS = [
    (name, keyword)
    for name, (function, _) in FUNCTIONS.items()
    for keyword in inspect.signature(function).parameters
    if (name, keyword) not in CHECKED_IN_USE
]


def test_a_value_of_a_wrong_type_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, keyword in CALLS:
        function, given = FUNCTIONS[name]
        with subtests.test(name=name, keyword=keyword):
            with pytest.raises(UsageError) as caught:
                function(**given | {keyword: BAD})
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"policy": ""}, "policy '': modules: takes names of modules, got ''; use no-imports"),
        ({"language": "c", "seed": 1}, "seed: only for Python, not for C; leave it out"),
        ({"language": "c", "preload": ("numpy",)}, "preload: only for Python, not for C; leave"),
        ({"tests": []}, "there are no tests, so nothing would be proved; give tests, or set"),
    ],
)
def test_an_option_that_does_not_fit_is_named(options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        steelyard.judge("int main() { return 0; }", **{"tests": TESTS} | options)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("value", [-1, 0, "x", 1.5])
def test_a_limit_out_of_range_names_the_field_and_the_value(value: Any) -> None:
    for name in ("cpu_ms", "memory_mib", "stack_mib", "output_mib", "processes"):
        with pytest.raises(UsageError, match=rf"^{name}: .*, got {value!r}$"):
            steelyard.Limits(**{name: value})
        with pytest.raises(UsageError, match=rf"^{name}: "):
            steelyard.Limits().replace(**{name: value})
    with pytest.raises(UsageError, match="unknown field 'cpu' of Limits; omit it"):
        steelyard.Limits(cpu=value)  # type: ignore[call-arg]
