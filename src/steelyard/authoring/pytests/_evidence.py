"""Measure a suite, and compare the measurements with the criteria of a perfect one.

What a model claims of a suite is not asked.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from steelyard.authoring.pytests._module import (
    FOREIGN,
    NOTHING,
    altered_source,
    statement_spans,
)
from steelyard.authoring.pytests._running import Session, SuiteRunner
from steelyard.authoring.pytests._suite import Suite, read_suite
from steelyard.errors import SubjectError
from steelyard.schemas import (
    CATEGORIES,
    LiveMutant,
    SuiteCategory,
    SuiteCriterion,
    SuiteEvidence,
    TestFault,
)
from steelyard.strength import Mutant

T = TypeVar("T")
R = TypeVar("R")
_RUNS = 3
"""Runs in different orders; the last one has another hash seed."""
_LEAST_MUTANT_S, _MOST_MUTANT_S, _SLOWER = 0.5, 10.0, 10.0
"""How long a test may take with a mutant: ten times as long as with the module, within bounds."""
_SESSION_S, _WATCHED = 60.0, 4.0
"""Wall time of all tests, and how many times as long if each is watched in its own process."""
_MOST_WHY = 500


class Measuring:
    """Measures suites of one module.

    Args:
        runner: Runs them.
        mutants: Small changes of the module.
        bug: A version of the module with a known bug.
        bounds: Numbers that the module and its specification name.
        test_s: CPU time of one test, in seconds.
        on_step: Called before each step with its name.
    """

    def __init__(
        self,
        runner: SuiteRunner,
        mutants: Sequence[Mutant] = (),
        *,
        bug: str | None = None,
        bounds: AbstractSet[int] = frozenset(),
        test_s: float = 10.0,
        on_step: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._runner, self._mutants, self._bug = runner, mutants, bug
        self._bounds, self._test_s, self._on_step = bounds, test_s, on_step
        module = runner.module
        try:
            self._altered = tuple(altered_source(module.tree, each) for each in (FOREIGN, NOTHING))
        except RecursionError as error:
            raise SubjectError(f"{module.path} is nested too deeply; simplify it") from error

    def measure(self, code: str, file_name: str) -> SuiteEvidence:
        """Return what can be known of a suite.

        Args:
            code: The suite's text, without the line that names the file; hostile.
            file_name: The name of its file.

        Raises:
            InfrastructureError: if the machine failed.
        """
        suite = read_suite(code, file_name)
        found = SuiteEvidence(fault=suite.fault) if suite.fault else self._measured(suite)
        return found.model_copy(update={"unmet": _unmet_by(found)})

    def _measured(self, suite: Suite) -> SuiteEvidence:
        self._on_step("each test alone")
        alone = self._runner.run(
            suite.code,
            suite.file_name,
            apart=True,
            watches=True,
            bounds=self._bounds,
            test_s=self._test_s,
            session_s=_WATCHED * _SESSION_S,
        )
        if alone.fault:
            return SuiteEvidence(fault=alone.fault[:_MOST_WHY])
        self._on_step("all tests in three orders")
        # One that ends its process would end every run of all.
        whole = [name for name, each in alone.tests.items() if not each.lost]
        shuffled = self._all(
            range(_RUNS if whole else 0), lambda seed: self._shuffled(suite, whole, seed)
        )
        red, dependent = _classified(alone, shuffled)
        bad = {each.test for each in (*red, *dependent)}
        solid = [name for name in alone.collected if name not in bad]
        counts, uncounted = _counted(suite, solid, alone)
        found = SuiteEvidence(
            tests=len(solid), counts=counts, uncounted=uncounted, red=red, dependent=dependent
        )
        if not solid:
            return found
        return self._with_strength(found, _Trial(self._runner, suite, solid, [*shuffled, alone]))

    def _with_strength(self, found: SuiteEvidence, trial: "_Trial") -> SuiteEvidence:
        """Add what the tests that pass reach and notice."""
        self._on_step("mutants")
        self._all(self._altered, trial.alter)
        by_bug = None if self._bug is None else trial.find(self._bug)
        killed = self._all(self._mutants, trial.kill)
        trial.prove([each for each, dead in zip(self._mutants, killed, strict=True) if dead])
        alive = [each for each, dead in zip(self._mutants, killed, strict=True) if not dead]
        return found.model_copy(
            update={
                "coverage": trial.alone.coverage,
                "missing_branches": trial.alone.missing_branches,
                "cannot_fail": trial.unproved,
                "mutants": len(self._mutants),
                "killed": sum(killed),
                "survivors": tuple(LiveMutant(name=each.name, diff=each.diff) for each in alive),
                "bug_found_by": by_bug,
            }
        )

    def _shuffled(self, suite: Suite, order: Sequence[str], seed: int) -> Session:
        return self._runner.run(
            suite.code,
            suite.file_name,
            order=order,
            shuffle=seed,
            other_hashes=seed == _RUNS - 1,
            test_s=self._test_s,
            session_s=_SESSION_S,
        )

    def _all(self, items: Iterable[T], work: Callable[[T], R]) -> list[R]:
        with ThreadPoolExecutor(self._runner.pool.size, "steelyard-suite") as workers:
            return list(workers.map(work, items))


class _Trial:
    """Runs a suite against changed versions of its module.

    A mutant is run with the tests that reach its line: those that were not proved to be able to
    fail go first, then those that noticed most, up to the first that notices it. A crash of the
    module proves nothing: the test must fail by its own assertion, or with a module that only
    returns something else.

    Args:
        runner: Runs the tests.
        suite: What they are written in.
        tests: Those that pass.
        sessions: Runs with the module as it is; the last one watched each test alone.
    """

    def __init__(
        self,
        runner: SuiteRunner,
        suite: Suite,
        tests: Sequence[str],
        sessions: Sequence[Session],
    ) -> None:
        self._runner, self._suite, self._tests = runner, suite, tests
        self.alone = alone = sessions[-1]
        times_s = [
            next(each.tests[name].ms for each in sessions if name in each.tests) / 1_000
            for name in tests
        ]
        self._test_s = min(_MOST_MUTANT_S, max(_LEAST_MUTANT_S, _SLOWER * max(times_s)))
        self._session_s = min(_SESSION_S, 10 + self._test_s + 3 * sum(times_s))
        silent = {each.name for each in suite.tests if not each.asserts}
        self._asserting = [
            name
            for name in tests
            if (test := suite.test_of(name)) is None or test.name not in silent
        ]
        self._reached = {name: alone.lines_of(name) for name in tests}
        self._imported, self._spans = alone.imported, statement_spans(runner.module.tree)
        self._failed: Counter[str] = Counter()
        self._proved: set[str] = set()
        self._lock = threading.Lock()

    @property
    def unproved(self) -> tuple[str, ...]:
        """The tests that could not be proved to be able to fail."""
        provable = self._proved.intersection(self._asserting)
        return tuple(name for name in self._tests if name not in provable)

    def alter(self, source: str) -> None:
        """Run all tests against a module whose functions return something else."""
        failing = self._failing(self._run(source, self._tests))
        with self._lock:
            self._proved.update(failing)

    def find(self, source: str) -> tuple[str, ...]:
        """Run all tests against a version; return those that fail."""
        return self._failing(self._run(source, self._tests))

    def kill(self, mutant: Mutant) -> bool:
        """Return True if some test notices a mutant."""
        with self._lock:
            order = sorted(self._reaching(mutant), key=self._usefulness)
        session = self._run(mutant.source, order, apart=False)
        return bool(self._failing(session)) or bool(session.fault)

    def prove(self, mutants: Sequence[Mutant]) -> None:
        """Look for a mutant on which each test fails that was not seen to fail."""
        for mutant in mutants:
            rest = set(self._asserting) - self._proved
            if not rest:
                return
            order = [name for name in self._reaching(mutant) if name in rest]
            if order:
                self._failing(self._run(mutant.source, order))

    def _reaching(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant.

        They are all if its statement runs at the import, or if none is seen to reach it: a child
        process and a thread of `_thread` are not traced.
        """
        holding = [span for span in self._spans if mutant.line in span]
        if not holding:
            return list(self._tests)
        innermost: range = min(holding, key=len)
        if not self._imported.isdisjoint(innermost):
            return list(self._tests)
        reaching = (name for name in self._tests if not self._reached[name].isdisjoint(innermost))
        return list(reaching) or list(self._tests)

    def _usefulness(self, name: str) -> float:
        return 1 / (1 + self._failed[name]) if name in self._proved else 0.0

    def _run(self, source: str | bytes, order: Sequence[str], *, apart: bool = True) -> Session:
        return self._runner.run(
            self._suite.code,
            self._suite.file_name,
            source=source,
            order=order,
            apart=apart,
            stop=not apart,
            explains=False,
            test_s=self._test_s,
            session_s=self._session_s,
        )

    def _failing(self, session: Session) -> tuple[str, ...]:
        """Return the tests that failed; a version that cannot be imported proves nothing."""
        if session.uncollected:
            return ()
        failing = tuple(name for name in session.failing if name in self._reached)
        with self._lock:
            self._failed.update(failing)
            self._proved.update(name for name in failing if session.tests[name].asserted)
        return failing


