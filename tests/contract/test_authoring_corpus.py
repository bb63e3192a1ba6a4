"""The corpus of authoring holds what its README says: right programs agree, wrong ones fail.

Every run checks three specifications; the exhaustive tests check all.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from steelyard.authoring.calls import Answers, Callee, compiled
from steelyard.constraints import Validator
from steelyard.families import expand
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification

CORPUS = Path(__file__).parent.parent / "corpus" / "authoring"
NAMES = sorted(path.parent.name for path in CORPUS.glob("*/spec.json"))
OF_EACH_KIND = ("circle-sum", "next-arrangement", "sample-variance")
"""A value, a list changed in place, and a number with a tolerance."""
OTHERS = [name for name in NAMES if name not in OF_EACH_KIND]
PATIENT = Limits(cpu_ms=20_000, wall_ms=120_000, memory_mib=1024, stack_mib=2)
"""With this stack a program may recurse about 1,000 levels deep: some wrong programs go deeper."""


class Problem:
    """One specification of the corpus, with its programs."""

    def __init__(self, name: str, pool: CellPool) -> None:
        self.folder, self._pool = CORPUS / name, pool
        self.spec = Specification.model_validate_json((self.folder / "spec.json").read_bytes())
        self.answers = Answers(self.spec)
        self.witnesses = self.inputs("witnesses.json")

    def inputs(self, file: str) -> dict[str, list[Any]]:
        """Return the input that a file names for each program; none if there is no such file."""
        path = self.folder / file
        named = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return {
            program: expand(args["expression"]) if isinstance(args, dict) else args
            for program, args in named.items()
        }

    def program(self, path: str) -> Callee:
        found = compiled(
            (self.folder / path).read_text("utf-8"),
            "class:Solution.solve",
            pool=self._pool,
            limits=PATIENT,
            imports=True,
        )
        assert isinstance(found, Callee), (path, found)
        return found


def check(name: str, pool: CellPool) -> None:
    """Assert that a specification's programs are what their names say."""
    problem = Problem(name, pool)
    answers, validator = problem.answers, Validator.of(problem.spec)
    examples = [list(each.args) for each in problem.spec.examples]
    stated = [answers.stated(each.expected) for each in problem.spec.examples]
    largest = problem.inputs("largest.json")
    for args in (*examples, *problem.witnesses.values(), *largest.values()):
        assert not validator.broken(args), args
    for path in (*problem.folder.glob("*.py"), *problem.folder.glob("slow/*.py")):
        program = problem.program(str(path.relative_to(problem.folder)))
        outcomes = answers.outcomes(program, examples, together=True)
        assert all(map(answers.alike, stated, outcomes)), (path, outcomes)

    witnesses = list(problem.witnesses.values())
    right = answers.outcomes(problem.program("right.py"), witnesses, together=True)
    right_2 = answers.outcomes(problem.program("right_2.py"), witnesses, together=True)
    assert all(map(answers.alike, right, right_2)), name
    for (path, args), expected in zip(problem.witnesses.items(), right, strict=True):
        (outcome,) = answers.outcomes(problem.program(path), [args])
        assert outcome.how in ("answer", "raised", "type"), (path, outcome)
        assert not answers.alike(expected, outcome), (path, outcome)


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_programs_are_what_their_names_say(name: str, pool: CellPool) -> None:
    check(name, pool)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", OTHERS)
def test_all_programs_are_what_their_names_say(name: str, pool: CellPool) -> None:
    check(name, pool)


def test_the_corpus_is_as_large_as_its_figures_need() -> None:
    halves = tomllib.loads((CORPUS / "corpus.toml").read_text("utf-8"))
    assert sorted(name for names in halves.values() for name in names) == NAMES
    assert abs(len(halves["development"]) - len(halves["held-out"])) <= 1
    fresh = halves.pop("fresh")
    del halves["later"], halves["blind"]
    assert len(fresh) >= 10
    assert len([path for name in fresh for path in (CORPUS / name).glob("wrong/*.py")]) >= 120
    for name in fresh:
        too_slow = {f"slow/{path.name}" for path in (CORPUS / name).glob("slow/*.py")}
        assert len(too_slow) >= 2
        assert set(json.loads((CORPUS / name / "largest.json").read_text("utf-8"))) == too_slow
    for names in halves.values():
        wrong = [path for name in names for path in (CORPUS / name).glob("wrong/*.py")]
        slow = [path for name in names for path in (CORPUS / name).glob("slow/*.py")]
        assert len(names) >= 13
        assert len(wrong) >= 130
        assert len(slow) >= 17


def test_each_wrong_program_has_a_witness() -> None:
    for folder in (CORPUS / name for name in NAMES):
        witnesses = json.loads((folder / "witnesses.json").read_text("utf-8"))
        programs = {str(path.relative_to(folder)) for path in folder.glob("wrong/*.py")}
        assert set(witnesses) == programs, folder
        assert all(re.fullmatch(r"(wrong|slow)/\d\d_[a-z0-9_]+\.py", each) for each in programs)
