"""The check of a data set names what makes a task useless, and accepts a sound one."""

from collections.abc import Iterator
from typing import Any
from weakref import ref

import pytest

from steelyard import judge
from steelyard.datasets import CheckOptions, check_tasks
from steelyard.sandbox import CellPool
from steelyard.schemas import FAULTS, WARNINGS, CheckedTask, Task

ADDS = "a, b = map(int, input().split())\nprint(a + b)\n"
SUBTRACTS = ADDS.replace("+", "-")
SUMS = [{"input": "1 2\n", "expected": "3\n"}, {"input": "5 6\n", "expected": "11\n"}]
STATEMENT = "Read two numbers and print the sum of both."
FIRST_OF_A_SET = "print(next(iter({str(n) for n in range(50)})))\n"
BUSY = "import time\nwhile time.process_time() < 0.7:\n    pass\n"
WINDOWS = "#include <windows.h>\nint main() { return 0; }\n"


def task(solution: str = ADDS, tests: Any = SUMS, **fields: Any) -> Task:
    own = {"id": "a", "prompt": STATEMENT, "tests": tests, "solutions": [{"source": solution}]}
    return Task.model_validate(own | fields)


def solved_by(*programs: tuple[str, str]) -> Any:
    return [{"source": source, "label": label} for source, label in programs]


def asserting(code: str, solution: str, **fields: Any) -> Task:
    return task(solution, [{"code": code}], entry="asserts", language="python", **fields)


def checked(pool: CellPool, *tasks: Task, against: tuple[Task, ...] = ()) -> list[CheckedTask]:
    options = CheckOptions(pool=pool)
    return [found for _, found in check_tasks(tasks, against=against, options=options)]


SOUND = {
    "printed": task(),
    "a call": task(
        "def add(a, b):\n    return a + b\n",
        [{"args": [1, 2], "expected": 3}, {"args": [1, 1], "expected": 2}],
        entry="function:add",
    ),
    "assertions": asserting(
        "assert add(1, 2) == 3\nassert add(1, 1) == 2", "def add(a, b):\n    return a + b\n"
    ),
    "in C++": task(
        "#include <iostream>\nint main() { int a, b; std::cin >> a >> b;"
        ' std::cout << a + b << "\\n"; }',
        solutions=solved_by((ADDS, "right"), (SUBTRACTS, "wrong")),
    ),
}
FOUND: dict[str, tuple[Task, str, str]] = {
    "a wrong answer": (task(SUBTRACTS), "unsolvable", "none of 1 solution of its own passes"),
    "another system's header": (
        task(solutions=[{"source": WINDOWS, "language": "cpp"}]),
        "unavailable",
        "windows.h",
    ),
    "a package that is missing": (
        task("import no_such_package\n"),
        "unavailable",
        "no_such_package",
    ),
    "a language that is unknown": (task(language="cs"), "unavailable", "cs"),
    "answers without text": (
        task("", [{"input": "", "expected": ""}], solutions=()),
        "vacuous",
        "a program that does nothing passes 1 of 1 case",
    ),
    "one answer for all": (
        task("print('YES')", [{"input": each, "expected": "YES\n"} for each in "abc"]),
        "vacuous",
        "always gives the same answer passes 3 of 3 cases",
    ),
    "assertions of None": (
        asserting("assert f(1) is None", "def f(n):\n    return None\n"),
        "vacuous",
        "does nothing",
    ),
    "mostly one answer": (
        task(
            "print('NO' if input() == 'e' else 'YES')",
            [{"input": each, "expected": "NO" if each == "e" else "YES"} for each in "abcde"],
        ),
        "weak",
        "passes 4 of 5 cases",
    ),
    "an empty answer among others": (
        task(
            "print('x' * int(input()))",
            [{"input": str(n), "expected": f"{'x' * n}\n"} for n in range(4)],
        ),
        "weak",
        "a program that does nothing passes 1 of 4 cases",
    ),
    "a wrong program that passes": (
        task(solutions=solved_by((ADDS, "right"), (f"#\n{ADDS}", "wrong"))),
        "indifferent",
        "1 of 1",
    ),
    "a slow program that passes": (
        task(solutions=solved_by((ADDS, "right"), (f"#\n{ADDS}", "slow"))),
        "lenient",
        "1 slow",
    ),
    "a solution that fails": (
        task(solutions=solved_by((ADDS, "right"), (SUBTRACTS, "right"))),
        "disputed",
        "1 of 2 solutions",
    ),
    "a limit without margin": (task(BUSY + ADDS, time_limit_ms=1_000), "margin", "of 1,000 ms"),
    "a checker that does not compile": (
        task(checker={"source": "int main( {}", "language": "cpp"}),
        "broken",
        "does not compile",
    ),
    "a checker that crashes": (
        task(checker={"source": "int main() { __builtin_trap(); }", "language": "cpp"}),
        "broken",
        "checker",
    ),
    "sizes without a generator": (
        task(sized_tests=[{"name": "big", "n": 9, "seed": 0, "digest": "0" * 64, "expected": ""}]),
        "broken",
        "input_generator",
    ),
    "tests for another entry": (task(entry="function:add"), "broken", "function:add"),
    "a tolerance that does not apply": (task(abs_tol=0.1), "broken", "tolerance"),
}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_task_has_no_finding(name: str, pool: CellPool) -> None:
    (found,) = checked(pool, SOUND[name])
    assert (found.findings, found.solved) == ((), 1)