def _classified(
    alone: Session, shuffled: Sequence[Session]
) -> tuple[tuple[TestFault, ...], tuple[TestFault, ...]]:
    """Return the red tests and the dependent ones."""
    red, dependent = [], []
    for name in alone.collected:
        by_itself = alone.tests.get(name)
        together = [each.tests[name] for each in shuffled if name in each.tests]
        failing = [each for each in together if not each.passed]
        if by_itself is None:
            red.append(TestFault(test=name, why=alone.why or "it was not run"))
        elif by_itself.skipped:
            red.append(TestFault(test=name, why="it is skipped, so it checks nothing"))
        elif by_itself.passed and failing:
            why = f"it passes alone, and fails after other tests: {failing[0].why}"
            dependent.append(TestFault(test=name, why=why[:_MOST_WHY]))
        elif not by_itself.passed and together and not failing:
            why = f"it passes after other tests, and fails alone: {by_itself.why}"
            dependent.append(TestFault(test=name, why=why[:_MOST_WHY]))
        elif not by_itself.passed:
            why = next((each.why for each in failing if each.why), by_itself.why)
            flaky = "" if len(failing) == len(together) else "it passes in some runs only: "
            red.append(TestFault(test=name, why=f"{flaky}{why or 'it fails'}"[:_MOST_WHY]))
    return tuple(red), tuple(dependent)


