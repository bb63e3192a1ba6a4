"""Where versions of one function run: a project, an interpreter, and two fork servers."""

import time
from collections.abc import Sequence

from steelyard.comparing._kinds import DRAW_ANEW, OTHER_PLAN, PLAN
from steelyard.comparing._options import CompareOptions
from steelyard.comparing.incell.told import BothVersions
from steelyard.comparing.recording._inspired import take_in
from steelyard.comparing.recording._versions import Version
from steelyard.errors import LanguageError, SubjectError
from steelyard.project_runs import (
    Kind,
    Project,
    Run,
    Runner,
    Subject,
    interpreter_of,
    read_project,
    require_version,
)
from steelyard.sandbox import CellPool
from steelyard.toolchains import find_toolchain

_STARTING_S = 60.0
_OTHER_HASH_SEED = 1


class OutOfBudgetError(Exception):
    """The time that the caller gave is over; what was running has told nothing."""


class Stand:
    """Runs versions of a function, under one hash seed or the other.

    Args:
        subject: The function in its project, which is only read.
        options: The interpreter, the limits.
        pool: Where everything runs.

    Raises:
        SubjectError: where the project cannot be read.
        LanguageError: where the interpreter cannot be used.
    """

    def __init__(self, subject: Subject, options: CompareOptions, pool: CellPool) -> None:
        self._options, self._pool = options, pool
        self.python = str(options.python or interpreter_of(subject.root))
        try:
            toolchain = find_toolchain("python", compiler=self.python)
        except LanguageError as error:
            raise LanguageError(
                f"{self.python} is not a usable Python interpreter; choose another with --python"
            ) from error
        self.python_version = toolchain.tool.version
        if toolchain.harness is None:
            raise SubjectError(
                f"{self.python} is not a Python interpreter; choose one with --python"
            )
        require_version(self.python_version)
        self.project: Project = read_project(subject.root)
        self.inspired = take_in(self.project, subject.root, options.inspired)
        self._runners = tuple(
            Runner(toolchain.harness, self.project, subject, pool, plan, hash_seed=seed)
            for seed, plan in ((0, PLAN), (_OTHER_HASH_SEED, OTHER_PLAN))
        )
        self.isolation = pool.isolation
        self._until: float | None = None
        self._bytecode: dict[str, bytes] = {}
        self.draws_anew = False
        """Whether random values are a sequence in all runs, as the tests need."""

    def begin_budget(self) -> None:
        """Let the caller's budget begin now."""
        if self._options.budget_s is not None:
            self._until = time.monotonic() + self._options.budget_s

    def compile_project(self) -> None:
        """Compile the project's modules, in the second fork server if it has a cell of its own."""
        runner = self._runners[self._pool.size > 1]
        self._bytecode = self._bytecode or runner.compiled(self._options.run_limits(_STARTING_S))

    def adopt(self, modules: Sequence[str], sys_path: tuple[str, ...]) -> None:
        """Has all runs find modules where a run of the tests found them, loaded or compiled."""
        for runner in self._runners:
            runner.preload(modules)
            runner.sys_path = sys_path
            runner.add_files(self._bytecode)

    def run(
        self,
        kind: Kind,
        asked: object,
        version: Version,
        *,
        seconds: float,
        other_hash_seed: bool = False,
        cold: bool = False,
        address_bytes: int | None = None,
    ) -> Run:
        """One run of any kind with one version in place.

        Args:
            kind: One of `comparing._kinds`.
            asked: The record that such a run takes.
            version: Which one.
            seconds: The most that it may take.
            other_hash_seed: Under the other hash seed.
            cold: In an interpreter of its own.
            address_bytes: The most that its process may map; None: what the machine has.

        Raises:
            OutOfBudgetError: if the budget is spent, or ended the run.
        """
        left = seconds if self._until is None else self._until - time.monotonic()
        if left <= 0:
            raise OutOfBudgetError
        run = self._runners[other_hash_seed].run(
            kind,
            asked,
            version.edits,
            self._options.run_limits(min(seconds, left)),
            first=[DRAW_ANEW] if self.draws_anew else [],
            cold=cold,
            address_bytes=address_bytes,
        )
        if left < seconds and run.execution.stop.out_of_time:
            raise OutOfBudgetError
        return run

    def both(self, candidate: Version) -> BothVersions:
        """The files in which a candidate differs, as each version has them."""
        original = {path: self.project.content(path) for path in candidate.edits}
        return BothVersions(original, dict(candidate.edits))