@pytest.mark.parametrize("name", FOUND)
def test_a_fault_or_a_warning_is_named(name: str, pool: CellPool) -> None:
    unsound, kind, part = FOUND[name]
    (found,) = checked(pool, unsound)
    assert [each.kind for each in found.findings] == [kind]
    assert part in found.findings[0].message
    assert found.faulty == (kind in FAULTS) != (kind in WARNINGS)
    assert len(found.findings[0].message) <= 200


def test_a_verdict_that_depends_on_the_seed_is_flaky(pool: CellPool) -> None:
    first = judge(FIRST_OF_A_SET, [{"input": "", "expected": "?"}], pool=pool).cases[0].stdout
    (found,) = checked(pool, task(FIRST_OF_A_SET, [{"input": "", "expected": first}]))
    assert [each.kind for each in found.findings] == ["flaky", "weak"]
    assert found.solved == 0


def test_several_solutions_are_tried_before_a_task_is_unsolvable(pool: CellPool) -> None:
    wrong = [(f"#{number}\n{SUBTRACTS}", "right") for number in range(5)]
    (found,) = checked(pool, task(solutions=solved_by(*wrong, (ADDS, "right"))))
    assert [each.kind for each in found.findings] == ["disputed"]
    (found,) = checked(pool, task(solutions=solved_by(*wrong)))
    assert "none of 5 solutions" in found.findings[0].message


def test_copies_are_found_in_the_file_and_in_other_files(pool: CellPool) -> None:
    other_tests = [{"input": "3 4\n", "expected": "7\n"}, {"input": "0 1\n", "expected": "1\n"}]
    mine = [
        task(),
        task(id="b", prompt=STATEMENT.upper().replace(" ", "\n")),
        task(id="c", tests=other_tests),
        task(id="d", prompt="Something else is asked for here.", tests=other_tests[:1] * 1),
    ]
    kinds = [[each.kind for each in found.findings] for found in checked(pool, *mine)]
    assert kinds == [[], ["duplicate"], ["similar"], ["weak"]]
    other = task(id="x", tests=other_tests, provenance={"file": "other.jsonl"})
    found = checked(pool, *mine, against=(other,))
    assert [each.findings[0].kind for each in found[:3]] == ["contaminated"] * 3
    assert found[0].findings[0].message == "same statement as x of other.jsonl"
    assert found[2].findings[0].message == "same statement and tests as x of other.jsonl"
    assert [each.kind for each in found[3].findings] == ["weak"]


def test_editions_of_a_statement_are_one(pool: CellPool) -> None:
    text = "Write a function to find the shared elements of two lists."
    code = "def f(a, b):\n    return sorted(set(a) & set(b))\n"
    mbpp = asserting("assert f([1], [1, 2]) == [1]\nassert f([], []) == []", code, id="a")
    mbpp = mbpp.model_copy(
        update={
            "prompt": f"{text}\nYour code should pass these tests:\n\nassert f([1], [1]) == 1\n"
        }
    )
    plus = mbpp.model_copy(
        update={"prompt": f'"""\n{text}\nassert f([1, 1], [1]) == [1]\n"""\n', "id": "b"}
    )
    (found,) = checked(pool, mbpp, against=(plus.model_copy(update={"tests": ()}),))
    assert found.findings[0].message == "same statement as b"


DEEP = "(" * 90 + "1" + ")" * 90
LONG = "[" * 900 + "]" * 900
HOSTILE = {
    "kills its parent": (task("import os\nos.kill(os.getppid(), 9)\n"), "unsolvable"),
    "never ends": (task("while True:\n    pass\n", time_limit_ms=200), "unsolvable"),
    "5 MiB of source": (task(f"#{'x' * (5 << 20)}\n{ADDS}"), "unsolvable"),
    "thousands of languages": (
        task(solutions=[{"source": ADDS, "language": f"l{number}"} for number in range(3_000)]),
        "",
    ),
    "brackets in a statement": (task(prompt='"""' * 20_000 + "(" * 50_000), ""),
    "brackets in assertions": (asserting(f"assert f({DEEP}) == {LONG}", "f = 1"), "broken"),
    "assertions that are no Python": (asserting("(" * 50_000, "f = 1"), "broken"),
    "a long answer": (
        task("print('7' * 3_000_000)", [{"input": "", "expected": "7" * 3_000_000}]),
        "weak",
    ),
    "a name that ends lines": (task(title="a b", group="x" * 200), ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_task_costs_a_line_and_the_next_is_checked(name: str, pool: CellPool) -> None:
    hostile, kind = HOSTILE[name]
    sound = task(id="z", prompt="Another question that is far from the first one.")
    found, after = checked(pool, hostile, sound)
    assert [each.kind for each in found.findings] == [kind] * bool(kind), found
    assert all(each.message.isprintable() for each in found.findings)
    assert after.solved == 1


def test_memory_holds_a_group_of_tasks(pool: CellPool) -> None:
    text = "1" * (1 << 20)
    given: list[ref[Task]] = []
    most = 0

    def tasks() -> Iterator[Task]:
        nonlocal most
        for number in range(40):
            made = task(id=str(number), tests=[{"input": text, "expected": "1"}], solutions=())
            given.append(ref(made))
            most = max(most, sum(each() is not None for each in given))
            yield made

    found = (each.id for _, each in check_tasks(tasks(), options=CheckOptions(pool=pool)))
    assert len(list(found)) == 40
    assert most <= 3 * max(4, pool.size)  # one is read while another is dropped
