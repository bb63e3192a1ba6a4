"""Let a model write inputs and a validator; check both; keep what is valid.

1. `ask_oracle` asks for a program with `generate_inputs` and `is_valid_input`; again with the
   diagnosis if it cannot be used.
2. `try_program` runs both functions in cells: `OracleProgram`.
3. `read_yield` reads what the generator returned: which inputs are valid and new.
4. `grade` grades the validator on valid inputs and on inputs that break one constraint.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import JsonValue

from steelyard.authoring._roles import ORACLE
from steelyard.authoring.calls import (
    Args,
    Callee,
    Fault,
    compiled,
    shown_call,
    shown_value,
    with_lists,
)
from steelyard.constraints import Validator
from steelyard.errors import ReplyError, SpecificationError
from steelyard.families import as_compact, expand
from steelyard.runs import Run
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredCase,
    CaseCategory,
    Limits,
    OracleAttempt,
    OracleDifference,
    OracleReport,
    Record,
    Share,
    Specification,
    json_text,
)
from steelyard.schemas import Shape as Required
from steelyard.values import PlainType, canonical_json, plain_items

RETRIES = 3


class OracleResult(Record):
    """The oracle's inputs, with the report."""

    cases: tuple[AuthoredCase, ...] = ()
    report: OracleReport = OracleReport()
    speaks: bool = False
    """True if its validator may speak about inputs that the constraints allow; see `Grade`."""


class OracleTrial(OracleResult):
    """The yield of one program of the oracle."""

    fault: str = ""
    inputs: int = 0


@dataclass(frozen=True, slots=True)
class KnownInputs:
    """Inputs whose validity is known."""

    valid: Sequence[Args]
    """They satisfy all constraints."""
    invalid: Sequence[tuple[Args, str]]
    """Each breaks one constraint, which follows it."""
    examples: Sequence[Args] = ()
    """Those of the specification."""


async def ask_oracle(
    run: Run,
    spec: Specification,
    known: KnownInputs,
    *,
    found: str = "",
    earlier: str = "",
) -> OracleResult:
    """Return the inputs of a model's generator, after at most three retries.

    Without a usable program, the valid inputs of the best one are kept.

    Args:
        run: Asks the model, and keeps what each program gave.
        spec: The specification.
        known: Inputs to grade the validator on.
        found: What was wrong with an earlier suite, if there was one.
        earlier: The program that gave its inputs.

    Raises:
        BudgetError, ModelError: as in `Run.ask`.
        InfrastructureError: if the machine failed.
    """
    attempts: list[OracleAttempt] = []
    best = OracleTrial()
    source, fault, first = earlier, found, 1 if found else 0
    for attempt in range(first, RETRIES + 1):
        run.notify("oracle", fault.partition("\n")[0])
        data = {"specification": json_text(spec, 1, exclude_defaults=True)}
        if fault:
            data |= {"earlier program": source, "what was found": fault}
        temperature = ORACLE.temperature.at(attempt) if ORACLE.temperature else 0.0
        try:
            reply = await run.ask(ORACLE, {"again": bool(fault)}, data, attempt=attempt)
        except ReplyError as error:
            attempts.append(OracleAttempt(temperature=temperature, fault=error.reason))
            fault = error.reason
            continue
        tried: OracleTrial = await run.done(
            f"oracle_{attempt}",
            OracleTrial,
            partial(try_program, reply.code, spec, known, run.pool),
        )
        source, fault = reply.code, tried.fault
        attempts.append(
            OracleAttempt(
                temperature=temperature, fault=fault, inputs=tried.inputs, valid=len(tried.cases)
            )
        )
        if not fault or len(tried.cases) > len(best.cases):
            best = tried
        if not fault:
            break
    report = best.report.model_copy(update={"attempts": tuple(attempts)})
    return OracleResult(cases=best.cases, report=report, speaks=best.speaks and not fault)


def try_program(
    source: str, spec: Specification, known: KnownInputs, pool: CellPool
) -> OracleTrial:
    """Return what a program of the oracle gives: behind the gate, in cells, within bounds.

    Raises:
        InfrastructureError: if the machine failed.
    """
    validator = Validator.of(spec)
    program = OracleProgram.of(source, tuple(validator.types.values()), pool)
    if isinstance(program, Fault):
        return OracleTrial(fault=program.text)
    items = program.generate()
    if isinstance(items, Fault):
        return OracleTrial(fault=items.text)
    found = read_yield(items, validator)
    graded = grade(program, known)
    report = OracleReport(
        program=source,
        valid_accepted=graded.valid_accepted,
        invalid_refused=graded.invalid_refused,
        differences=graded.differences,
    )
    return OracleTrial(
        fault=found.fault,
        inputs=found.inputs,
        cases=tuple(found.cases),
        report=report,
        speaks=graded.speaks,
    )


