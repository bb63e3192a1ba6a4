"""What `ExecutionVerifier` promises to those who train and evaluate models."""

import dataclasses
import math
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard import (
    ClangExecutionVerifier,
    ExecutionVerifier,
    GCCExecutionVerifier,
    MinGWExecutionVerifier,
    VerifyResult,
)
from steelyard.errors import LanguageError, TestsError, ToolchainError, UsageError
from steelyard.judging import checker_for
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.toolchains import Artifact, CompileCache, languages

TIMES = """\
#include <iostream>
int main() {{ long long n; std::cin >> n; std::cout << n * {} << std::endl; }}
"""
SQUARE = TIMES.format("n")
TESTS = [{"input": "5\n", "expected": "25"}, {"input": "10\n", "expected": "100"}]

Make = Callable[..., ExecutionVerifier]


@pytest.fixture
def make(pool: CellPool, compile_cache: CompileCache) -> Make:
    def verifier(
        kind: type[ExecutionVerifier] = ExecutionVerifier, **options: object
    ) -> ExecutionVerifier:
        options = {"pool": pool, "binary_cache_dir": compile_cache.folder, **options}
        return kind(**options)  # type: ignore[arg-type]

    return verifier


def compiler(name: str) -> pytest.MarkDecorator:
    here = any(row.compiler == name and row.installed for row in languages())
    return pytest.mark.skipif(not here, reason=f"{name} is not installed")


def verdicts(result: VerifyResult) -> str:
    return " ".join(case.verdict for case in result.cases)


def test_all_right_is_success_and_the_whole_reward(make: Make) -> None:
    result = make(test_cases=TESTS).verify(SQUARE)
    assert result.success
    assert result.reward == 1.0
    assert "2 of 2" in result.details
    assert [case.name for case in result.cases] == ["1", "2"]


@pytest.mark.parametrize(("factor", "reward"), [("5", 0.75), ("7", 0.5)])
def test_partial_credit_by_pass_rate(make: Make, factor: str, reward: float) -> None:
    result = make(test_cases=TESTS).verify(TIMES.format(factor))
    assert not result.success
    assert result.reward == reward


def test_without_partial_credit_half_right_earns_nothing(make: Make) -> None:
    verifier = make(test_cases=TESTS, partial_credit=False)
    assert verifier.verify(TIMES.format("5")).reward == 0.0
    assert verifier.verify(SQUARE).reward == 1.0


def test_warnings_lower_the_base(make: Make) -> None:
    warned = SQUARE.replace("long long n;", "long long n; int unused;")
    compiling = make(flags=["-O2", "-Wall"], compile_only=True)
    assert compiling.verify(warned).reward == 0.3
    assert compiling.verify(SQUARE).reward == 0.5
    verifier = make(flags=["-O2", "-Wall"])
    half = warned.replace("n * n", "n * 5")
    assert verifier.verify(half, test_cases=TESTS).reward == pytest.approx(0.65)


def test_what_does_not_compile_earns_nothing(make: Make) -> None:
    result = make(test_cases=TESTS).verify("int main() { return x; }")
    assert (result.reward, result.success, verdicts(result)) == (0.0, False, "CE CE")
    assert result.compile.errors[0].line == 1


def test_no_tests_is_an_error(make: Make) -> None:
    for verifier in (make(), make(test_cases=[])):
        with pytest.raises(TestsError, match=r"no tests.*compile_only"):
            verifier.verify(SQUARE)


def test_compiling_alone_needs_no_tests_and_is_no_success(make: Make) -> None:
    verifier = make(compile_only=True)
    result = verifier.verify(SQUARE)
    assert (result.success, result.reward, result.cases) == (False, 0.5, ())
    assert result.passed  # what was asked for
    broken = verifier.verify("int main() {")
    assert (broken.passed, broken.reward) == (False, 0.0)
    tested = verifier.verify(SQUARE, test_cases=TESTS)
    assert (verdicts(tested), tested.reward) == ("SK SK", 0.5)


@pytest.mark.parametrize(
    "program", ["", " \n\t\r\n", "\ufeff", b"\xef\xbb\xbf\n", "<think>Let me see", "```cpp\n\n```"]
)
def test_an_empty_program_earns_nothing_and_does_not_compile(
    make: Make, program: str | bytes
) -> None:
    for language in ("cpp", "python"):
        result = make(language=language, test_cases=TESTS).verify(program)
        assert (result.reward, result.success, verdicts(result)) == (0.0, False, "CE CE")
        assert result.details == "did not compile: the program is empty"
        assert result.cases[0].message == "the program is empty"


