"""The original, measured once: its tests, its calls, what is the same in every run of it."""

import time
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.comparing._kinds import CALLS, COVERING, OUTSIDE, TESTS
from steelyard.comparing._options import CompareOptions
from steelyard.comparing.calls._more_calls import calls_of_script, generated_calls
from steelyard.comparing.decision._behaviour import (
    compare_calls,
    compare_tests,
    is_file,
    steady_repeats,
)
from steelyard.comparing.decision._memos import Memos
from steelyard.comparing.decision._strictness import Strictness
from steelyard.comparing.incell.told import (
    CountLines,
    FunctionCoverage,
    MakeCalls,
    Passed,
    RunOutside,
    RunTests,
    TestDone,
)
from steelyard.comparing.recording._choice import TestChoice
from steelyard.comparing.recording._outcomes import (
    CallsRun,
    TestsRun,
    last_line,
    read_calls,
    read_tests,
)
from steelyard.comparing.recording._stand import Stand
from steelyard.comparing.recording._usable_tests import require_own_files, require_tests
from steelyard.comparing.recording._versions import ORIGINAL, KnownCall, Repeats, Version
from steelyard.errors import TestsError
from steelyard.project_runs import Session, Subject, find_subject, usable_memory
from steelyard.schemas import BehaviourCase, Event, TestType, VersionCoverage
from steelyard.values.snapshots import Tolerance

_FIRST_RUN_S = 300.0
_HANGING_S = 10.0
"""Seconds that a version's tests may take in addition to ten times the original's."""
_MOST_HANGING = 3
_LOSING = ("timed-out", "memory-limit", "crashed", "left")
"""Ends of one test that end the session of all."""
_CALL_TIMEOUT_S = 5.0
_COVERING_S = 120.0
_MANY_TESTS = 400
"""If a test calls the function, others are added only up to so many."""
_WORTH_ANOTHER_RUN = 20
"""Tests without a call, from which on the others are run without them."""
_MOST_REPLAYED = 200
_MOST_OUTSIDE = 200
_SHARES = {
    "original's tests": 0.0,
    "more calls": 0.15,
    "behaviour": 0.35,
    "speed": 0.45,
    "coverage": 0.85,
    "memory and lines": 0.95,
}
"""Rough share of a comparison that is done as each part begins."""