_GENERATING = Limits(cpu_ms=6_000, memory_mib=512, output_mib=10)
_VALIDATING = Limits(cpu_ms=6_000, memory_mib=512, output_mib=1)


@dataclass(frozen=True, slots=True)
class OracleProgram:
    """A program with `generate_inputs` and `is_valid_input`, behind the gate."""

    generator: Callee
    validator: Callee
    types: tuple[PlainType, ...]
    """The parameters' types."""

    @classmethod
    def of(cls, source: str, types: Sequence[PlainType], pool: CellPool) -> "OracleProgram | Fault":
        """Return the program, or why it cannot be used.

        Args:
            source: The model's text.
            types: The parameters' types.
            pool: Where it runs.

        Raises:
            InfrastructureError: if the machine failed.
        """
        validating = Required(name="is_valid_input", parameters=len(types))
        generator = compiled(
            source, "function:generate_inputs", pool=pool, limits=_GENERATING, also=(validating,)
        )
        if isinstance(generator, Fault):
            return generator
        validator = compiled(
            source, "function:is_valid_input", pool=pool, limits=_VALIDATING, parameters=len(types)
        )
        if isinstance(validator, Fault):
            return validator
        return cls(generator, validator, tuple(types))

    def generate(self) -> list[tuple[str, object]] | Fault:
        """Return the inputs of `generate_inputs` as plain data, each with its category's name.

        Raises:
            InfrastructureError: if the machine failed.
        """
        called = self.generator.call([()])[0]
        if called.how != "ok":
            return Fault(f"generate_inputs(): {called.message}")
        try:
            return plain_items(called.value)
        except ValueError as error:
            return Fault(f"generate_inputs() must return a dict of lists and returned {error}")

    def accepts(self, inputs: Sequence[Sequence[JsonValue]]) -> list[bool | None]:
        """Return the decision of `is_valid_input` on each input; None where it failed.

        Raises:
            InfrastructureError: if the machine failed.
        """
        calls = [
            [
                kind.value_of(each) if kind.fault_of(each) is None else each
                for kind, each in zip(self.types, args, strict=False)
            ]
            for args in inputs
        ]
        decisions = {b"true": True, b"false": False}
        return [
            decisions.get(called.value) if called.how == "ok" else None
            for called in self.validator.call_together(calls)
        ]


LEAST_VALID = 10
_LEAST_SHARE = 0.5
_MOST_INPUTS = 1_000
_MOST_CHARS = 20_000_000
"""Limit on the JSON of all inputs together."""
_UNREAD_CHARS = 200_000
"""Charge for an input that cannot be read: its expression may make millions of items first."""
_SHOWN = 5
_CATEGORIES: dict[str, CaseCategory] = {
    "basic": "basic",
    "edge": "edge",
    "stress": "stress",
    "adversarial": "adversarial",
}
"""All other names are inputs of the domain."""


@dataclass(slots=True)
class Yield:
    """The inputs of one generator."""

    cases: list[AuthoredCase] = field(default_factory=list)
    """Valid ones, without duplicates and outputs."""
    inputs: int = 0
    """All that it returned."""
    invalid: list[tuple[tuple[JsonValue, ...], tuple[str, ...]]] = field(default_factory=list)
    """Inputs with the constraints that they break."""
    faults: list[str] = field(default_factory=list)
    """Reasons why inputs could not be read."""
    duplicates: int = 0

    @property
    def fault(self) -> str:
        """Return why the generator cannot be used, for the model; empty if it can."""
        valid, all_ = len(self.cases), self.inputs
        distinct = all_ - self.duplicates
        if valid >= LEAST_VALID and valid >= _LEAST_SHARE * distinct:
            return ""
        why = (
            f"at least {LEAST_VALID} are needed"
            if valid < LEAST_VALID
            else f"at least {_LEAST_SHARE:.0%} are needed"
        )
        lines = [f"only {valid} of {distinct} different inputs are valid, and {why}."]
        lines += [
            f"generate_inputs gave {shown_call(args)}, which breaks {'; '.join(broken)}."
            for args, broken in self.invalid[:_SHOWN]
        ]
        lines += [f"An input could not be read: {each}." for each in self.faults[:_SHOWN]]
        if self.duplicates:
            lines.append(f"{self.duplicates} inputs came more than once.")
        return "\n".join(lines)