def _counted(
    suite: Suite, solid: Sequence[str], alone: Session
) -> tuple[dict[SuiteCategory, int], tuple[TestFault, ...]]:
    """Return how many tests of each category count, and the functions that do not.

    Each case of a test counts that does what its category asks for; equal cases count once.
    """
    cases: dict[str, list[str]] = {}
    for name in solid:
        if (test := suite.test_of(name)) is not None:
            cases.setdefault(test.name, []).append(name)
    claims = {test.name: test.category for test in suite.tests if not test.fault and test.category}
    usual = frozenset[int]().union(
        *(
            alone.lines_of(case)
            for name, category in claims.items()
            if category == "normal"
            for case in cases.get(name, ())
        )
    )
    counts = dict.fromkeys(CATEGORIES, 0)
    faults = [TestFault(test=test.name, why=test.fault) for test in suite.tests if test.fault]
    for name, category in claims.items():
        held = {
            alone.tests[case].case
            for case in cases.get(name, ())
            if _does(category, alone, case, usual)
        }
        counts[category] += len(held)
        if name in cases and not held:
            faults.append(TestFault(test=name, why=_NOT_DONE[category]))
    return counts, tuple(faults)


def _does(category: SuiteCategory, alone: Session, case: str, usual: AbstractSet[int]) -> bool:
    """Return True if a case does what its category asks for.

    Args:
        category: What its name claims.
        alone: The run in which it was watched.
        case: Its node id.
        usual: The module's lines that normal tests reach.
    """
    outcome = alone.tests[case]
    match category:
        case "normal":
            return True
        case "edge":
            return outcome.edge or bool(usual and alone.lines_of(case) - usual)
        case "boundary":
            return outcome.boundary
        case "exception":
            return outcome.raised


_NOT_DONE: Mapping[SuiteCategory, str] = {
    "edge": (
        "no function of the module is given or returns an edge value in it: None, zero, a negative "
        "or huge number, an empty or one-item container, equal items, or unusual text"
    ),
    "boundary": (
        "no number or size that a function of the module is given or returns in it is at a bound "
        "or one away from it"
    ),
    "exception": "no function of the module raises an exception in it",
}
MINIMA: Mapping[SuiteCategory, int] = {"normal": 5, "edge": 5, "boundary": 3, "exception": 3}
"""How many tests of each category a suite needs."""
LEAST_COVERED = 0.9
"""Share of the module's lines and branches that tests must reach."""
MOST_SURVIVING = 0.15
"""Share of mutants that may live, or one mutant: about 7 % of mutants change nothing that a test
could notice, and suites that kill 85 % find about nine in ten real bugs."""
_SHOWN = 8
_SHOWN_CHARS = 600


