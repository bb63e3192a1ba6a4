"""Profile one program over growing inputs: a complexity class and a prediction."""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from steelyard._arguments import checks_arguments
from steelyard.judging import as_entry, read_program
from steelyard.options import EntryText, Flag, ProgramOptions, in_thread
from steelyard.profiling._plan import Plan, Wanted
from steelyard.profiling._profile_run import ProfileRun
from steelyard.profiling._records import AnyInputs
from steelyard.profiling._subject import Subject
from steelyard.profiling.inputs import Parameter, whole_number
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, Limits, OnEvent, ProfileReport
from steelyard.toolchains import find_toolchain

BUDGET_S = 8.0
_ParameterText = Annotated[str, Field(max_length=200)]


class ProfileOptions(ProgramOptions):
    """Options of a profile. `limits` are those of the largest input.

    Only the limits that are set count: `Limits(cpu_ms=1000)` asks for no memory limit.
    """

    group: ClassVar[str] = "Tests"
    usual_limits: ClassVar[Mapping[str, str]] = {"cpu_ms": "no limit", "memory_mib": "no limit"}

    max_n: Annotated[int | None, Flag("N", read=partial(whole_number, of="n"))] = Field(
        default=None, ge=1
    )
    """Largest size, such as 2e6; None is the generator's N_MAX, or the largest of a folder or
    specification."""
    min_n: Annotated[int | None, Flag("N", read=partial(whole_number, of="n"))] = Field(
        default=None, ge=0
    )
    """Smallest size; None is the generator's N_MIN, or 1."""
    parameter: Annotated[
        Parameter | str | None, Flag("m=MIN:MAX:DEFAULT", takes=_ParameterText | None)
    ] = None
    """Second size. The default may be a multiple of n: m=1:2000000:4*n."""
    entry: Annotated[Entry | str, Flag("ENTRY", group="Program", takes=EntryText)] = "stdio"
    """Entry point of a Python program: stdio, function:NAME or class:NAME.METHOD."""
    run_limit_ms: Annotated[float | None, Flag("MS", group="Limits")] = Field(
        default=None, gt=0, le=86_400_000
    )
    """CPU and wall time of one measured run, in ms; None is what the budget allows for timed runs,
    and 4 s for counted ones."""
    budget_s: Annotated[float, Flag("S", group="Limits")] = Field(
        default=BUDGET_S, gt=0, le=86_400, allow_inf_nan=False
    )
    """Rough number of seconds for timing, on which predictions rest; the class does not depend on
    it. Of a specification's inputs it bounds the counted work too."""

    @property
    def wanted(self) -> Wanted:
        """Return the limits of the largest input.

        Raises:
            UsageError: if a limit is too large.
        """
        limits = self.limits
        given = set() if limits is None else limits.model_fields_set
        return Wanted(
            time_ms=limits.cpu_ms if limits is not None and "cpu_ms" in given else None,
            memory_mib=limits.memory_mib if limits is not None and "memory_mib" in given else None,
            run_ms=self.run_limit_ms,
        )


def profile(
    program: str | bytes | Path,
    *,
    inputs: AnyInputs,
    max_n: int | None = None,
    min_n: int | None = None,
    parameter: Parameter | str | None = None,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    preload: Sequence[str] = (),
    run_limit_ms: float | None = None,
    budget_s: float = BUDGET_S,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> ProfileReport:
    """Measure how a program grows, and predict what it will need at the largest input.

    Args:
        program: A `Path` is a file; `str` and `bytes` are the program's text.
        inputs: The path of a generator module (`generate(n, seed[, m])`) or of a folder of inputs;
            a specification, of which they are made; or a source of inputs.
        max_n: Largest n; None is the generator's `N_MAX`, or the largest of a folder or
            specification.
        min_n: Smallest n; None is the generator's `N_MIN`, or 1.
        parameter: A second size, such as `m=16:2000000:4*n`; None is the generator's own, if any.
        language: A name from the language table; None is the file's ending, else Python.
        compiler: One of the language's compilers; None is the first that is installed.
        flags: Flags for the compiler; None is the table's.
        entry: `stdio`, or for Python `function:NAME` or `class:NAME.METHOD`.
        preload: For Python, modules to load beforehand, such as `numpy`.
        run_limit_ms: CPU and wall time at which one measured run is ended; None is what the
            budget allows, and 4 s for a counted run.
        budget_s: Rough bound on the time of the timed runs, in seconds. Predictions rest on them;
            classes rest on counted runs, which are bounded by their work.
        pool: Where programs run; None is the pool that the process shares.
        limits: What the largest input may take. Only the limits that are set count:
            `Limits(cpu_ms=1000)` asks for no memory limit.
        seed: Seed for the inputs; None draws one.
        on_event: Called with each step of progress.

    Raises:
        UsageError: if the call is wrong: no program, no inputs, no sizes.
        InfrastructureError: if the machine failed.
    """
    options = ProfileOptions.among(locals())
    return Profiler(inputs, options).profile(program)


aprofile = in_thread(profile, "aprofile")


class Profiler:
    """Profile many programs on the same inputs.

    Args:
        inputs: As for `profile`.
        options: How to profile.
    """

    @checks_arguments
    def __init__(
        self,
        inputs: AnyInputs,
        options: ProfileOptions | None = None,
    ) -> None:
        self.inputs = inputs
        self.options = options or ProfileOptions()

    def profile(self, program: str | bytes | Path) -> ProfileReport:
        """Measure how a program grows, and predict what it will need at the largest input.

        Args:
            program: A `Path` is a file; `str` and `bytes` are the program's text.

        Raises:
            UsageError: if the call is wrong: no program, no inputs, no sizes.
            InfrastructureError: if the machine failed.
        """
        begun = time.monotonic()
        report = prepare(program, self.inputs, self.options).report()
        return report.model_copy(update={"seconds": time.monotonic() - begun})

    aprofile = in_thread(profile, "aprofile")


def prepare(
    program: str | bytes | Path,
    inputs: AnyInputs,
    options: ProfileOptions,
) -> ProfileRun:
    """Compile a program and read its first inputs, which finds most wrong calls.

    Raises:
        UsageError: as for `profile`.
        InfrastructureError: as for `profile`.
    """
    wanted = options.wanted
    entry, seed = as_entry(options.entry), options.fixed_seed()
    language, taken = read_program(program, options.language, entry)
    toolchain = find_toolchain(
        language,
        compiler=options.compiler,
        flags=options.flags,
        preload=options.preload,
        seed=seed,
    )
    name = program.name if isinstance(program, Path) else "the program"
    subject = Subject.compiled(toolchain, taken.code, entry, options.cells, name=name)
    plan = Plan.of(
        inputs,
        subject,
        max_n=options.max_n,
        min_n=options.min_n,
        parameter=options.parameter,
        seed=seed,
        budget_s=options.budget_s,
    )
    notes = (taken.note,) if taken.note else ()
    return ProfileRun(subject, plan, wanted, options.budget_s, options.emit, notes)
