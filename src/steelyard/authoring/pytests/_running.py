"""Run a suite against a module, or against a changed version of it, in cells."""

import contextlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from importlib.util import find_spec

from steelyard._installation import install_command
from steelyard.authoring.pytests._module import TestedModule
from steelyard.errors import IsolationError, LanguageError, SubjectError, UsageError
from steelyard.project_runs import (
    SUITE,
    Collected,
    Ended,
    Plan,
    Run,
    Runner,
    Suite,
    SuiteCoverage,
    SuiteTest,
    TestBegun,
    Uncollected,
    encoding_of,
    end_of,
    require_version,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, VersionCoverage
from steelyard.toolchains import find_toolchain

_PLAN = Plan((SUITE,))
_NEEDED = ("pytest", "coverage")
_OUTPUT_MIB, _FILE_MIB, _PROCESSES = 16, 64, 64
_MEMORY_MIB = 1_024
_MOST_TESTS = 500
_MOST_BOUNDS = 1_000
_OTHER_HASH_SEED = 1
_IMPORTING = """\
import importlib
import os


def test():
    found = importlib.import_module({module!r}).__file__
    if not os.path.exists({path!r}) or not os.path.samefile(found or "", {path!r}):
        raise ImportError("{module} is also the name of another module")
"""


@dataclass(frozen=True, slots=True)
class Session:
    """The tests of one run, with the end of each."""

    tests: Mapping[str, SuiteTest]
    """By node id; a test that ended its process is there too."""
    collected: tuple[str, ...]
    ended: Ended
    why: str
    """The end of a run that did not finish."""
    uncollected: Mapping[str, str] = field(default_factory=dict)
    """Files that cannot be loaded, with the reason."""
    coverage: VersionCoverage | None = None
    missing_branches: tuple[tuple[int, int], ...] = ()
    """Line numbers from and to; a negative one is the end of a function."""
    imported: frozenset[int] = frozenset()
    """Lines of the module that run when it is imported."""
    threads: bool = False
    """Threads were started by the import, so that no test was run."""

    def lines_of(self, name: str) -> frozenset[int]:
        """Return the lines of the module that a test reaches, if it was watched."""
        steps = self.tests[name].steps if name in self.tests else ()
        return frozenset(line for step in steps for line in step if line > 0)

    @property
    def failing(self) -> tuple[str, ...]:
        """The tests that failed."""
        return tuple(
            name for name, each in self.tests.items() if not each.passed and not each.skipped
        )

    @property
    def fault(self) -> str:
        """The reason why the run proves nothing; empty if each of its tests has an outcome."""
        if self.uncollected:
            file, why = next(iter(self.uncollected.items()))
            return f"{file or 'the suite'} cannot be loaded: {why}"
        if self.ended != "finished":
            return self.why
        if len(self.collected) > _MOST_TESTS:
            return f"it has more than {_MOST_TESTS} tests; write fewer"
        return "" if self.collected else "it has no tests"


class SuiteRunner:
    """Runs suites around one module.

    Args:
        module: The module.
        pool: Where everything runs.
        memory_mib: Limit of each run.

    Raises:
        LanguageError: if the project's interpreter cannot be used.
        IsolationError: if cells have no files of their own on this machine.
        UsageError: if pytest or coverage is not installed.
    """

    def __init__(
        self, module: TestedModule, pool: CellPool, *, memory_mib: int = _MEMORY_MIB
    ) -> None:
        self.module, self.pool, self._memory_mib = module, pool, memory_mib
        self._anew = False
        _require_packages()
        _require_own_files(pool)
        toolchain = find_toolchain("python", compiler=module.python)
        if toolchain.harness is None:
            raise LanguageError(f"{module.python} is not a Python interpreter; repair it")
        require_version(toolchain.tool.version)
        self._runners = tuple(
            Runner(toolchain.harness, module.project, module, pool, _PLAN, hash_seed=seed)
            for seed in (0, _OTHER_HASH_SEED)
        )

    def run(
        self,
        suite: str,
        file_name: str,
        *,
        source: str | bytes | None = None,
        order: Sequence[str] = (),
        shuffle: int | None = None,
        apart: bool = False,
        stop: bool = False,
        watches: bool = False,
        bounds: AbstractSet[int] = frozenset(),
        other_hashes: bool = False,
        explains: bool = True,
        test_s: float = 10.0,
        session_s: float = 60.0,
    ) -> Session:
        """Run a suite once.

        Args:
            suite: The text of the suite; hostile.
            file_name: The name of its file.
            source: Another version of the module; None is the module's own.
            order: Node ids of the tests to run, in this order; empty: all.
            shuffle: Seed of another order, and of `random`; None keeps the order.
            apart: Run each test in a process of its own.
            stop: End at the first test that fails.
            watches: Record what each test does in the module; only with `apart`.
            bounds: Numbers that are bounds for `watches`.
            other_hashes: Run under another hash seed, which decides the order of sets.
            explains: Say in each failure what failed.
            test_s: CPU time of one test, in seconds; it may take four times as long, or 5 s.
            session_s: Wall time of all, in seconds.

        Raises:
            InfrastructureError: if the machine failed.
        """
        edits = {file_name: suite.encode("utf-8", "replace")}
        if source is not None:
            text = source if isinstance(source, bytes) else source.encode(encoding_of(source))
            edits[self.module.path] = text
        asked = Suite(
            file=file_name,
            order=list(order),
            shuffle=shuffle,
            most_tests=_MOST_TESTS,
            test_timeout_s=test_s,
            apart=apart,
            anew=apart and self._anew and bool(order),
            stop=stop,
            explains=explains,
            watches=watches,
            bounds=sorted(bounds, key=abs)[:_MOST_BOUNDS],
        )
        millis = round(session_s * 1_000)
        limits = Limits(
            cpu_ms=millis,
            wall_ms=millis,
            memory_mib=self._memory_mib,
            output_mib=_OUTPUT_MIB,
            file_mib=_FILE_MIB,
            processes=_PROCESSES,
        )
        runner = self._runners[other_hashes]
        session = _read(runner.run(SUITE, asked, edits, limits))
        if session.threads and not session.fault:
            self._anew = True
            asked = replace(asked, anew=True, order=list(order or session.collected))
            session = _read(runner.run(SUITE, asked, edits, limits))
        return session

    def require_import(self, source: str | None = None, shown: str = "") -> None:
        """Require that a version of the module can be imported.

        Args:
            source: The version; None is the module's own.
            shown: Its file, for the message.

        Raises:
            SubjectError: if it cannot be imported.
        """
        suite = _IMPORTING.format(module=self.module.module, path=self.module.path)
        session = self.run(suite, "test_import.py", source=source)
        fault = session.fault or next((each.why for each in session.tests.values()), "")
        if fault:
            raise SubjectError(
                f"{shown or self.module.path} cannot be imported: {fault.splitlines()[0][:300]}; "
                "install what it imports, or name its project with --root"
            )


def _read(run: Run) -> Session:
    """Return the session that a run reported; all of it was in reach of the suite."""
    told = run.told
    ended, why = end_of(run)
    if told.forged:
        ended, why = "crashed", "the suite wrote to the harness's result channel"
    tests = {
        each.test: replace(each, passed=each.passed and not each.skipped)
        for each in told.of(SuiteTest)
    }
    begun = [each.test for each in told.of(TestBegun)]
    if ended != "finished" and begun and begun[-1] not in tests:
        tests[begun[-1]] = SuiteTest(begun[-1], lost=True, why=why)
    collected, coverage = told.last(Collected), told.last(SuiteCoverage)
    return Session(
        tests=tests,
        collected=tuple(collected.tests) if collected else (),
        ended=ended,
        why=why,
        uncollected={each.test: each.why for each in told.of(Uncollected)},
        coverage=VersionCoverage(
            lines=coverage.lines,
            lines_covered=coverage.lines_covered,
            branches=coverage.branches,
            branches_covered=coverage.branches_covered,
            missing_lines=tuple(coverage.missing),
        )
        if coverage
        else None,
        missing_branches=tuple(coverage.missing_branches) if coverage else (),
        imported=frozenset(coverage.imported) if coverage else frozenset(),
        threads=collected is not None and collected.threads,
    )


def _require_packages() -> None:
    for name in _NEEDED:
        with contextlib.suppress(ValueError):
            if find_spec(name) is not None:
                continue
        raise UsageError(f"suites need {name}, which is missing; run: {install_command('compare')}")


def _require_own_files(pool: CellPool) -> None:
    isolation = pool.isolation
    if isolation.filesystem != "view":
        reasons = "; ".join(isolation.missing)
        raise IsolationError(
            f"suites run in a cell's own file view, which needs namespaces, got "
            f"filesystem={isolation.filesystem} ({reasons}); see `steelyard doctor` for how to "
            "allow them"
        )
