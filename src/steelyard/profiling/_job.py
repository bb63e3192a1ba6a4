"""The job of profiling: how one program grows over generated inputs."""

from pathlib import Path
from typing import Annotated

from steelyard.errors import UsageError
from steelyard.job import FormField, Job, JobForm, JobRequest, Needs
from steelyard.judging import as_entry, subject_of
from steelyard.options import Flag, Options
from steelyard.profiling._profile import ProfileOptions, Profiler
from steelyard.profiling._view import view
from steelyard.profiling._words import headline
from steelyard.profiling.inputs import GeneratorSource
from steelyard.schemas import ProfileReport, Specification


class ProfileRequest(JobRequest):
    """A program, and a generator or a specification of its inputs."""

    program: Annotated[str | bytes, Flag("PROGRAM", takes=str, is_source=True)]
    """Text of the program."""
    generator: Annotated[
        bytes | None, Flag("FILE", group="Tests", takes=str | None, is_source=True)
    ] = None
    """Python module that defines `generate(n, seed)`; it runs in a cell."""
    specification: Annotated[Specification | None, Flag(group="Tests")] = None
    """In place of a generator: inputs are made from types and constraints."""

    @property
    def inputs(self) -> bytes | Specification:
        """The generator or the specification.

        Raises:
            UsageError: if there are both, or neither.
        """
        inputs = self.generator if self.specification is None else self.specification
        if inputs is None or None not in (self.generator, self.specification):
            raise UsageError("give the inputs: either a generator or a specification")
        return inputs

    def subject(self, options: Options) -> str:
        """Name the program."""
        return subject_of(self.program, str(getattr(options, "entry", "stdio")))

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service."""
        assert isinstance(options, ProfileOptions)
        _ = self.inputs  # a wrong request is refused at once
        time_s = max(options.budget_s, (options.run_limit_ms or 0) / 1000)
        return super().needs(options)._replace(time_s=time_s)


def run(request: ProfileRequest, options: ProfileOptions, _folder: Path | None) -> ProfileReport:
    """Measure how a program's time and memory grow, and predict the largest input."""
    inputs = request.inputs
    if isinstance(inputs, bytes):
        calls = as_entry(options.entry).kind != "stdio"
        return Profiler(GeneratorSource(inputs, options.cells, calls=calls), options).profile(
            request.program
        )
    return Profiler(inputs, options).profile(request.program)


def outcome(report: ProfileReport) -> str:
    """Return the growth in a few words."""
    grows = headline(report).partition(". ")[0].replace("Time", "time", 1)
    return grows if report.passed else f"{grows}, not shown to be within its limits"


JOB = Job(
    name="profile",
    request=ProfileRequest,
    options=ProfileOptions,
    report=ProfileReport,
    run=run,
    view=view,
    outcome=outcome,
    advice="Use it to check if a program is fast enough for large inputs, or which "
    "complexity it has. It takes about `budget_s` seconds. `unsure` means that the "
    "figures do not decide: raise `budget_s` or `max_n`.",
    tool=(
        "program",
        "generator",
        "specification",
        "max_n",
        "language",
        "entry",
        "budget_s",
        "limits",
    ),
    own_form=JobForm(
        "Measure growth",
        "The program reads standard input. The generator writes an input of size n, and runs in a "
        "cell as the program does.",
        "Measure",
        (
            FormField("language", "Language", "language"),
            FormField("program", "Program", "code"),
            FormField(
                "generator",
                "Generator in Python",
                "code",
                'def generate(n, seed):\n    return "\\n".join(map(str, range(n))) + "\\n"\n',
            ),
            FormField("max_n", "Largest size", "number", "100000", least=1, most=10**12),
        ),
    ),
    example={
        "program": "print(sum(int(x) for x in open(0)))",
        "generator": "def generate(n, seed):\n    return ''.join(f'{i}\\n' for i in range(n))\n",
        "max_n": 100_000,
        "budget_s": 2,
    },
)
