"""HumanEval's own solutions pass in `asserts` mode; each with one thing broken fails."""

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from steelyard import Limits, VerifyResult, judge
from steelyard.sandbox import CellPool

CORPUS = Path(__file__).parents[1] / "corpus" / "humaneval"
PROBLEMS = [json.loads(line) for line in (CORPUS / "HumanEval.jsonl").read_bytes().splitlines()]
SURVIVORS = json.loads((CORPUS / "survivors.json").read_text())

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitXor: ast.BitAnd,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.USub: ast.UAdd,
}

Problem = dict[str, str]
Property = Callable[[str, object], None]


def verdict(problem: Problem, source: str, pool: CellPool, *extra: str) -> VerifyResult:
    # The prompt's helper functions are the tests' own: a candidate has no say in them.
    tests = [{"code": code, "setup": problem["prompt"]} for code in (problem["test"], *extra)]
    entry = f"asserts:{problem['entry_point']}"
    result = judge(source, tests, entry=entry, limits=Limits(cpu_ms=2_000), pool=pool)
    assert result.compile.ok
    return result


def canonical(problem: Problem) -> str:
    return problem["prompt"] + problem["canonical_solution"]


def broken(problem: Problem) -> Iterator[tuple[str, str]]:
    """The solution whose last `return` gives nothing, and the one with its first operator swapped.

    Only what the canonical solution itself holds is broken, never the prompt.
    """
    for how, breaks in (("return", break_return), ("operator", break_operator)):
        tree = ast.parse(canonical(problem))
        nodes = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt | ast.expr) and node.lineno > problem["prompt"].count("\n")
        ]
        nodes.sort(key=lambda node: (node.lineno, node.col_offset))
        if breaks(nodes):
            yield f"{problem['task_id']} {how}", ast.unparse(tree)


def break_return(nodes: list[ast.stmt | ast.expr]) -> bool:
    for node in reversed(nodes):
        if isinstance(node, ast.Return) and node.value:
            node.value = ast.Constant(None)
            return True
    return False


def break_operator(nodes: list[ast.stmt | ast.expr]) -> bool:
    for node in nodes:
        match node:
            case ast.Compare(ops=[first, *rest]) if type(first) in SWAPPED:
                node.ops = [cast("ast.cmpop", SWAPPED[type(first)]()), *rest]
                return True
            case ast.BinOp() | ast.AugAssign() | ast.BoolOp() | ast.UnaryOp():
                if type(node.op) in SWAPPED:
                    node.op = cast("Any", SWAPPED[type(node.op)]())
                    return True
    return False


def test_every_canonical_solution_passes(pool: CellPool, record_property: Property) -> None:
    failures = []
    for problem in PROBLEMS:
        result = verdict(problem, canonical(problem), pool)
        if not result.success:
            failures.append(f"{problem['task_id']}: {result.details}")
    passed = len(PROBLEMS) - len(failures)
    record_property("count", f"HumanEval: {passed} of {len(PROBLEMS)} canonical solutions pass")
    assert len(PROBLEMS) == 164
    assert failures == []


@pytest.mark.exhaustive
def test_every_broken_solution_fails(pool: CellPool, record_property: Property) -> None:
    """Or stands in survivors.json, with the proof that it is equivalent or that the tests lack."""
    failed, told_apart, equivalent, unexplained = 0, 0, 0, []
    unused = set(SURVIVORS)
    for problem in PROBLEMS:
        for name, source in broken(problem):
            if not verdict(problem, source, pool).success:
                failed += 1
                continue
            unused.discard(name)
            extra = SURVIVORS.get(name, {}).get("told_apart_by")
            if name not in SURVIVORS:
                unexplained.append(name)
            elif extra is None:
                equivalent += 1
            elif (
                verdict(problem, canonical(problem), pool, extra).success
                and not verdict(problem, source, pool, extra).success
            ):
                told_apart += 1
            else:
                unexplained.append(f"{name}: not told apart by: {extra}")
    total = failed + told_apart + equivalent + len(unexplained)
    record_property(
        "count",
        f"HumanEval: {failed + told_apart} of {total} broken solutions fail "
        f"({told_apart} by an assertion that HumanEval lacks), {equivalent} are equivalent",
    )
    assert unexplained == []
    assert unused == set(), "no survivors; take them out of survivors.json"
    assert total >= 300  # a return in all, and an operator in most