def test_a_fenced_reply_is_judged_and_the_result_says_so(make: Make) -> None:
    reply = f"<think>Easy.</think>\nHere it is:\n\n```cpp\n{SQUARE}```\nOutput:\n```\n25\n```\n"
    result = make(test_cases=TESTS).verify(reply)
    assert result.success
    assert result.notes == ("judged fenced `cpp` block 1 of 2 of the reply",)
    assert make(test_cases=TESTS).verify(SQUARE).notes == ()
    (batched,) = make(test_cases=TESTS).verify_batch([reply.encode()])
    assert batched.success


USES = {
    "class:Solution.add": (
        "class Solution:\n    def add(self, a, b):\n        return a + b\n",
        "print(Solution().add(1, 2))\n",
    ),
    "function:add": ("def add(a, b):\n    return a + b\n", "for i in range(3): add(i, i)\n"),
    "asserts:add": ("def add(a, b):\n    return a + b\n", "assert add(1, 2) == 3\n"),
    "asserts": ("def add(a, b):\n    return a + b\n", "def test():\n    assert add(1, 2) == 3\n"),
    "stdio": ("print(sum(map(int, input().split())))\n", "# 1 2 gives 3\n"),
}
"""For each entry a program, and an example of its use."""


def test_a_reply_is_judged_by_its_program_and_not_by_an_example_of_its_use(make: Make) -> None:
    for entry, (program, use) in USES.items():
        tests: list[object] = [{"args": [1, 2], "expected": 3}]
        if entry.startswith("asserts"):
            tests = ["assert add(1, 2) == 3"]
        elif entry == "stdio":
            tests = [{"input": "1 2", "expected": "3"}]
        verifier = make(language="python", entry=entry, test_cases=tests)
        for reply in (
            f"```python\n{program}```\nUsage:\n```python\n{use}```\n",
            f"Usage:\n```python\n{use}```\n```\n{program}```",
            f"<answer>\n{program}</answer>",
            f"```python\n{program}```<|im_end|>",
            f"{program}<|im_end|>\n",
        ):
            result = verifier.verify(reply)
            assert result.success, (entry, reply, result.details)
            assert result.notes, reply
    stdio = make(language="python", test_cases=[{"input": "1 2", "expected": "3"}])
    (mixed,) = stdio.verify_batch(
        ["```python\ndef add(a, b): return a + b\n```\n```python\nprint(add(1, 2))\n```"],
        suites=[[{"args": [1, 2], "expected": 3}]],
        entries=["function:add"],
    )
    assert mixed.success


def test_a_path_is_a_file_and_its_ending_says_its_language(make: Make, tmp_path: Path) -> None:
    square = "n = int(input())\nprint(n * n)\n"
    (tmp_path / "a.py").write_text(square)
    (tmp_path / "a.cpp").write_text(SQUARE)
    files = [tmp_path / "a.py", tmp_path / "a.cpp"]
    verifier = make(test_cases=TESTS)
    assert [result.success for result in verifier.verify_batch(files)] == [True, True]
    assert [verifier.verify(file).success for file in files] == [True, True]
    assert [make(language="python", test_cases=TESTS).verify(f).success for f in files] == [
        True,
        False,
    ]
    with pytest.raises(UsageError, match=r"missing\.py cannot be read"):
        verifier.verify(tmp_path / "missing.py")
    with pytest.raises(LanguageError, match="no language has the extension"):
        verifier.verify(tmp_path / "a.txt")


def test_entries_of_python_need_no_language(make: Make) -> None:
    verifier = make(entry="function:f", test_cases=[{"args": [2], "expected": 4}])
    assert verifier.toolchain.language == "python"
    assert verifier.verify("def f(x): return x * 2").success
    asserted = make(entry="asserts", test_cases=["assert f(2) == 4"])
    assert asserted.verify("def f(x): return x * 2").success


def test_a_bad_exit_status_spoils_a_right_output(make: Make) -> None:
    result = make(test_cases=TESTS).verify(SQUARE.replace("endl;", "endl; return 1;"))
    assert verdicts(result) == "RTE RTE"


def test_a_case_has_its_own_time_limit(make: Make) -> None:
    slow = """
    #include <ctime>
    #include <cstdio>
    int main() { while (clock() < CLOCKS_PER_SEC * 3 / 10) {} puts("done"); }
    """
    tests = [
        {"input": "", "expected": "done", "timeout": 9},
        {"input": "", "expected": "done", "timeout": 0.1},
    ]
    result = make(test_cases=tests).verify(slow)
    assert verdicts(result) == "AC TLE"
    assert result.cases[1].cpu_ms >= 100


