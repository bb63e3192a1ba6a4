"""A model's generator and validator: gated, bounded, graded, and asked again with the diagnosis."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.authoring import oracle
from steelyard.authoring.oracle import KnownInputs, OracleResult, ask_oracle, try_program
from steelyard.models import Reply, Request, ScriptedModel
from steelyard.runs import Run
from steelyard.sandbox import CellPool
from steelyard.schemas import Specification

SPEC = Specification.model_validate(
    {
        "title": "t",
        "description": "d",
        "returns": "int",
        "parameters": [{"name": "nums", "type": "list[int]"}, {"name": "k", "type": "int"}],
        "constraints": [
            "1 <= len(nums) <= 100000",
            "all(-100 <= x <= 100 for x in nums)",
            "1 <= k <= len(nums)",
        ],
    }
)
GOOD = """
def generate_inputs():
    r = random.Random(1)
    return {
        "basic": [[[r.randint(-9, 9) for _ in range(n)], 1] for n in range(1, 12)],
        "edge": [[[-100], 1], [[100], 1]],
        "stress": ["[[0] * 100000, 100000]"],
        "adversarial": [([5, 5], 2), [[5, 5], 2]],
        "domain-specific": [[[1], 2]],
    }

def is_valid_input(nums, k):
    return 1 <= len(nums) <= 100000 and 1 <= k <= len(nums) and all(-100 <= x <= 100 for x in nums)
