"""Run programs on generated inputs: compare their answers, and measure them on the portfolio."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from steelyard.errors import GeneratorError, UsageError
from steelyard.judging import Checker, entry_checker
from steelyard.profiling import GeneratorSource, Input, Point, Subject
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import (
    CodeMessage,
    Entry,
    Execution,
    Limits,
    ProblemInput,
    Record,
    StopReason,
    TestCase,
)
from steelyard.solving._harder_inputs import transformed
from steelyard.solving._input_format import InputFormat
from steelyard.solving._inputs import checked_generator, doublings, text_of
from steelyard.solving._options import SolveOptions
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain

_STACK_MIB = 256
_SMALL, _SMALL_SEEDS, _SEEDS = 6, 2, 3
_REFERENCE = Limits(cpu_ms=2_000, wall_ms=8_000, memory_mib=1_024, stack_mib=_STACK_MIB)
_REFERENCE_S = 5.0
"""CPU time of all runs of a brute force together, in seconds."""
_MOST_GROWTH = 4.0
"""Largest growth that is expected when n doubles; more may be chance in a short run."""
_LEAST_MS = 0.01
"""A shorter run, such as one that did not start, shows no growth."""
_RETRIES = 2
_SHOWING_N = 2_048
"""Largest size of the inputs that show the format."""
_SHOWN_CHARS = 400
_TRAP = 4
"""SIGILL, with which a trap ends a program."""
_TRAPPING = ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")
_TRAPPING_SLOWER = 4


class Disagreement(Record):
    """An input on which two programs print different answers."""

    n: int
    seed: int
    input: str
    mine: str
    other: str
    by: str
    """The other program: `a brute force`, or `program 1`."""


class Agreement(Record):
    """The comparison of a program's answers with those of others."""

    with_reference: int = 0
    """Inputs on which it agrees with the brute force."""
    reference_n: int = 0
    """The largest of them."""
    with_earlier: int = 0
    """Inputs on which more programs of the run agree with it than not."""
    earlier_n: int = 0
    outvoted: int = 0
    """Inputs on which one program of the run disagrees and is outvoted."""
    found: Disagreement | None = None


class Use(Record):
    """The cost of a program on one input of the largest size."""

    name: str
    cpu_ms: float
    memory_mib: float
    fault: str = ""
    """As the end of the sentence `the program ...`; empty if it keeps its limits."""


class Stressed(Record):
    """The cost of a program on the portfolio."""

    n: int
    uses: tuple[Use, ...] = ()
    refused: tuple[str, ...] = ()
    """Transforms that the format rules out, with the property."""

    @property
    def fault(self) -> Use | None:
        """Return the first input on which the program failed."""
        return next((use for use in self.uses if use.fault), None)


@dataclass
class _Other:
    """Another program, while it still answers in time."""

    name: str
    subject: Subject
    limits: Limits
    left_ms: float = math.inf
    last_ms: float = math.inf
    """CPU time of its last run."""