def _unmet_by(evidence: SuiteEvidence) -> tuple[SuiteCriterion, ...]:
    """Return the criteria that a suite does not meet, by what was measured of it."""
    if evidence.fault:
        return ("loads",)
    met: dict[SuiteCriterion, bool] = {
        "loads": True,
        "green": not evidence.red and evidence.tests > 0,
        "independent": not evidence.dependent,
        "can-fail": not evidence.cannot_fail,
        "minima": not any(_lacking(evidence).values()),
        "coverage": evidence.covered >= LEAST_COVERED,
        "mutation": len(evidence.survivors) <= _most_survivors(evidence.mutants),
        "bug": evidence.bug_found_by is None or bool(evidence.bug_found_by),
    }
    return tuple(name for name, holds in met.items() if not holds)


def rank_of(evidence: SuiteEvidence) -> tuple[float, ...]:
    """Return a key that is larger for the better suite.

    A suite that runs is better than one that does not, one without red tests better than one with,
    then the number of criteria counts, then how nearly all of them are met.
    """
    if evidence.fault:
        return (0.0,)
    total = evidence.tests + len(evidence.red)
    lacking = sum(_lacking(evidence).values())
    shares = (
        evidence.tests / total if total else 0.0,
        1 - len(evidence.dependent) / max(1, total),
        1 - len(evidence.cannot_fail) / max(1, evidence.tests),
        1 - lacking / sum(MINIMA.values()),
        evidence.covered,
        1.0 if evidence.mutation_score is None else evidence.mutation_score,
    )
    is_green = "green" not in evidence.unmet
    return (1.0, float(is_green), -float(len(evidence.unmet)), sum(shares))


def issues_of(evidence: SuiteEvidence) -> tuple[str, ...]:
    """Return what falls short, one item each, for the model to change."""
    return tuple(_issues(evidence))


def _issues(evidence: SuiteEvidence) -> Iterator[str]:
    if evidence.fault:
        yield f"The suite cannot be used: {evidence.fault}."
        return
    yield from _listed("These tests fail on the module as it is", evidence.red)
    yield from _listed("These tests depend on other tests or on their order", evidence.dependent)
    if evidence.cannot_fail:
        yield (
            "These tests passed although every function of the module returned something else, so "
            f"they check nothing: {_joined(evidence.cannot_fail)}."
        )
    for category, missing in _lacking(evidence).items():
        if missing:
            yield (
                f"{MINIMA[category]} {category} tests are needed and {MINIMA[category] - missing} "
                f"count; name each test_{category}_..."
            )
    if "minima" in evidence.unmet:
        yield from _listed("These tests do not count for their category", evidence.uncounted)
    if "coverage" in evidence.unmet:
        yield _uncovered(evidence)
    if "mutation" in evidence.unmet:
        yield (
            f"{len(evidence.survivors)} of {evidence.mutants} small changes of the module make no "
            "test fail. Write a test that fails on each of these changes:\n"
            + "\n".join(each.diff[:_SHOWN_CHARS] for each in evidence.survivors[:_SHOWN])
        )
    if "bug" in evidence.unmet:
        yield "No test fails on a version of the module with a known bug."


def _listed(title: str, faults: Sequence[TestFault]) -> Iterator[str]:
    if faults:
        lines = [f"- {str(each)[:_SHOWN_CHARS]}" for each in faults[:_SHOWN]]
        more = len(faults) - len(lines)
        yield "\n".join([f"{title}:", *lines, *([f"- and {more} more"] if more > 0 else [])])


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _uncovered(evidence: SuiteEvidence) -> str:
    lines = evidence.coverage.missing_lines if evidence.coverage else ()
    branches = [f"{one} to {other}" for one, other in evidence.missing_branches if other > 0]
    missing = [
        *([f"lines {_joined([str(line) for line in lines])}"] if lines else []),
        *([f"the steps from line {_joined(branches)}"] if branches else []),
    ]
    return (
        f"The tests reach {evidence.covered:.0%} of the module's lines and branches, and "
        f"{LEAST_COVERED:.0%} are needed; not reached: {'; '.join(missing) or 'everything'}."
    )


def _lacking(evidence: SuiteEvidence) -> dict[SuiteCategory, int]:
    return {each: max(0, MINIMA[each] - evidence.counts.get(each, 0)) for each in CATEGORIES}


def _most_survivors(mutants: int) -> int:
    return min(max(1, int(mutants * MOST_SURVIVING)), max(0, mutants - 1))