def test_fail_fast_skips_what_comes_after_the_first_failure(make: Make) -> None:
    tests = [{"input": str(n), "expected": str(n * 5)} for n in (5, 4, 5, 5)]
    result = make(test_cases=tests, fail_fast=True).verify(SQUARE)
    assert verdicts(result) == "AC WA SK SK"
    assert result.reward == 0.625
    assert verdicts(make(test_cases=tests).verify(SQUARE)) == "AC WA AC AC"


def test_a_user_passes_his_own_reward(make: Make) -> None:
    verifier = make(test_cases=TESTS, reward=lambda result: -1.0 + result.pass_rate)
    assert verifier.verify(TIMES.format("5")).reward == -0.5


def test_other_languages_and_limits(make: Make) -> None:
    verifier = make(language="python", test_cases=TESTS, limits=Limits(memory_mib=64))
    assert verifier.verify("n = int(input()); print(n * n)").success
    hungry = "x = bytearray(100 << 20); n = int(input()); print(n * n)"
    assert verdicts(verifier.verify(hungry)) == "MLE MLE"


def test_tests_of_a_call_never_leak_into_another(make: Make) -> None:
    """Many threads share one verifier, each with tests that only its own program passes."""
    verifier = make(language="python", test_cases=[{"input": "", "expected": "own"}])
    failures: list[str] = []

    def work(number: int) -> None:
        for turn in range(6):
            answer = f"{number}-{turn}"
            tests = [{"input": "", "expected": answer}]
            if not verifier.verify(f"print('{answer}')", test_cases=tests).success:
                failures.append(answer)
            if turn % 3 == 0 and not verifier.verify("print('own')").success:
                failures.append("own")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_set_test_cases_holds_for_later_calls(make: Make) -> None:
    verifier = make(test_cases=TESTS)
    verifier.set_test_cases([{"input": "3", "expected": "9"}])
    assert [case.name for case in verifier.verify(SQUARE).cases] == ["1"]
    with pytest.raises(TestsError):
        verifier.set_test_cases([{"input": "3"}])
    assert verifier.verify(SQUARE).success


def test_a_batch_keeps_its_order(make: Make) -> None:
    verifier = make(test_cases=TESTS, max_workers=3)
    codes = [SQUARE, "broken", TIMES.format("5"), SQUARE]
    seen: dict[int, float] = {}
    results = verifier.verify_batch(codes, on_result=lambda i, r: seen.update({i: r.reward}))
    assert [result.reward for result in results] == [1.0, 0.0, 0.75, 1.0]
    assert seen == {0: 1.0, 1: 0.0, 2: 0.75, 3: 1.0}


def test_a_batch_with_tests_for_each(make: Make) -> None:
    verifier = make(language="python")
    codes = ["print(1)", "print(2)"]
    suites = [[{"input": "", "expected": "1"}], [{"input": "", "expected": "2"}]]
    assert all(result.success for result in verifier.verify_batch(codes, suites=suites))
    prompts = [f"Print a number.\n\nInput: none Output: {n}" for n in (1, 2)]
    assert all(result.success for result in verifier.verify_batch(codes, prompts=prompts))
    with pytest.raises(UsageError, match="one each"):
        verifier.verify_batch(codes, suites=suites[:1])
    with pytest.raises(UsageError, match="one of"):
        verifier.verify_batch(codes, suites=suites, prompts=prompts)


def test_a_prompt_brings_its_own_tests(make: Make) -> None:
    verifier = make()
    prompt = "Square a number.\n\nInput: 5 Output: 25\nInput: 3 Output: 9\n"
    result = verifier.verify_with_prompt(SQUARE, prompt)
    assert result.success
    assert len(result.cases) == 2
    assert "prompt" in result.details
    assert not verifier.verify_with_prompt(TIMES.format("2"), prompt).success


def test_a_prompt_without_examples_is_an_error_and_no_pass(make: Make) -> None:
    with pytest.raises(TestsError):
        make().verify_with_prompt(SQUARE, "Write a program that squares a number.")