class CompareBaseline:
    """One function with its tests, to compare many candidates with.

    Args:
        function: `pkg.module:qualified.name`.
        root: The project's folder; it is only read.
        options: How to compare.

    Raises:
        SubjectError: if the project or the function does not exist.
        LanguageError: if the interpreter cannot be used.
    """

    @checks_arguments
    def __init__(
        self,
        function: str,
        root: Path | str = ".",
        options: CompareOptions | None = None,
    ) -> None:
        self.options = options or CompareOptions()
        self.seed = self.options.fixed_seed()
        self.subject: Subject = find_subject(Path(root), function)
        self.stand = Stand(self.subject, self.options, self.options.cells)
        bounds = self.options.rel_tol or 0.0, self.options.abs_tol or 0.0
        memos = Memos(self.subject.qualname, self.stand.project.python_texts)
        self._tables = memos.tables(self.subject.path, self.subject.source)
        self.strictness = Strictness(
            Tolerance(*bounds) if any(bounds) else None,
            dict_order=self.options.dict_order,
            messages=self.options.messages,
            is_memo=memos.holds,
        )
        self.is_prepared = False
        self._reached: frozenset[str] = frozenset()
        self._begin()

    def _begin(self) -> None:
        self.seconds: dict[str, float] = {}
        self.notes: list[str] = list(self.subject.notes)
        self._left_out: list[str] = []
        self._only: list[str] = []
        self.dropped_tests: dict[str, str] = {}
        self.dropped_calls: dict[int, str] = {}
        self.calls: list[KnownCall] = []
        self.later_calls: list[KnownCall] = []
        """Those with arguments of other kinds than calls have; made if all others are alike."""
        self._repeats: Repeats | None = Repeats()
        self._coverage: list[VersionCoverage | None] = []
        """The original's, once it is measured."""

    def note(self, text: str) -> None:
        """Add a note to the report, once."""
        if text not in self.notes:
            self.notes.append(text)

    def begin_part(self, name: str, message: str = "") -> None:
        """Emit the event that a part of the work begins."""
        event = Event(job="compare", stage=name, share=_SHARES.get(name), message=message)
        self.options.emit(event)

    # ------------------------------------------------------------------------------ preparing

    def prepare(self, others: Collection[str] = ()) -> None:
        """Run the original's tests twice, and make and check more calls, at the first call only.

        Args:
            others: Names of other functions that a candidate changes: tests are to reach them too.

        Raises:
            OutOfBudgetError: if the budget does not suffice.
            TestsError: if there are no tests, or none of them can be run.
            IsolationError: if cells have no files of their own here.
            InfrastructureError: if the machine failed.
        """
        if self.is_prepared and self._reached.issuperset(others):
            return
        self.is_prepared, self._reached = False, self._reached.union(others)
        self._begin()
        require_own_files(self.stand.isolation)
        with self.part("original's tests", self.seconds):
            with ThreadPoolExecutor(1) as beside:
                ready = beside.submit(self.stand.compile_project)
                self.tests: TestsRun = self._chosen_session()
                ready.result()
            outside = self._passing_outside()
            self.stand.adopt(self.tests.modules, self.tests.sys_path)
            again = self.run_tests(ORIGINAL, other_hash_seed=True)
            if again.pid == self.tests.pid:  # each cell counts its own: what is told by it shows
                again = self.run_tests(ORIGINAL, other_hash_seed=True)
            self._drop_unsteady_tests(again, outside)
        self.unsteady_changes = _unlike(self.tests.changes, again.changes)
        with self.part("more calls", self.seconds):
            recorded = self._recorded_calls(calls_of_script(self.stand, self.options))
            generated, notes = generated_calls(
                self.stand, self.options, self.seed, recorded, self.tests.methods
            )
            self.notes += notes
            usual = [each for each in generated if each.is_known and not each.shown]
            self.calls = [*recorded, *usual]
            self.later_calls = [each for each in generated if each not in usual]
            self.outcomes = self._steady_calls()
            self.other_outcomes = self.make_known_calls(ORIGINAL, other_hash_seed=True)
            if self.other_outcomes.pid == self.outcomes.pid:
                self.other_outcomes = self.make_known_calls(ORIGINAL, other_hash_seed=True)
            self._drop_unsteady_calls()
        unlike = _unlike(self.outcomes.changes, self.other_outcomes.changes)
        self.unsteady_files = {*filter(is_file, unlike)}
        self.is_prepared = True

    def _chosen_session(self) -> TestsRun:
        """Run the tests that can reach the function, and more until they give enough inputs.

        After that the tests without a call are left out, if they are many: the other sessions are
        to be short.
        """
        if self.options.tests or self.options.all_tests:
            return self._without_idle_tests(self._first_session())
        choice = TestChoice(self.stand.project, self.subject, self._reached)
        best: TestsRun | None = None
        chosen: list[str] = []
        for only in choice:
            count = choice.count(only)
            if best and _calling(best) and count > _MANY_TESTS:
                break
            self._only = only
            self.begin_part("original's tests", f"{count} of {choice.total} test functions")
            try:
                run = self._first_session(most_hanging=0 if best else _MOST_HANGING)
            except TestsError:
                if best and _calling(best):
                    break
                if not only:
                    raise
                continue
            best, chosen = run, only
            if only and len(_inputs(run)) >= self.options.least_cases:
                break
        self._only = chosen
        assert best is not None
        if chosen:
            self.note(
                f"{choice.count(chosen)} of {choice.total} test functions were run, with "
                f"{len(_inputs(best))} different inputs; --all-tests runs the rest"
            )
        return self._without_idle_tests(best)

    def _without_idle_tests(self, run: TestsRun) -> TestsRun:
        """Run the tests again without those that do not call the function, if that spares many.

        All are needed if the candidate changes more than the function, or if modules call it while
        they are loaded, or if a test fails without the others. One that fails before it calls the
        function is dropped.
        """
        used = _calling(run)
        called_at_import = any(not test for test, _ in run.calls)
        if self._reached or called_at_import or not used:
            return run
        if len(run.tests) - len(used) < _WORTH_ANOTHER_RUN:
            return run
        before, self._only = self._only, used
        alone = self.run_tests(ORIGINAL, keeps_arguments=True)
        if alone.ended != "finished" or set(_failing(alone)) - set(_failing(run)):
            self._only = before
            return run
        for name in set(_failing(run)) - set(used):
            self.dropped_tests[name] = _failed_with(run.tests[name])
        return alone

    def _first_session(self, most_hanging: int = _MOST_HANGING) -> TestsRun:
        """Run the original's tests; tests that hang or end the process are dropped and listed."""
        seconds = _FIRST_RUN_S + self.options.test_timeout_s  # one of them may hang
        for left in range(most_hanging, -1, -1):
            run = self.run_tests(ORIGINAL, seconds, keeps_arguments=True)
            if run.ended not in _LOSING or run.is_late or not run.at or not left:
                break
            self._left_out.append(run.at)
            self.dropped_tests[run.at] = f"with the original, {run.why}"
        require_tests(
            run,
            self.stand.python,
            seconds,
            ", ".join(self.options.tests) or "the project",
            may_be_none=bool(self._left_out or self.options.script),
        )
        for file, why in run.uncollected.items():
            self.note(f"{file} was left out: {last_line(why)}")
        return run

    def _passing_outside(self) -> set[str]:
        """Return the tests that fail only if the world is fixed.

        Random values become a sequence in all runs if more tests pass so.
        """
        failing = _failing(self.tests)
        if not failing:
            return set()
        asked = RunOutside(Session(failing[:_MOST_OUTSIDE], [], list(self._left_out), []))
        run = self.stand.run(OUTSIDE, asked, ORIGINAL, seconds=self._seconds_allowed(), cold=True)
        outside = {each.test for each in run.told.of(Passed)}
        if outside:
            self.stand.draws_anew = True
            anew = self.run_tests(ORIGINAL, keeps_arguments=True)
            if anew.ended == "finished" and len(_failing(anew)) < len(failing):
                self.tests = anew
            else:
                self.stand.draws_anew = False
        return outside

    @property
    def session(self) -> Session:
        """Return the tests that a session runs."""
        tests, inspired = list(self.options.tests), list(self.stand.inspired)
        return Session(tests, inspired, list(self._left_out), list(self._only))

    def _seconds_allowed(self) -> float:
        """For a session of a version that may be slower, or hang."""
        return _HANGING_S + 10 * self._session_s + self.options.test_timeout_s

    def _drop_unsteady_tests(self, again: TestsRun, outside: Container[str]) -> None:
        for name in _failing(self.tests):
            where = "it passes outside of the harness, inside " if name in outside else ""
            self.dropped_tests[name] = f"{where}{_failed_with(self.tests.tests[name])}"
        self.strictness.learn_from_tests(self.tests, again)
        for case in compare_tests(
            self.tests, again, self.dropped_tests, self.strictness, self.stand.inspired
        ):
            if case.outcome == "different":
                self.dropped_tests[case.name] = f"it is flaky: {_first_difference(case)}"

    def _recorded_calls(self, from_script: list[bytes]) -> list[KnownCall]:
        if self.options.script and not from_script:
            name = self.subject.name
            self.notes.append(
                f"{self.options.script[0]} makes no call of {name} that can be recorded"
            )
        kind = TestType.INIT_STATE_TEST if self.subject.is_init else TestType.REPLAY_TEST
        usable = [
            (test, iteration, data)
            for (test, iteration), data in self.tests.pickled.items()
            if test not in self.dropped_tests
        ]
        usable += [("", 0, data) for data in from_script]
        return [
            KnownCall(f"replay {place + 1}", kind, data, test, iteration)
            for place, (test, iteration, data) in enumerate(usable[:_MOST_REPLAYED])
        ]

    def _steady_calls(self) -> CallsRun:
        """Make every call with the original, under one hash seed; calls that fail are dropped."""
        for _ in range(_MOST_HANGING + 1):
            run = self.make_known_calls(ORIGINAL)
            if run.ended == "finished":
                if self._repeats:
                    self._repeats = Repeats(tuple(run.changed), frozenset(run.elsewhere))
                return run
            if run.begun > 2 * len(self.calls):
                self.notes.append(f"calls were not repeated under other conditions: {run.why}")
                self._repeats = None
                continue
            self.notes.append(f"{self.calls[run.at].name} was left out: {run.why}")
            del self.calls[run.at]
        self.calls = []
        return self.make_known_calls(ORIGINAL)

    def _drop_unsteady_calls(self) -> None:
        made = self.outcomes.calls
        for place in range(len(self.calls)):
            if not {(place, False), (place, True)} <= made.keys():
                self.dropped_calls[place] = "the call cannot be repeated"
        one, other, names = self.outcomes, self.other_outcomes, self.named_calls()
        self.strictness.learn_from_calls(one, other, names)
        self.outcomes = steady_repeats(one, other, names, self.strictness)
        cases = compare_calls(one, other, names, self.dropped_calls, self.strictness)
        for place, case in enumerate(cases):
            if case.outcome == "different":
                self.dropped_calls[place] = f"it is flaky: {_first_difference(case)}"

    def gives_as_recorded(self, index: int) -> bool:
        """Return whether a call, made by itself, ends as it did in its test.

        It does not if it needs what the test set up. What hangs on the present or on random values
        may differ, as long as the call returns or raises as it did.
        """
        call = self.calls[index]
        record = self.tests.calls.get((call.test, call.iteration))
        made = self.outcomes.calls.get((index, False))
        if record is None or made is None or record.how not in ("returned", "raised"):
            return True
        found = self.strictness.differences(record.after, made.after)
        ends = [each for each in found if not each.path.startswith("arguments.")]
        if index in self.outcomes.elsewhere:
            roots = [each for each in ends if each.path in ("result", "raised")]
            return not any(each.kind in ("missing", "extra") for each in roots)
        return all(each.kind == "not-comparable" for each in ends)

    def outcomes_for(self, run: CallsRun) -> CallsRun:
        """Return the original's calls, also under conditions that only the candidate needs."""
        missing = run.elsewhere.keys() - (self._repeats.places if self._repeats else ())
        if not missing or not self._repeats:
            return self.outcomes
        repeats = replace(self._repeats, places=self._repeats.places | missing)
        more = self.make_calls(ORIGINAL, self._pickled(), repeats=repeats)
        kept = {
            place: record
            for place, record in more.elsewhere.items()
            if place in missing or place in self.outcomes.elsewhere
        }
        return replace(self.outcomes, elsewhere=kept)

    def covered(self, version: Version) -> VersionCoverage | None:
        """Return the coverage of a version by tests and calls; None if unknown."""
        if version is ORIGINAL and self._coverage:
            return self._coverage[0]
        asked = CountLines(self.session, self._pickled())
        run = self.stand.run(COVERING, asked, version, seconds=_COVERING_S)
        found = run.told.last(FunctionCoverage)
        coverage = None
        if found is not None:
            coverage = VersionCoverage(
                lines=found.lines,
                lines_covered=found.lines_covered,
                branches=found.branches,
                branches_covered=found.branches_covered,
                missing_lines=tuple(found.missing),
            )
        self._coverage += [coverage] if version is ORIGINAL else []
        return coverage

    def named_calls(self) -> list[tuple[str, TestType]]:
        """Return the calls' names with their origins, in order."""
        return [(call.name, call.test_type) for call in self.calls]

    # -------------------------------------------------------------------------------- running

    def run_tests(
        self,
        version: Version,
        seconds: float = 0.0,
        *,
        keeps_arguments: bool = False,
        other_hash_seed: bool = False,
    ) -> TestsRun:
        """Run one session of a version's tests.

        Args:
            version: Which one.
            seconds: That it may take; 0 for what the original's first session suggests.
            keeps_arguments: Record calls so that they can be made again.
            other_hash_seed: Run under the other hash seed.
        """
        asked = RunTests(
            session=self.session,
            docstring=self.subject.docstring,
            test_timeout_s=self.options.test_timeout_s,
            keeps_arguments=keeps_arguments,
        )
        run = self.stand.run(
            TESTS,
            asked,
            version,
            seconds=seconds or self._seconds_allowed(),
            other_hash_seed=other_hash_seed,
            address_bytes=self.address_bytes_for(version),
        )
        if version is ORIGINAL and not other_hash_seed:
            self._session_s = run.execution.wall_ms / 1000  # without a fork server's start
        return read_tests(run)

    def address_bytes_for(self, version: Version) -> int | None:
        """Return a candidate's memory bound: the original's use plus a run's limit.

        What asks for far more is refused at once; filling memory up to the limit takes seconds.
        """
        if version is ORIGINAL:
            return None
        more = (self.options.run_limits(1).memory_mib or 0) << 20
        return min(usable_memory(), self.tests.address_bytes + more)

    def make_calls(
        self,
        version: Version,
        calls: Iterable[bytes],
        *,
        other_hash_seed: bool = False,
        repeats: Repeats | None = None,
    ) -> CallsRun:
        """Make calls with a version, each twice.

        Args:
            version: Which one.
            calls: The calls, pickled.
            other_hash_seed: Run under the other hash seed.
            repeats: Which are made once more on objects that have changed, and in other worlds.
        """
        asked = MakeCalls(
            calls=list(calls),
            call_timeout_s=_CALL_TIMEOUT_S,
            more=repeats is not None,
            pairs=list(repeats.pairs) if repeats and repeats.pairs is not None else None,
            places=sorted(repeats.places) if repeats else [],
            tables=self._tables if repeats else [],
        )
        run = self.stand.run(
            CALLS,
            asked,
            version,
            seconds=120,
            other_hash_seed=other_hash_seed,
            address_bytes=self.address_bytes_for(version),
        )
        return read_calls(run)

    def made_twice(self, calls: Sequence[bytes]) -> tuple[CallsRun, dict[int, str]]:
        """Make calls with the original twice.

        Returns:
            The first run, and the indexes of calls that cannot be compared, each with why.
        """
        one, again = self.make_calls(ORIGINAL, calls), self.make_calls(ORIGINAL, calls)
        dropped = {
            index: "the call cannot be made"
            for index in range(len(calls))
            if (index, True) not in one.calls
        }
        names = [("", TestType.GENERATED_REGRESSION)] * len(calls)
        cases = compare_calls(one, again, names, dropped, self.strictness)
        for index, case in enumerate(cases):
            if case.outcome in ("different", "dropped"):
                dropped[index] = case.note or "it is flaky"
        return one, dropped

    @cached_property
    def later_outcomes(self) -> tuple[CallsRun, dict[int, str]]:
        """Return the same of the later calls."""
        return self.made_twice([call.pickled for call in self.later_calls])

    def make_known_calls(self, version: Version, *, other_hash_seed: bool = False) -> CallsRun:
        """Make all known calls with a version, under the other hash seed if requested.

        A candidate makes calls once more under the first hash seed only.
        """
        repeats = self._repeats if version is ORIGINAL or not other_hash_seed else None
        return self.make_calls(
            version, self._pickled(), other_hash_seed=other_hash_seed, repeats=repeats
        )

    def _pickled(self) -> list[bytes]:
        return [call.pickled for call in self.calls]

    @contextmanager
    def part(self, name: str, seconds: dict[str, float]) -> Iterator[None]:
        """Emit the event that a part of the work begins, and add its time to the seconds."""
        start = time.monotonic()
        self.begin_part(name)
        yield
        seconds[name] = seconds.get(name, 0.0) + time.monotonic() - start


def _unlike(one: Mapping[str, object], other: Mapping[str, object]) -> set[str]:
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}


def _first_difference(case: BehaviourCase) -> str:
    """Return the first one that is certain; of what cannot be compared nothing is known."""
    certain = (each for each in case.differences if each.kind != "not-comparable")
    first = next(certain, next(iter(case.differences), None))
    return str(first) if first else case.note


def _calling(run: TestsRun) -> list[str]:
    return [name for name, test in run.tests.items() if test.calls]


def _inputs(run: TestsRun) -> set[bytes]:
    """Return the different arguments that tests call the function with."""
    return {call.before for (test, _), call in run.calls.items() if test}


def _failed_with(test: TestDone) -> str:
    return f"it fails with the original: {last_line(test.why)}"


def _failing(run: TestsRun) -> list[str]:
    return [name for name, test in run.tests.items() if not test.passed and not test.skipped]