class Trials:
    """Runs the programs of one problem. All calls block.

    Args:
        problem: The problem, with samples and limits.
        options: The seed and the language.
        pool: Where programs and generators run.
        find: Finds the compiler of the run's programs; a replay needs none.
    """

    def __init__(
        self,
        problem: ProblemInput,
        options: SolveOptions,
        pool: CellPool,
        find: Callable[[], Toolchain],
    ) -> None:
        self._problem, self._options, self._pool = problem, options, pool
        self._find, self._seed = find, options.fixed_seed()
        self._sources: dict[tuple[object, ...], tuple[GeneratorSource, int]] = {}
        self._subjects: dict[tuple[str, str], Subject] = {}
        self._checker: Checker = entry_checker(Entry(), problem.match_mode, None, None)
        samples = [test.input for test in problem.unit_tests]
        self._format = InputFormat(samples)
        limits = problem.constraints
        cpu_ms = math.ceil(1.5 * limits.runtime_limit)
        self._limits = Limits(
            cpu_ms=cpu_ms,
            wall_ms=3 * cpu_ms + 1_000,
            memory_mib=math.ceil(limits.memory_limit),
            stack_mib=_STACK_MIB,
        )

    @cached_property
    def _toolchain(self) -> Toolchain:
        return self._find()

    # ------------------------------------------------------------------------------- answers

    def fault_of_reference(self, text: str) -> str:
        """Return how a brute force fails the unit tests; empty if it passes.

        It may be too slow for some of the tests.
        """
        try:
            subject = self._subject(text, "python")
        except UsageError as error:
            return str(error)
        passed = 0
        for number, test in enumerate(self._problem.unit_tests, start=1):
            run = self._run(subject, Blob(test.input.encode()), _REFERENCE)
            if run.stop.out_of_time or run.stop is StopReason.MEMORY_LIMIT:
                continue
            if subject.fault(run) or not self._alike(test.output.encode(), run.stdout):
                return f"it fails test {number}"
            passed += 1
        return "" if passed or not self._problem.unit_tests else "it finishes no test in time"

    def compared(
        self,
        code: CodeMessage,
        earlier: Sequence[CodeMessage],
        reference: str | None,
        generator: str,
        bounds: Mapping[str, int],
    ) -> Agreement:
        """Compare a program's answers on generated inputs, from small ones up to the largest.

        Args:
            code: The program.
            earlier: Earlier programs of the run that pass all tests.
            reference: A brute force that passes them.
            generator: The generator of inputs.
            bounds: The largest sizes.

        Raises:
            GeneratorError: if the generator gives no input.
            InfrastructureError: if the machine failed.
        """
        mine = self._subject(code.code_cpp, code.language)
        brute: list[_Other] = []
        if reference is not None:
            subject = self._subject(reference, "python")
            brute = [_Other("a brute force", subject, _REFERENCE, _REFERENCE_S * 1_000)]
        others = [
            _Other(
                f"program {each.iteration + 1}",
                self._subject(each.code_cpp, each.language),
                self._limits,
            )
            for each in earlier
        ]
        counts = dict.fromkeys(("with_reference", "with_earlier", "outvoted"), 0)
        most = {"reference_n": 0, "earlier_n": 0}
        for point, seed, content in self._inputs(generator, bounds):
            brute = [each for each in brute if each.left_ms > 0]
            if not brute and not others:
                break
            run = self._run(mine, content, self._limits)
            if run.stop.out_of_time:
                break
            answer = mine.fault(run) or run.stdout
            opinions = [(each, self._opinion(each, content)) for each in (*brute, *others)]
            others = [each for each in others if each.left_ms > 0]
            against = [
                (each, said)
                for each, said in opinions
                if said is not None and not self._alike(said, answer)
            ]
            with_me = [
                each for each, said in opinions if said is not None and self._alike(said, answer)
            ]
            brute_agrees = any(each in brute for each in with_me)
            outvoted = brute_agrees or len(with_me) >= len(against)
            if against and (any(each in brute for each, _ in against) or not outvoted):
                who, said = min(against, key=lambda pair: pair[0] not in brute)
                found = Disagreement(
                    n=point.n,
                    seed=seed,
                    input=_shown(content.read()),
                    mine=_shown(answer),
                    other=_shown(said),
                    by=who.name,
                )
                return Agreement.model_validate({**counts, **most, "found": found})
            counts["outvoted"] += bool(against)
            if brute_agrees:
                counts["with_reference"] += 1
                most["reference_n"] = max(most["reference_n"], point.n)
            if any(each not in brute for each in with_me):
                counts["with_earlier"] += 1
                most["earlier_n"] = max(most["earlier_n"], point.n)
        return Agreement.model_validate({**counts, **most})

    def _inputs(
        self, generator: str, bounds: Mapping[str, int]
    ) -> Iterator[tuple[Point, int, Blob]]:
        """Yield the generator's own inputs; sizes for which it has none are left out."""
        source, largest = self._source(generator, bounds)
        small = [n for n in range(1, _SMALL + 1) if n <= largest]
        sizes = [(n, number) for n in small for number in range(_SMALL_SEEDS)]
        sizes += [(n, 0) for n in doublings(largest) if n > _SMALL]
        source.plan([Point(n) for n, _ in sizes])
        for n, number in sizes:
            try:
                content = source.get(Point(n), self._seed + number).content
            except GeneratorError:
                if n > _SMALL:
                    raise
                continue
            yield Point(n), self._seed + number, content

    def _opinion(self, other: _Other, content: Blob) -> bytes | None:
        """Return another program's answer; None if it has none in time, or fails.

        It is not asked again if it is stopped, or if the same growth at the next size stops it.
        """
        run = self._run(other.subject, content, other.limits)
        other.left_ms -= run.cpu_ms
        growth = min(_MOST_GROWTH, run.cpu_ms / max(other.last_ms, _LEAST_MS))
        if run.stop.out_of_time or growth * run.cpu_ms > other.limits.cpu_ms:
            other.left_ms = 0
        other.last_ms = run.cpu_ms
        return None if other.subject.fault(run) else run.stdout

    def _alike(self, expected: bytes, answer: bytes | str) -> bool:
        if isinstance(answer, str):
            return False
        return self._checker.check(TestCase(expected=expected), answer).passed

    # ---------------------------------------------------------------------------------- cost

    def stressed(
        self,
        code: CodeMessage,
        generator: str,
        attacks: Mapping[str, str],
        bounds: Mapping[str, int],
        *,
        portfolio: bool = True,
    ) -> Stressed:
        """Run a program on inputs of the largest size, up to the first that it fails.

        Args:
            code: The program.
            generator: The generator of inputs.
            attacks: Generators of inputs that hurt a program, by name.
            bounds: The largest sizes.
            portfolio: Run the generator's own inputs and their transforms too.

        Raises:
            GeneratorError: if the generator gives no input.
            InfrastructureError: if the machine failed.
        """
        source, largest = self._source(generator, bounds)
        subject = self._subject(code.code_cpp, code.language)
        refused: list[str] = []
        uses: list[Use] = []
        inputs = self._portfolio(source, largest, refused) if portfolio else iter(())
        for name, content in (*self._attacks(attacks, bounds), *inputs):
            use = self._use(name, subject, content)
            uses.append(use)
            if use.fault:
                break
        return Stressed(n=largest, uses=tuple(uses), refused=tuple(refused))

    def fault_of_attack(self, attack: str, generator: str, bounds: Mapping[str, int]) -> str:
        """Return why a model's worst input cannot be used; empty if it follows the format."""
        try:
            source, largest = self._source(generator, bounds)
            worst, _ = self._source(attack, bounds)
            made, harder = (
                text_of(each.get(Point(largest), self._seed).content) for each in (source, worst)
            )
        except GeneratorError as error:
            return str(error)
        broken = self._format.broken(made, self._known(source, largest), harder)
        return f"all other inputs are {broken}, and it is not" if broken else ""

    def overflow(
        self, code: CodeMessage, generator: str, bounds: Mapping[str, int]
    ) -> tuple[str, int]:
        """Return the input of the largest size on which a signed number overflows.

        Returns:
            The input's name, empty if there is none; and the number of inputs that were run.
        """
        source, largest = self._source(generator, bounds)
        toolchain = find_toolchain(
            self._toolchain.language,
            compiler=self._toolchain.compiler,
            flags=(*self._toolchain.flags, *_TRAPPING),
        )
        cache = CompileCache()
        compiled = toolchain.compile(code.code_cpp.encode(), self._pool, cache=cache)
        if compiled.artifact is None:
            return "", 0
        subject = Subject(
            toolchain, code.code_cpp.encode(), Entry(), compiled.artifact, self._pool, cache
        )
        limits = self._limits.replace(
            cpu_ms=_TRAPPING_SLOWER * self._limits.cpu_ms,
            wall_ms=_TRAPPING_SLOWER * self._limits.wall_ms,
        )
        for number in range(_SEEDS):
            content = source.get(Point(largest), self._seed + number).content
            run = self._run(subject, content, limits)
            if run.stop is StopReason.SIGNALED and run.signal == _TRAP:
                return f"seed {self._seed + number}", number + 1
        return "", _SEEDS

    def _attacks(
        self, attacks: Mapping[str, str], bounds: Mapping[str, int]
    ) -> Iterator[tuple[str, Blob]]:
        for name, text in attacks.items():
            source, largest = self._source(text, bounds)
            yield name, source.get(Point(largest), self._seed).content

    def _portfolio(
        self, source: GeneratorSource, largest: int, refused: list[str]
    ) -> Iterator[tuple[str, Blob]]:
        for seed in range(self._seed, self._seed + _SEEDS):
            yield f"seed {seed}", source.get(Point(largest), seed).content
        made = source.get(Point(largest), self._seed).content
        known = self._known(source, largest)
        for each in transformed(text_of(made), known, self._format, self._options.language):
            if each.refused:
                refused.append(f"{each.name} ({each.refused})")
            else:
                yield each.name, Blob(each.text.encode())

    def _known(self, source: GeneratorSource, largest: int) -> list[str]:
        """Return small inputs, from which the format's properties are derived."""
        known = []
        ns = doublings(min(largest, _SHOWING_N))
        source.plan([Point(n) for n in ns])
        for n in ns:
            for number in range(_SEEDS):
                try:
                    known.append(text_of(source.get(Point(n), self._seed + number).content))
                except GeneratorError:
                    continue
        return known

    def _use(self, name: str, subject: Subject, content: Blob) -> Use:
        """Return the cost on one input: the least of a few runs if the first is over the limit."""
        limit_ms = self._problem.constraints.runtime_limit
        best: Execution | None = None
        for _ in range(1 + _RETRIES):
            run = self._run(subject, content, self._limits)
            if best is None or (not run.stop.out_of_time and run.cpu_ms < best.cpu_ms):
                best = run
            if run.cpu_ms <= limit_ms:
                break
        assert best is not None
        fault = subject.fault(best)
        if not fault and best.cpu_ms > limit_ms:
            fault = f"needs {best.cpu_ms:,.0f} ms of CPU time"
        return Use(name=name, cpu_ms=best.cpu_ms, memory_mib=best.memory_mib, fault=fault)

    # --------------------------------------------------------------------------------- parts

    def _source(self, text: str, bounds: Mapping[str, int]) -> tuple[GeneratorSource, int]:
        key = (text, tuple(sorted(bounds.items())))
        if key not in self._sources:
            self._sources[key] = checked_generator(
                text, self._problem, bounds, self._seed, self._pool, most_s=self._options.budget_s
            )
        return self._sources[key]

    def _subject(self, text: str, language: str) -> Subject:
        key = (language, text)
        if key not in self._subjects:
            toolchain = (
                self._toolchain
                if language == self._toolchain.language
                else find_toolchain(language, seed=self._seed)
            )
            self._subjects[key] = Subject.compiled(toolchain, text.encode(), Entry(), self._pool)
        return self._subjects[key]

    def _run(self, subject: Subject, content: Blob, limits: Limits) -> Execution:
        return self._pool.run(subject.command(Input(Point(1), content), limits))


def _shown(answer: bytes | str) -> str:
    text = answer if isinstance(answer, str) else answer.decode("utf-8", "replace")
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."