def read_yield(items: Sequence[tuple[str, object]], validator: Validator) -> Yield:
    """Return the inputs in what `generate_inputs` returned; everything in it may be hostile.

    Args:
        items: Plain data, each with its category's name; a ValueError for what is not plain.
        validator: The specification's.
    """
    found = Yield()
    seen: set[str] = set()
    room = _MOST_CHARS
    for name, item in items:
        if found.inputs >= _MOST_INPUTS or room < 0:
            found.faults.append(f"only the first {found.inputs} inputs are read")
            break
        found.inputs += 1
        try:
            args, expression = _args_in(item, validator)
            compact = as_compact(args, expression)
            room -= len(canonical_json(list(args)))
        except SpecificationError as error:
            found.faults.append(str(error))
            room -= _UNREAD_CHARS
            continue
        if compact.digest in seen:
            found.duplicates += 1
            continue
        seen.add(compact.digest)
        broken = validator.broken(args)
        if broken:
            found.invalid.append((tuple(args), broken))
            continue
        found.cases.append(
            AuthoredCase(
                name=f"model {len(found.cases) + 1}",
                category=_CATEGORIES.get(name.lower(), "domain"),
                origin="model",
                input=compact,
            )
        )
    return found


def _args_in(item: Any, validator: Validator) -> tuple[list[JsonValue], str]:
    """Return the arguments of an input, and the expression that states them if there is one.

    Raises:
        SpecificationError: if it is not an input.
    """
    if isinstance(item, ValueError):
        raise SpecificationError(f"it has {item}")
    kinds = list(validator.types.values())
    if isinstance(item, str) and not (len(kinds) == 1 and kinds[0].base.kind == "str"):
        return expand(item), item
    if isinstance(item, list | tuple) and len(item) == len(kinds):
        args = [with_lists(each) for each in item]
        if len(kinds) > 1 or kinds[0].fault_of(args[0]) is None:
            return args, ""
    if len(kinds) == 1 and kinds[0].fault_of(with_lists(item)) is None:  # the argument itself
        return [with_lists(item)], ""
    if isinstance(item, list | tuple) and len(item) == len(kinds):
        return [with_lists(each) for each in item], ""
    raise SpecificationError(
        f"{shown_value(item)} is not a list of {len(kinds)} arguments; give one for each parameter"
    )


_MOST_SHOWN = 10
_MOST_MISSED = 1.1
_MOST_ITEMS = 200
"""An input with more items is not shown."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The decisions of a validator on inputs whose validity is known."""

    valid_accepted: Share
    invalid_refused: Share
    differences: tuple[OracleDifference, ...]
    """Small inputs on which it errs."""

    accepts_examples: bool
    """True if it accepts every example, which its author states."""

    @property
    def speaks(self) -> bool:
        """True if it may speak about inputs that the constraints allow.

        It knows the constraints, since it refuses nearly all inputs that break one, and it does
        not simply refuse everything. What else it refuses is evidence.
        """
        refused = self.invalid_refused
        return self.accepts_examples and 0 < refused.of <= _MOST_MISSED * refused.count


def grade(program: OracleProgram, known: KnownInputs) -> Grade:
    """Return how well a validator separates valid inputs from others.

    Args:
        program: The oracle's program.
        known: Inputs whose validity is known.

    Raises:
        InfrastructureError: if the machine failed.
    """
    valid, invalid, examples = known.valid, known.invalid, known.examples
    decisions = program.accepts([*examples, *valid, *(args for args, _ in invalid)])
    on_examples, decisions = decisions[: len(examples)], decisions[len(examples) :]
    on_valid, on_invalid = decisions[: len(valid)], decisions[len(valid) :]
    wrong = [
        OracleDifference(args=args, accepted=decision)
        for args, decision in zip(valid, on_valid, strict=True)
        if decision is not True
    ]
    wrong += [
        OracleDifference(args=args, broken=(broken,), accepted=decision)
        for (args, broken), decision in zip(invalid, on_invalid, strict=True)
        if decision is not False
    ]
    small = [each for each in wrong if _size(each.args) <= _MOST_ITEMS]
    return Grade(
        valid_accepted=Share(count=on_valid.count(True), of=len(valid)),
        invalid_refused=Share(count=on_invalid.count(False), of=len(invalid)),
        differences=tuple(small[:_MOST_SHOWN]),
        accepts_examples=all(on_examples),
    )


def _size(value: object) -> int:
    if isinstance(value, list | tuple):
        return 1 + sum(map(_size, value)) if len(value) <= _MOST_ITEMS else len(value)
    return 1 + len(value) // 10 if isinstance(value, str) else 1
