"""Make the inputs of a suite without a model, and put the suite together.

1. `make` derives inputs from a specification alone.
2. `assembled` puts cases together: all examples, no input twice, each with a name of its own.
3. `grow` finds the size of stress cases and the time limit from measured growth.
4. `further_inputs` makes inputs beyond a suite, to search for those that kill mutants.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from steelyard.authoring.calls import Args, Fault
from steelyard.authoring.references import Smallest, SolutionRuns, WrittenSolution, weigh
from steelyard.errors import UsageError
from steelyard.families import args_of, as_compact
from steelyard.inputs import inputs_of
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, OutputEvidence, Record, Specification, StressSize
from steelyard.strength import fit_limit, growth_of
from steelyard.values import canonical_json, digest_of

_MOST_SMALLEST = 1_500
_GRADED = 40
_SHORT_CHARS = 2_000
_MOST_OF_MODEL = 100
_MADE_FOR_EACH = 15
"""Inputs that are made for each one that is taken."""


class Made(Record):
    """The inputs of one specification."""

    cases: tuple[AuthoredCase, ...] = ()
    """Inputs to choose from, without outputs; the examples come first."""
    valid: tuple[Args, ...] = ()
    """Short valid inputs."""
    invalid: tuple[tuple[Args, str], ...] = ()
    """Inputs that break one constraint each, with that constraint."""
    smallest: Smallest = Smallest()
    notes: tuple[str, ...] = ()


def make(spec: Specification, seed: int, count: int) -> Made:
    """Return the inputs that follow from a specification alone.

    Args:
        spec: The specification.
        seed: Of the inputs.
        count: How many are to be taken.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    inputs = inputs_of(spec, seed=seed)
    derived = inputs.small(_MADE_FOR_EACH * count)
    smallest, reach = inputs.smallest(_MOST_SMALLEST)
    valid = [args_of(case.input) for case in derived.cases]
    short = [args for args in valid if len(canonical_json(list(args))) <= _SHORT_CHARS]
    broken = inputs.near_invalid(valid, _GRADED)
    return Made(
        cases=derived.cases,
        valid=tuple(short[:_GRADED]),
        invalid=tuple((tuple(args), text) for args, text in broken),
        smallest=Smallest(inputs=tuple(smallest), reach=reach),
        notes=tuple(derived.notes),
    )


def further_inputs(spec: Specification, seed: int, count: int, smallest: Smallest) -> list[Args]:
    """Return inputs beyond a suite, to search for those that kill mutants.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    made = [args_of(case.input) for case in inputs_of(spec, seed=seed).further(count)]
    step = max(1, len(smallest.inputs) // count)
    return [*made, *smallest.inputs[::step]]


def case_of(args: Sequence[JsonValue], category: str, origin: str) -> AuthoredCase:
    """Return a case without an output."""
    return AuthoredCase.model_validate(
        {"name": "-", "category": category, "origin": origin, "input": as_compact(args)}
    )


def assembled(
    spec: Specification, cases: Iterable[AuthoredCase], of_model: Iterable[AuthoredCase]
) -> tuple[AuthoredCase, ...]:
    """Return the cases of a suite: all examples, no input twice, each with a name of its own.

    Args:
        spec: The specification, whose examples are the truth.
        cases: Cases made without a model, or of an earlier suite.
        of_model: Cases of a model, of which the first hundred new ones are taken.
    """
    cases = tuple(cases)
    stated = {case.input.digest: case for case in cases if case.evidence.truth}
    found: dict[str, AuthoredCase] = {}
    for number, example in enumerate(spec.examples, start=1):
        digest = digest_of(example.args)
        if digest in stated:
            found[digest] = stated[digest]
        elif digest not in found:
            found[digest] = case_of(example.args, "basic", f"example {number}").model_copy(
                update={
                    "expected": example.expected,
                    "has_expected": True,
                    "trust": "trusted",
                    "evidence": OutputEvidence(truth="example"),
                }
            )
    for case in cases:
        found.setdefault(case.input.digest, case)
    known = len(found)
    for case in of_model:
        if len(found) < known + _MOST_OF_MODEL:
            found.setdefault(case.input.digest, case)
    numbers = Counter[str]()
    named = []
    for case in found.values():
        numbers[case.category] += 1
        name = f"{case.category}-{numbers[case.category]:03}"
        named.append(case.model_copy(update={"name": name}))
    return tuple(named)


class Grown(Record):
    """Stress cases of the size that separates fast solutions from slow ones."""

    size: StressSize | None = None
    cases: tuple[AuthoredCase, ...] = ()
    fault: str = ""
    """The reason why there is no size."""


def grow(
    runs: SolutionRuns,
    cases: Sequence[AuthoredCase],
    programs: Sequence[WrittenSolution],
    solution: WrittenSolution,
    brute_force: WrittenSolution | None,
    smallest: Smallest,
    pool: CellPool,
    seed: int,
) -> Grown:
    """Return stress cases with their outputs, and the measured size.

    Its time limit suits all cases.

    Args:
        runs: Runs the solutions; it remembers what they did with the cases.
        cases: The suite so far.
        programs: All solutions.
        solution: The one that gives all outputs.
        brute_force: One that need not be fast.
        smallest: For the evidence.
        pool: Where programs are measured.
        seed: Of the inputs.

    Raises:
        InfrastructureError: if the machine failed.
    """
    inputs = inputs_of(runs.spec, seed=seed)
    try:
        found = growth_of(
            inputs, solution.source, brute_force.source if brute_force else None, pool=pool
        )
        new = [
            case_of(args_of(each.input), "stress", f"growth {each.origin}") for each in found.cases
        ]
    except UsageError as error:
        return Grown(fault=f"growth was not measured: {error}")
    weighed = weigh(runs, programs, new, smallest).cases
    every = [args_of(case.input) for case in (*cases, *weighed)]
    fast_ms = _times(runs, solution, every)
    slow_ms = _times(runs, brute_force, every) if brute_force else [0.0] * len(every)
    size = fit_limit(found.size, [inputs.size_of(args) for args in every], fast_ms, slow_ms)
    return Grown(size=size, cases=weighed)


def _times(runs: SolutionRuns, program: WrittenSolution, inputs: Sequence[Args]) -> list[float]:
    """Return the CPU time on each input in milliseconds; 0 for one on which it failed."""
    voice = runs.voice(program)
    if isinstance(voice, Fault):
        return [0.0] * len(inputs)
    return [each.spent_ms for each in runs.outcomes(voice, inputs)]
