"""What a program must have passed before a run calls it right and efficient."""

from pathlib import Path
from typing import Any

import pytest

from steelyard.sandbox import CellPool
from steelyard.solving import read_solve_story
from tests.contract.solve_team import NO_ATTACK, array, generator, outcomes, plan, problem, solved

SUM = "Read n (1 <= n <= 20000), then n numbers from 0 to 10^9; print their sum."
SAMPLES = (("3\n5 1 2\n", "8\n"), ("2\n9 4\n", "13\n"))
ADD = "import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n"
RANDOM = array("[rng.randint(0, 10**9) for _ in range(n)]")

COUNT = "Read n (1 <= n <= 20000) and n numbers from 1 to 10^9; print how many are different."
COUNT_SAMPLES = (("5\n9 1 4 9 2\n", "4\n"), ("2\n7 7\n", "1\n"))
COUNT_BRUTE = "import sys\nprint(len(set(sys.stdin.read().split()[1:])))\n"

SORT = (
    "Read n (1 <= n <= 20000) and n numbers from 1 to 10^9; print the middle one of them, sorted."
)
SORT_SAMPLES = (("5\n9 1 4 15 2\n", "4\n"), ("3\n7 1 3\n", "3\n"))
SORT_BRUTE = "n, *a = map(int, open(0).read().split())\nprint(sorted(a)[n // 2])\n"
CPP = "".join(f"#include <{name}>\n" for name in ("cstdio", "unordered_set", "vector"))
CPP += "using namespace std;\n"
READ = 'int n; scanf("%d", &n); vector<int> a(n); for (int& x : a) scanf("%d", &x);\n'
INSERTION = (
    CPP + "int main() {" + READ + "for (int i = 1; i < n; i++) { int x = a[i], j = i;"
    ' while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; asm volatile(""); } a[j] = x; }\n'
    'printf("%d\\n", a[n / 2]); }\n'
)
FIRST_PIVOT = (
    CPP + "vector<int> a; void quick(int lo, int hi) { while (lo < hi) { int p = a[lo], i = lo;\n"
    'for (int j = lo + 1; j <= hi; j++) { asm volatile(""); if (a[j] < p) swap(a[++i], a[j]); }\n'
    "swap(a[lo], a[i]); if (i - lo < hi - i) { quick(lo, i - 1); lo = i + 1; }"
    " else { quick(i + 1, hi); hi = i - 1; } } }\n"
    'int main() { int n; scanf("%d", &n); a.resize(n); for (int& x : a) scanf("%d", &x);\n'
    'quick(0, n - 1); printf("%d\\n", a[n / 2]); }\n'
)
HASHED = (
    CPP + "int main() {" + READ + "unordered_set<int> s; for (int x : a) s.insert(x);\n"
    'printf("%zu\\n", s.size()); }\n'
)
TABLE = (
    "import sys\nprint({'5 1 2': 8, '9 4': 13}.get(' '.join(sys.stdin.read().split()[1:]), 0))\n"
)
PYTHON = {"language": "python"}


def code(text: str) -> dict[str, str]:
    return {"code_cpp": text}


def brute(text: str) -> dict[str, str]:
    return {"code_python": text}


# ------------------------------------------------------------------------------- what succeeds


def test_a_right_and_fast_program_succeeds_and_names_its_evidence(
    pool: CellPool, tmp_path: Path
) -> None:
    result, team = solved(
        problem(SUM, *SAMPLES, n=20_000),
        {"planner": [plan(RANDOM)], "coder": [code(ADD)], "reference": [brute(ADD)]},
        pool,
        tmp_path,
        **PYTHON,
    )
    assert (result.status, result.stop) == ("success", "efficient"), result.reason
    assert outcomes(result) == {
        "tests": "holds",
        "growth": "holds",
        "brute force": "holds",
        "portfolio": "holds",
        "worst input": "missing",
    }
    details = "; ".join(map(str, result.evidence))
    assert len(result.reason) <= 100
    for name in ("seed 0", "seed 2", "sorted", "reversed", "all equal", "organ pipe", "slots"):
        assert name in details
    assert team.asked == ["planner", "coder", "reference", "attacker"]
    people_read = tmp_path / "task" / "iter_0" / "code.py"
    assert people_read.read_text() == ADD


# --------------------------------------------------------------------- only as hard as its inputs

WEAK = {
    "says n and prints 500": (
        SUM,
        SAMPLES,
        generator("return f'{n}\\n' + ' '.join(['7'] * 500) + '\\n'"),
        20_000,
    ),
    "misreads the bound": (SUM, SAMPLES, RANDOM, None),
    "caps n at half": (
        SUM,
        SAMPLES,
        array("[rng.randint(0, 9) for _ in range(min(n, 10_000))]"),
        20_000,
    ),
}


