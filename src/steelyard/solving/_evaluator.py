"""Judge and profile programs, and check generators; all calls block."""

import math
from functools import cached_property

from steelyard.errors import GeneratorError
from steelyard.judging import ExecutionVerifier
from steelyard.profiling import Point, profile
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    WALL_GRACE_MS,
    CodeMessage,
    Limits,
    ProblemInput,
    ProfileReport,
    VerifyResult,
)
from steelyard.solving._inputs import checked_generator, source_of
from steelyard.solving._options import SolveOptions
from steelyard.solving._trials import Trials

_STACK_MIB = 256
_FLAGS = {"cpp": ("-O2", "-std=c++17", "-static")}
"""Flags that solve promises for a language, whatever the language table's defaults are."""


class Evaluator:
    """Judges and profiles the programs of one problem.

    Args:
        problem: The problem, with tests and limits.
        options: Language, seed and the profile's budget.
        pool: Where programs and generators run.
    """

    def __init__(self, problem: ProblemInput, options: SolveOptions, pool: CellPool) -> None:
        self._problem, self._options, self._pool = problem, options, pool

    @cached_property
    def _verifier(self) -> ExecutionVerifier:
        limits = self._problem.constraints
        return ExecutionVerifier(
            [{"input": test.input, "expected": test.output} for test in self._problem.unit_tests],
            language=self._options.language,
            flags=_FLAGS.get(self._options.language),
            match_mode=self._problem.match_mode,
            compile_only=not self._problem.unit_tests,
            run_timeout=limits.runtime_limit / 1000,
            limits=Limits(memory_mib=max(1, round(limits.memory_limit)), stack_mib=_STACK_MIB),
            pool=self._pool,
        )

    @cached_property
    def trials(self) -> Trials:
        """The runs of programs on generated inputs."""
        return Trials(self._problem, self._options, self._pool, lambda: self._verifier.toolchain)

    @property
    def flags(self) -> str:
        """The compiler and flags of programs, for people and models.

        Raises:
            LanguageError: if no compiler is installed.
        """
        return " ".join(self._verifier.toolchain.flags)

    def judge(self, code: CodeMessage) -> VerifyResult:
        """Judge a program on the unit tests.

        Raises:
            InfrastructureError: if the machine failed.
        """
        return self._verifier.verify(code.code_cpp)

    def fault_of(self, generator: str, bounds: dict[str, int]) -> str | None:
        """Return a generator's fault; None if its inputs fit the problem.

        Raises:
            InfrastructureError: if the machine failed.
        """
        try:
            checked_generator(
                generator,
                self._problem,
                bounds,
                self._options.fixed_seed(),
                self._pool,
                most_s=self._options.budget_s,
            )
        except GeneratorError as error:
            return str(error)
        return None

    def profile(self, code: CodeMessage, generator: str, bounds: dict[str, int]) -> ProfileReport:
        """Profile a program up to the largest input that the bounds allow.

        One run is ended 250 ms after the runtime limit: more time gives no information.

        Raises:
            GeneratorError: if the generator gives no input.
            InfrastructureError: if the machine failed.
        """
        source, largest = checked_generator(
            generator,
            self._problem,
            bounds,
            self._options.fixed_seed(),
            self._pool,
            most_s=self._options.budget_s,
        )
        limits = self._problem.constraints
        report = profile(
            code.code_cpp,
            inputs=source,
            max_n=largest,
            language=self._options.language,
            flags=_FLAGS.get(self._options.language),
            limits=Limits(
                cpu_ms=math.ceil(limits.runtime_limit), memory_mib=math.ceil(limits.memory_limit)
            ),
            run_limit_ms=limits.runtime_limit + WALL_GRACE_MS,
            budget_s=self._options.budget_s,
            seed=self._options.fixed_seed(),
            pool=self._pool,
        )
        return report.model_copy(update={"task_id": code.task_id, "iteration": code.iteration})


_SMALL = 5


def require_own_generator(
    problem: ProblemInput, evaluator: Evaluator, seed: int, pool: CellPool
) -> None:
    """Make sure that the problem's generator, if any, makes valid inputs.

    If only the planner will state bounds, just one small input is made.

    Args:
        problem: The problem, with its generator and bounds.
        evaluator: The evaluator of this problem.
        seed: Seed of the inputs.
        pool: Where the generator runs.

    Raises:
        GeneratorError: if it does not; the message has the reason.
        InfrastructureError: if the machine failed.
    """
    text = problem.input_generator
    if text is None:
        return
    fault: str | None = None
    if problem.input_bounds:
        fault = evaluator.fault_of(text, dict(problem.input_bounds))
    else:
        try:
            source = source_of(text, pool)
            if source.says.n_max is None:
                source.check([Point(max(_SMALL, source.says.n_min or 1))], seed)
            else:
                fault = evaluator.fault_of(text, {})
        except GeneratorError as error:
            fault = str(error)
    if fault is not None:
        raise GeneratorError(f"input_generator: {fault}")