"""
KNOWN = KnownInputs(
    valid=[([1, 2], 1), ([0], 1)],
    invalid=[(([1], 2), "1 <= k <= len(nums)"), (([101], 1), "all(...)"), (([], 1), "1 <= len")],
)


def test_valid_inputs_are_kept_by_category(pool: CellPool) -> None:
    found = try_program(GOOD, SPEC, KNOWN, pool)
    assert (found.fault, found.inputs, len(found.cases)) == ("", 17, 15)
    by_category = [each.category for each in found.cases]
    assert [by_category.count(each) for each in ("basic", "edge", "stress", "adversarial")] == [
        11,
        2,
        1,
        1,
    ]
    stress = next(each for each in found.cases if each.category == "stress")
    assert stress.input.expression == "[[0] * 100000, 100000]"
    assert {each.origin for each in found.cases} == {"model"}
    assert found.speaks


def test_its_validator_is_graded(pool: CellPool) -> None:
    loose = GOOD.partition("def is_valid_input")[0] + (
        "def is_valid_input(nums, k):\n    return 1 / 0 if 101 in nums else 1 <= k\n"
    )
    found = try_program(loose, SPEC, KNOWN, pool)
    assert not found.speaks
    assert str(found.report.valid_accepted) == "2 of 2"
    assert str(found.report.invalid_refused) == "0 of 3"
    seen = [(each.args, each.broken, each.accepted) for each in found.report.differences]
    assert seen == [
        (([1], 2), ("1 <= k <= len(nums)",), True),
        (([101], 1), ("all(...)",), None),
        (([], 1), ("1 <= len",), True),
    ]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (GOOD.replace("def is_valid_input", "def valid"), "no function is_valid_input"),
        (f"import os\n{GOOD}", "line 1: "),
        (GOOD.replace("r = ", "f = open('x'); r = "), "line 3: "),
        ("x = (", "line 1: "),
        (GOOD.replace("return {", "return 1 / 0 or {"), "ZeroDivisionError"),
        (GOOD.replace("generate_inputs()", "generate_inputs(n)"), "TypeError"),
        (GOOD.replace("return {", "print('x' * (11 << 20)); return {"), "wrote too much"),
        (GOOD.replace("return {", "return {'big': [[0] * (6 << 20)], "), "wrote too much"),
        (GOOD.replace("range(1, 12)", "range(1, 3)"), "only 6 of 7 different inputs are valid"),
        (GOOD.replace("], 1] for n", "], 0] for n"), "which breaks 1 <= k <= len(nums)"),
        (GOOD.replace('"[[0] * 100000', '"[[0] * 10**9').replace("(1, 12)", "(1, 6)"), "6,000,000"),
        (GOOD.replace("return {", "return 5\n    return {"), "must return a dict of lists"),
        (GOOD.replace("return {", "return {'basic': 5}\n    return {"), "not a list in 'basic'"),
        (GOOD.replace("return {", "return {3: []}\n    return {"), "only 0 of 0 different"),
        (GOOD.replace("return {", "return {'a': [1j]}\n    return {"), "a complex"),
        (GOOD.replace("return {", "return {'a': [None]}\n    return {"), "list of 2 arguments"),
        (GOOD.replace("return {", "return {'a': ['__import__(1)']}\n    return {"), "expanded"),
    ],
)
def test_what_cannot_be_used_is_named(source: str, fault: str, pool: CellPool) -> None:
    assert fault in try_program(source, SPEC, KNOWN, pool).fault


@pytest.mark.parametrize(
    ("body", "limit", "fault"),
    [
        ("while True: pass", {"cpu_ms": 500}, "time limit"),
        ("x = [0] * (1 << 30)", {"memory_mib": 64}, "memory limit"),
    ],
)
def test_a_generator_that_loops_or_allocates_is_ended(
    body: str,
    limit: dict[str, int],
    fault: str,
    pool: CellPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(oracle, "_GENERATING", oracle._GENERATING.replace(**limit))
    found = try_program(GOOD.replace("return {", f"{body}\n    return {{"), SPEC, KNOWN, pool)
    assert f"generate_inputs(): exceeded the {fault}" in found.fault


def test_inputs_that_cannot_be_read_are_bounded(pool: CellPool) -> None:
    bad = "return {'basic': [f'[f(range({k})), 1]' for k in range(900)]}\n    return {"
    found = try_program(GOOD.replace("return {", bad), SPEC, KNOWN, pool)
    assert found.inputs == 101
    assert "cannot be expanded" in found.fault


@pytest.mark.parametrize(
    ("kind", "items", "cases"),
    [
        ("list[int]", "[[i, 1] for i in range(20)]", 20),  # the argument itself
        ("list[int]", "[[[i, 1]] for i in range(20)]", 20),
        ("list[list[int]]", "[[[[i]]] for i in range(20)]", 20),
        ("str", "['[' + str(i) for i in range(20)]", 20),  # a text is no expression then
        ("str", "[['a' * i] for i in range(20)]", 20),
        ("int", "['[' + str(i) + ']' for i in range(20)]", 20),
        ("int", "list(range(20))", 20),
        ("tuple[int, int]", "[((i, 1),) for i in range(20)]", 20),
    ],
)
def test_inputs_of_one_parameter(kind: str, items: str, cases: int, pool: CellPool) -> None:
    spec = Specification.model_validate(
        SPEC.model_dump() | {"parameters": [{"name": "x", "type": kind}], "constraints": []}
    )
    source = (
        f"def generate_inputs():\n    return {{'basic': {items}}}\n"
        "def is_valid_input(*args):\n    return True\n"
    )
    found = try_program(source, spec, KnownInputs(valid=[], invalid=[]), pool)
    assert (found.fault, len(found.cases)) == ("", cases)


def test_one_input_that_is_not_plain_discards_no_other(pool: CellPool) -> None:
    bad = '"edge": [[[float("nan")], 1], [[1j], 1], [{1}, 1], [[float("inf")], 1]],\n "low": '
    found = try_program(GOOD.replace('"edge": ', bad), SPEC, KNOWN, pool)
    assert (found.fault, found.inputs, len(found.cases)) == ("", 21, 16)


def test_sets_and_numbered_keys_are_inputs(pool: CellPool) -> None:
    spec = Specification.model_validate(
        SPEC.model_dump()
        | {
            "parameters": [
                {"name": "s", "type": "set[int]"},
                {"name": "d", "type": "dict[int, int]"},
            ],
            "constraints": ["len(s) <= 3", "all(0 <= k <= 90 for k in d)"],
        }
    )
    source = (
        "def generate_inputs():\n    return [({i, i + 1}, {i: i}) for i in range(20)]\n"
        "def is_valid_input(s, d):\n    return True\n"
    )
    found = try_program(source, spec, KnownInputs(valid=[], invalid=[]), pool)
    assert (found.fault, len(found.cases)) == ("", 20)


class Model(ScriptedModel):
    """A script that remembers what it was asked."""

    def __init__(self, folder: Path, replies: list[Any]) -> None:
        file = folder / "replies.json"
        file.write_text(json.dumps({"oracle": replies}))
        super().__init__(file)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return await super().complete(request)


async def asked(model: Model, pool: CellPool, found: str = "") -> OracleResult:
    run = Run("author", pool)
    run.use({"oracle": model})
    return await ask_oracle(run, SPEC, KNOWN, found=found)


async def test_each_retry_has_the_diagnosis_and_a_higher_temperature(
    tmp_path: Path, pool: CellPool
) -> None:
    few = GOOD.replace("range(1, 12)", "range(1, 3)")
    replies = [
        "I would rather not.",
        f"```python\nimport os\n{GOOD}```",
        f"```\n{few}```",
        f"```python\n{GOOD}```",
    ]
    model = Model(tmp_path, replies)
    found = await asked(model, pool)
    assert [each.temperature for each in found.report.attempts] == [0.5, 0.7, 0.9, 0.9]
    assert [each.fault.partition("\n")[0][:30] for each in found.report.attempts] == [
        "The reply held no code block t",
        "line 1: policy: import of os i",
        "only 6 of 7 different inputs a",
        "",
    ]
    assert [each.temperature for each in model.asked] == [0.5, 0.7, 0.9, 0.9]
    assert "import of os" in model.asked[2].messages[0].text
    assert len(found.cases) == 15
    assert found.speaks


async def test_after_three_retries_the_best_inputs_are_kept(tmp_path: Path, pool: CellPool) -> None:
    few = GOOD.replace("range(1, 12)", "range(1, 3)")
    model = Model(tmp_path, [f"```python\n{few}```", "no", "no", "no", "never asked"])
    found = await asked(model, pool)
    assert len(found.report.attempts) == 4
    assert all(each.fault for each in found.report.attempts)
    assert (len(found.cases), found.speaks) == (6, False)


async def test_what_was_found_later_is_a_retry(tmp_path: Path, pool: CellPool) -> None:
    model = Model(tmp_path, [f"```python\n{GOOD}```"])
    await asked(model, pool, found="inputs were invalid")
    assert model.asked[0].temperature == 0.7
    assert "inputs were invalid" in model.asked[0].messages[0].text