@pytest.mark.parametrize(("prompt", "samples", "weak", "n"), WEAK.values(), ids=WEAK)
def test_inputs_that_are_too_small_measure_nothing(
    prompt: str, samples: Any, weak: str, n: int | None, pool: CellPool, tmp_path: Path
) -> None:
    result, _ = solved(
        problem(prompt, *samples, n=n),
        {
            "planner": [plan(weak, input_bounds={"n": 1_000})],
            "coder": [code(ADD)],
            "reference": [brute(ADD)],
        },
        pool,
        tmp_path,
        **PYTHON,
    )
    assert (result.status, result.growth) == ("failed", "not-measured"), result.reason


SLOW = {
    "insertion sort, sorted arrays": (
        SORT,
        SORT_SAMPLES,
        "sorted(rng.randint(1, 10**9) for _ in range(n))",
        INSERTION,
        SORT_BRUTE,
        "reversed",
        100_000,
    ),
    "quicksort by its first item, random arrays": (
        SORT,
        SORT_SAMPLES,
        "[rng.randint(1, 10**9) for _ in range(n)]",
        FIRST_PIVOT,
        SORT_BRUTE,
        "sorted",
        100_000,
    ),
    "a hash set, no colliding keys": (
        COUNT,
        COUNT_SAMPLES,
        "[rng.randint(1, 10**9) for _ in range(n)]",
        HASHED,
        COUNT_BRUTE,
        "buckets",
        100_000,
    ),
}


LONG = ("insertion sort, sorted arrays", "quicksort by its first item, random arrays")
"""They stop late, at a limit."""


@pytest.mark.parametrize(
    ("prompt", "samples", "values", "slow", "simple", "hurts", "n"),
    [
        pytest.param(*each, id=name, marks=[pytest.mark.exhaustive] if name in LONG else [])
        for name, each in SLOW.items()
    ],
)
def test_a_program_is_run_on_harder_inputs_than_the_generator_s(
    prompt: str,
    samples: Any,
    values: str,
    slow: str,
    simple: str,
    hurts: str,
    n: int,
    pool: CellPool,
    tmp_path: Path,
) -> None:
    result, _ = solved(
        problem(prompt.replace("20000", str(n)), *samples, n=n, ms=250),
        {"planner": [plan(array(values))], "coder": [code(slow)], "reference": [brute(simple)]},
        pool,
        tmp_path,
    )
    assert result.status == "failed", result.reason
    assert outcomes(result)["portfolio"] == "fails"
    assert hurts in result.reason


@pytest.mark.exhaustive
def test_a_model_finds_the_input_that_hurts(pool: CellPool, tmp_path: Path) -> None:
    """No transform makes it: the program is slow where a value is there exactly twice."""
    slow = (
        "n, *a = map(int, open(0).read().split())\n"
        "if n > 9 and a[n // 3] == a[n // 3 + 1] == 5:\n"
        "    i = 0\n    while i < 10**8: i += 1\n"
        "print(sum(a))\n"
    )
    worst = array("[5 if i in (n // 3, n // 3 + 1) else rng.randint(6, 99) for i in range(n)]")
    result, team = solved(
        problem(SUM, *SAMPLES, n=2_000),
        {
            "planner": [plan(RANDOM)],
            "coder": [code(slow)],
            "reference": [brute(ADD)],
            "attacker": [{"input_generator": worst, "why": "it counts"}],
        },
        pool,
        tmp_path,
        **PYTHON,
    )
    assert result.status == "failed"
    assert outcomes(result)["worst input"] == "fails"
    assert slow in team.texts[team.asked.index("attacker")]


# ---------------------------------------------------------------------------- only the samples


def test_a_brute_force_speaks_against_a_program_of_the_samples(
    pool: CellPool, tmp_path: Path
) -> None:
    result, team = solved(
        problem(SUM, *SAMPLES, n=2_000),
        {"planner": [plan(RANDOM)], "coder": [code(TABLE), code(ADD)], "reference": [brute(ADD)]},
        pool,
        tmp_path,
        max_iter=2,
        **PYTHON,
    )
    assert (result.status, result.programs) == ("success", 2), result.reason
    shown = team.texts[-2]
    assert "a brute force disagrees on this input" in shown


def test_an_overflow_on_large_inputs_is_found(pool: CellPool, tmp_path: Path) -> None:
    """Small inputs cannot show it, and the brute force has no answer for large ones."""
    pairs = (
        '#include <cstdio>\nint main() { int n; scanf("%d", &n); long long s = 0; int x;\n'
        'for (int i = 0; i < n; i++) { scanf("%d", &x); s += x; }\n'
        'int c = n * (n - 1) / 2; printf("%d\\n", c); }\n'
    )
    slow = (
        "import itertools\nn, *a = map(int, open(0).read().split())\nassert n < 100\n"
        "print(sum(1 for _ in itertools.combinations(a, 2)))\n"
    )
    result, _ = solved(
        problem(
            "Read n (1 <= n <= 100000) and n numbers; print the number of pairs.",
            ("3\n5 1 2\n", "3\n"),
            ("2\n9 4\n", "1\n"),
            n=100_000,
        ),
        {"planner": [plan(RANDOM)], "coder": [code(pairs)], "reference": [brute(slow)]},
        pool,
        tmp_path,
    )
    assert result.status == "failed", result.reason
    assert outcomes(result)["overflow"] == "fails"