def test_tests_come_from_files_too(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "tests.jsonl"
    file.write_text('{"input": "5", "expected": "25"}\n{"input": "6", "expected": "36"}\n')
    assert make(test_cases=file).verify(SQUARE).success


def test_match_modes_and_tolerances(make: Make) -> None:
    third = '#include <cstdio>\nint main() { printf("%.4f\\n", 1 / 3.0); }'
    tests = [{"input": "", "expected": "0.33333333"}]
    assert not make(test_cases=tests).verify(third).success
    assert not make(test_cases=tests, match_mode="numeric").verify(third).success
    near = make(test_cases=tests, match_mode="float_tokens", abs_tol=1e-3)
    assert near.verify(third).success


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"match_mode": "fuzzy"}, UsageError),
        ({"language": "cobol"}, LanguageError),
        ({"compiler": "icc"}, LanguageError),
        ({"run_timeout": 0}, UsageError),
        ({"timeout": -1}, UsageError),
        ({"run_timeout": math.nan}, UsageError),
        ({"run_timeout": math.inf}, UsageError),
        ({"max_workers": 0}, UsageError),
        ({"max_workers": None}, UsageError),
        ({"timeout": None}, UsageError),
        ({"run_timeout": "5"}, UsageError),
        ({"flags": "-O2 -Wall"}, UsageError),
        ({"rel_tol": 1.0, "match_mode": "numeric"}, UsageError),
        ({"abs_tol": -1.0, "match_mode": "numeric"}, UsageError),
        ({"abs_tol": 0.0}, UsageError),
        ({"rel_tol": 1e-9, "match_mode": "tokens"}, UsageError),
        ({"checker": 3}, UsageError),
        ({"abs_tol": 1e-9, "checker": checker_for("exact")}, UsageError),
        ({"test_cases": [{"input": "1"}]}, TestsError),
        ({"test_cases": [{"input": "1", "expected": "2", "timeout": -1}]}, TestsError),
    ],
)
def test_a_wrong_call_says_so_in_one_line(
    make: Make, options: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        make(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("flag", ["-c", "-S", "-E", "-M", "-fsyntax-only"])
def test_flags_that_make_no_program_are_the_callers_fault(make: Make, flag: str) -> None:
    verifier = make(test_cases=TESTS, flags=["-O1", flag])
    with pytest.raises(LanguageError, match=f"{flag}.*fix the flags"):
        verifier.verify(SQUARE)


def test_half_a_character_is_the_candidates_fault(make: Make) -> None:
    verifier = make(language="python", test_cases=[{"input": "", "expected": "1"}])
    results = verifier.verify_batch(["print(1)", "print('\ud83d')", "print(1)"])
    assert [result.success for result in results] == [True, False, True]


@pytest.mark.parametrize("code", [None, 5, ["print(1)"]])
def test_what_is_no_program_is_refused(make: Make, code: object) -> None:
    with pytest.raises(UsageError, match="must be str, bytes or a Path"):
        make(language="python").verify(code)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="list of programs"):
        make(language="python").verify_batch("print(1)")


def test_an_interpreter_that_does_not_start_is_no_verdict(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Artifact.command

    def broken(self: Artifact, **options: object) -> object:
        return dataclasses.replace(
            command(self, **options), argv=("/nowhere/python", "main.py"), server=None
        )  # type: ignore[arg-type]

    verifier = make(language="python", test_cases=TESTS)
    assert verifier.verify("n = int(input()); print(n * n)").success
    monkeypatch.setattr(Artifact, "command", broken)
    with pytest.raises(ToolchainError, match="/nowhere/python"):
        verifier.verify("n = int(input()); print(n * n)")


def test_gcc(make: Make) -> None:
    result = make(GCCExecutionVerifier, test_cases=TESTS, flags=["-O2", "-Wall"]).verify(SQUARE)
    assert result.success
    assert "g++" in result.compile.compiler


@compiler("clang")
def test_clang(make: Make) -> None:
    result = make(ClangExecutionVerifier, test_cases=TESTS).verify(SQUARE)
    assert result.success
    assert "clang" in result.compile.compiler


@compiler("mingw")
def test_mingw_compiles_and_skips_the_tests(make: Make) -> None:
    verifier = make(MinGWExecutionVerifier, test_cases=TESTS)
    result = verifier.verify(SQUARE)
    assert verdicts(result) == "SK SK"
    assert (result.success, result.reward) == (False, 0.5)
    assert verifier.verify("int main() {").reward == 0.0


def test_each_program_of_a_batch_may_have_an_entry_of_its_own(make: Make) -> None:
    verifier = make(language="python", entry="function:f")
    calls = [{"args": [2], "expected": 4}]
    programs = ["def f(x): return x * x", "def g(x): return x + x", "def h(x): return x"]
    entries = ["function:f", "function:g", "function:h"]
    results = verifier.verify_batch(programs, suites=[calls] * 3, entries=entries)
    assert [result.success for result in results] == [True, True, False]
    shared = verifier.verify_batch(programs, test_cases=calls, entries=entries)
    assert [result.reward for result in shared] == [1.0, 1.0, 0.5]


def test_a_wrong_entry_names_its_program(make: Make) -> None:
    verifier = make(language="python", entry="function:f", test_cases=[{"args": [], "expected": 1}])
    with pytest.raises(UsageError, match="program 1: unknown entry 'g'"):
        verifier.verify_batch(["", ""], entries=["function:f", "g"])
    with pytest.raises(UsageError, match="2 programs but 1 entries; give one each"):
        verifier.verify_batch(["", ""], entries=["function:f"])
