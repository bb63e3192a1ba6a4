"""Ask a model for the oracle's program, again with the diagnosis if it cannot be used."""

from steelyard.authoring._roles import ORACLE, ProgramReply
from steelyard.authoring.calls import Fault
from steelyard.authoring.oracle._grading import KnownInputs, grade
from steelyard.authoring.oracle._program import OracleProgram
from steelyard.authoring.oracle._yield import read_yield
from steelyard.constraints import Validator
from steelyard.errors import ReplyError
from steelyard.journal import Asker, Steps
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredCase,
    OracleAttempt,
    OracleReport,
    Record,
    Specification,
    json_text,
)

RETRIES = 3


class OracleResult(Record):
    """The oracle's inputs, with the report."""

    cases: tuple[AuthoredCase, ...] = ()
    report: OracleReport = OracleReport()
    speaks: bool = False
    """True if its validator may speak about inputs that the constraints allow; see `Grade`."""


class Tried(Record):
    """The yield of one program of the oracle."""

    fault: str = ""
    source: str = ""
    inputs: int = 0
    cases: tuple[AuthoredCase, ...] = ()
    report: OracleReport = OracleReport()
    speaks: bool = False


async def ask_oracle(
    asker: Asker,
    steps: Steps,
    spec: Specification,
    known: KnownInputs,
    pool: CellPool,
    *,
    found: str = "",
    earlier: str = "",
) -> OracleResult:
    """Return the inputs of a model's generator, after at most three retries.

    Without a usable program, the valid inputs of the best one are kept.

    Args:
        asker: Asks the model.
        steps: Keeps what each program gave.
        spec: The specification.
        known: Inputs to grade the validator on.
        pool: Where programs run.
        found: What was wrong with an earlier suite, if there was one.
        earlier: The program that gave its inputs.

    Raises:
        BudgetError, ModelError: as in `Asker.ask`.
        InfrastructureError: if the machine failed.
    """
    attempts: list[OracleAttempt] = []
    best = Tried()
    source, fault, first = earlier, found, 1 if found else 0
    for attempt in range(first, RETRIES + 1):
        steps.notify("oracle", fault.partition("\n")[0])
        data = {"specification": json_text(spec, 1, exclude_defaults=True)}
        if fault:
            data |= {"earlier program": source, "what was found": fault}
        temperature = ORACLE.temperature.at(attempt) if ORACLE.temperature else 0.0
        try:
            reply = await asker.ask(ORACLE, {"again": bool(fault)}, data, attempt=attempt)
        except ReplyError as error:
            attempts.append(OracleAttempt(temperature=temperature, fault=error.reason))
            fault = error.reason
            continue
        tried = await _tried(steps, f"oracle_{attempt}", reply, spec, known, pool)
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


async def _tried(
    steps: Steps,
    name: str,
    reply: ProgramReply,
    spec: Specification,
    known: KnownInputs,
    pool: CellPool,
) -> Tried:
    tried: Tried = await steps.done(name, Tried, lambda: try_program(reply.code, spec, known, pool))
    return tried


def try_program(source: str, spec: Specification, known: KnownInputs, pool: CellPool) -> Tried:
    """Return what a program of the oracle gives: behind the gate, in cells, within bounds.

    Raises:
        InfrastructureError: if the machine failed.
    """
    validator = Validator.of(spec)
    program = OracleProgram.of(source, tuple(validator.types.values()), pool)
    if isinstance(program, Fault):
        return Tried(fault=program.text)
    value = program.generate()
    if isinstance(value, Fault):
        return Tried(fault=value.text)
    found = read_yield(value, validator)
    graded = grade(program, known)
    report = OracleReport(
        program=source,
        valid_accepted=graded.valid_accepted,
        invalid_refused=graded.invalid_refused,
        differences=graded.differences,
    )
    return Tried(
        fault=found.fault,
        inputs=found.inputs,
        cases=tuple(found.cases),
        report=report,
        speaks=graded.speaks,
    )