@pytest.mark.exhaustive
def test_two_programs_of_a_run_are_compared(pool: CellPool, tmp_path: Path) -> None:
    """The first one is right, and fails a model's worst input; the second one errs for large n."""
    hurts = "import sys\nt = sys.stdin.read()\nwhile ' 5 5 5 ' in t: pass\n"
    first = hurts + "print(sum(map(int, t.split()[1:])))\n"
    second = ADD + "\n"
    wrong = "n, *a = map(int, open(0).read().split())\nprint(sum(a) + (n > 1500))\n"
    worst = array("[5] * n")
    result, _ = solved(
        problem(SUM, *SAMPLES, n=2_000),
        {
            "planner": [plan(RANDOM)],
            "coder": [code(first), code(wrong), code(second)],
            "attacker": [{"input_generator": worst, "why": "three fives"}, NO_ATTACK],
            "reference": [
                brute("n, *a = map(int, open(0).read().split())\nassert n < 9\nprint(sum(a))\n")
            ],
        },
        pool,
        tmp_path,
        max_iter=3,
        diminish_delta=0,
        **PYTHON,
    )
    assert result.status == "success", result.reason
    assert outcomes(result)["second program"] == "holds"
    turns = read_solve_story(tmp_path / "task").turns
    assert turns[1].verdict is not None
    assert "its answer differs from that of program 1" in turns[1].verdict.reason


def test_only_tests_that_models_were_shown_are_not_enough(pool: CellPool, tmp_path: Path) -> None:
    replies = {"planner": [plan(RANDOM)], "coder": [code(ADD)], "reference": ["I cannot."]}
    given = problem(SUM, *SAMPLES, n=2_000)
    result, _ = solved(given, replies, pool, tmp_path, **PYTHON)
    assert (result.status, result.stop) == ("failed", "unproved")
    assert "only the tests that models were shown" in result.reason
    unseen = (*SAMPLES, ("1\n4\n", "4\n"), ("4\n1 2 3 4\n", "10\n"))
    given = problem(SUM, *unseen, n=2_000)
    result, _ = solved(given, replies, pool, tmp_path / "b", **PYTHON)
    assert (result.status, result.stop) == ("success", "efficient")


def test_a_wrong_brute_force_is_outvoted_by_two_programs_and_replaced(
    pool: CellPool, tmp_path: Path
) -> None:
    wrong = ADD.replace("print(sum(", "a = list((") + "print(sum(a) - (len(a) == 1))\n"
    result, team = solved(
        problem(SUM, *SAMPLES, n=2_000),
        {
            "planner": [plan(RANDOM)],
            "coder": [code(ADD), code(ADD + "\n")],
            "reference": [brute(wrong), brute(ADD)],
        },
        pool,
        tmp_path,
        max_iter=2,
        **PYTHON,
    )
    assert (result.status, result.stop) == ("success", "efficient"), result.reason
    assert team.asked.count("reference") == 2


# -------------------------------------------------------------------------------- no generator

BROKEN = "def generate(n, seed): return 1 / 0\n"


@pytest.mark.parametrize("text", [None, BROKEN], ids=["none", "three broken ones"])
def test_a_missing_generator_is_asked_for_again(
    text: str | None, pool: CellPool, tmp_path: Path
) -> None:
    replies: dict[str, Any] = {
        "planner": [plan(text)],
        "coder": [code(ADD)],
        "reference": [brute(ADD)],
        "generator": [{"input_generator": RANDOM, "why": "random"}],
    }
    given = problem(SUM, *SAMPLES, n=2_000)
    result, team = solved(given, replies, pool, tmp_path, **PYTHON)
    assert (result.status, result.stop) == ("success", "efficient"), result.reason
    assert "generator" in team.asked


def test_without_a_generator_success_must_be_allowed(pool: CellPool, tmp_path: Path) -> None:
    unseen = (*SAMPLES, ("1\n4\n", "4\n"), ("4\n1 2 3 4\n", "10\n"))
    given = problem(SUM, *unseen, n=2_000)
    replies: dict[str, Any] = {"planner": [plan(BROKEN)], "coder": [code(ADD)]}
    result, _ = solved(given, replies, pool, tmp_path, **PYTHON)
    assert (result.status, result.stop) == ("failed", "unmeasured")
    assert "--allow-unmeasured" in result.reason
    result, _ = solved(given, replies, pool, tmp_path / "b", allow_unmeasured=True, **PYTHON)
    assert (result.status, result.stop) == ("success", "right")
    assert "growth was not measured" in result.reason
