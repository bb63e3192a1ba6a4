"""Call Python programs that a model or a user wrote, in cells, and read what they answer.

1. `compiled` puts a program behind the gate, and gives a `Callee` or the `Fault`.
2. A `Callee` makes calls: each in a process of its own, or many in one. Once some met a limit,
   calls with arguments as large are skipped: they take as long, as a rule.
3. `Answers` reads what came back as the specification's types, and compares outcomes as it asks.
4. `shown_call` and `shown_value` show arguments and values in one short line.
"""

import json
import reprlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal

from pydantic import JsonValue

from steelyard.errors import ToolchainError, UsageError
from steelyard.inputs import visits
from steelyard.judging import may_share, outcomes_in, value_checker_for
from steelyard.sandbox import CellPool, settle_on_cell_cores
from steelyard.schemas import (
    Entry,
    Execution,
    Limits,
    Policy,
    Specification,
    StopReason,
    TestCase,
    values,
)
from steelyard.schemas import Shape as Required
from steelyard.toolchains import Artifact, CompileCache, Harness, Toolchain, find_toolchain
from steelyard.values import parse_type, plain_of

Args = tuple[JsonValue, ...]
How = Literal["answer", "raised", "slow", "memory", "output", "lost", "skipped", "type"]


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The end of a solution's call with one input."""

    how: How
    """`answer`, or why there is none; `type`: the value is not of the type that is asked for."""
    value: JsonValue = None
    """The answer, with lists for tuples."""
    wire: bytes = b""
    """The answer as checkers take it."""
    message: str = ""
    cpu_ms: float = 0.0

    @property
    def spent_ms(self) -> float:
        """CPU time up to an answer or a time limit; 0 if the call ended otherwise."""
        return self.cpu_ms if self.how in ("answer", "slow") else 0.0

    @property
    def answered(self) -> bool:
        """True if it gave an answer of the right type."""
        return self.how == "answer"

    @property
    def met_limit(self) -> bool:
        """True if a limit ended it, or an equal call before: then it has no opinion."""
        return self.how in ("slow", "memory", "output", "skipped")

    @property
    def shown(self) -> str:
        """The answer in one short line, or why there is none."""
        return shown_value(self.value) if self.answered else f"no answer ({self.message})"


@dataclass(frozen=True, slots=True)
class Called:
    """One call's end, before its value is read."""

    how: str
    """`ok`, `raised`, `type`, `slow`, `memory`, `output`, `lost`, `skipped`."""
    value: bytes = b""
    """The encoded value, and the arguments after the call if they were asked for."""
    message: str = ""
    cpu_ms: float = 0.0

    @property
    def met_limit(self) -> bool:
        """True if a limit ended it, so that it cost as much as it may."""
        return self.how in ("slow", "memory", "output")


@dataclass(frozen=True, slots=True)
class Callee:
    """A compiled Python program, of which one function or method is called."""

    artifact: Artifact
    toolchain: Toolchain
    entry: Entry
    pool: CellPool
    limits: Limits

    def call(self, inputs: Sequence[Sequence[Any]], *, back: bool = False) -> list[Called]:
        """Return the end of each call; every call has a process of its own.

        After two calls that met a limit those are skipped whose arguments are as large as theirs,
        and after six all that were not begun.

        Args:
            inputs: The arguments of each call.
            back: Return the arguments after the call too.

        Raises:
            InfrastructureError: if the machine failed.
        """
        requests = [_request(args, back=back) for args in inputs]
        found: dict[int, Called] = {}
        late: list[Weight] = []
        left = [*range(len(requests))]
        weight = cache(lambda at: weight_of(inputs[at]))
        size = max(1, min(self.pool.size, -(-len(requests) // _SERIES)))
        with ThreadPoolExecutor(size, "steelyard-calls", initializer=settle_on_cell_cores) as run:
            while left and len(late) < _MOST_LATE:
                chunks = [left[at : at + _SERIES] for at in range(0, size * _SERIES, _SERIES)]
                series = [[requests[at] for at in chunk] for chunk in chunks]
                for chunk, called in zip(chunks, run.map(self._alone, series), strict=True):
                    found.update(zip(chunk, called, strict=False))
                    late += [weight(at) for at in chunk if at in found and found[at].met_limit]
                left = [at for at in left if at not in found]
                if len(late) >= _MOST_COSTLY:
                    left = [
                        at for at in left if not any(is_as_large(weight(at), each) for each in late)
                    ]
        skipped = Called("skipped", message="earlier calls met a limit")
        return [found.get(at, skipped) for at in range(len(requests))]

    def call_together(self, inputs: Sequence[Sequence[Any]], *, back: bool = False) -> list[Called]:
        """Return the end of each call; calls share processes, so state may pass between them.

        The limit of one call is the limit of all that share a process.

        Raises:
            InfrastructureError: if the machine failed.
        """
        cases = [TestCase(input=_request(args, back=back)) for args in inputs]
        found: list[Called] = []
        while len(found) < len(cases):
            chunk = [case.input for case in may_share(cases[len(found) :], _MOST_SHARED)]
            found += self._shared(chunk) or self._alone(chunk[:1])
            if sum(one.met_limit for one in found) >= _MOST_COSTLY:
                break
        skipped = Called("skipped", message="earlier calls met a limit")
        return found + [skipped] * (len(cases) - len(found))

    def _alone(self, requests: Sequence[bytes]) -> list[Called]:
        """Return the ends of the first calls: of all, or up to the second that met a limit."""
        found: list[Called] = []
        while len(found) < len(requests):
            commands = [self._command(each) for each in requests[len(found) :]]
            for execution in self.pool.run_series(commands):
                _require_start(execution, self.toolchain)
                found.append(_called(execution))
            if sum(one.met_limit for one in found) >= _MOST_COSTLY:
                break
        return found

    def _shared(self, requests: Sequence[bytes]) -> list[Called]:
        """Return the ends of the first calls, as far as one process made them."""
        execution = self.pool.run(self._command(b"\n".join(requests), "to-the-end"))
        _require_start(execution, self.toolchain)
        lines = outcomes_in(execution.stdout, len(requests))
        if len(lines) > len(requests) or execution.stdout[-1:] != b"\n":
            return []  # the program wrote lines of its own, or the last one was cut
        return [_read(outcome, cpu_ms) for cpu_ms, _, outcome in lines]

    def _command(self, stdin: bytes, *further: str) -> Any:
        harness = self.artifact.harness
        assert isinstance(harness, Harness)
        return harness.command(
            (self.entry.kind, self.artifact.source, self.entry.name, *further),
            stdin=stdin,
            limits=self.toolchain.run_limits(self.limits),
            sources=self.artifact.files,
        )


class Answers:
    """Calls solutions of one specification, and compares what they answer.

    Args:
        spec: The specification.
    """

    def __init__(self, spec: Specification) -> None:
        self.spec = spec
        self._parameters = [parse_type(each.type) for each in spec.parameters]
        self._returns = parse_type(spec.returns)
        self._in_place = spec.output_type == "in-place"
        self._exact = spec.output_type == "exact"
        self._checker = value_checker_for(spec.match_mode, sequences_alike=not self._exact)

    def outcomes(
        self, solution: Callee, inputs: Sequence[Sequence[JsonValue]], *, together: bool = False
    ) -> list[CallOutcome]:
        """Return what a solution does with each input.

        Args:
            solution: The solution.
            inputs: The arguments of each call, valid ones.
            together: Let calls share processes: far cheaper, but state may pass between them.

        Raises:
            InfrastructureError: if the machine failed.
        """
        calls = [
            [kind.value_of(each) for kind, each in zip(self._parameters, args, strict=True)]
            for args in inputs
        ]
        call = solution.call_together if together else solution.call
        return [self._read(each) for each in call(calls, back=self._in_place)]

    def stated(self, value: JsonValue) -> CallOutcome:
        """Return the outcome of a solution that gives this answer.

        Raises:
            UsageError: if it is not of the type that the specification returns.
        """
        fault = self._returns.fault_of(value)
        if fault is not None:
            raise UsageError(f"the output {shown_value(value)}: {fault}; correct it")
        return CallOutcome("answer", value, self._wire(value))

    def alike(self, one: CallOutcome, other: CallOutcome) -> bool:
        """Return True if both gave an answer, and the answers are equal for the specification."""
        if not (one.answered and other.answered):
            return False
        if one.wire == other.wire:
            return True
        return self._checker.check(TestCase(expected=one.wire), other.wire).passed

    def _read(self, called: Called) -> CallOutcome:
        if called.how != "ok":
            return CallOutcome(called.how, message=called.message, cpu_ms=called.cpu_ms)  # type: ignore[arg-type]
        try:
            value, *after = plain_of(b"[" + called.value + b"]")
            if self._in_place:
                value = after[0][0]
        except (ValueError, LookupError, TypeError) as error:
            return CallOutcome("type", message=f"returned {error}", cpu_ms=called.cpu_ms)
        plain = with_lists(value)
        fault = self._returns.fault_of(plain)
        if fault is None and self._exact and values.encode(value) != self._encoded(plain):
            fault = f"a list and a tuple are mixed up, expected {self._returns}"
        if fault is not None:
            return CallOutcome(
                "type", message=f"returned a wrong type: {fault}", cpu_ms=called.cpu_ms
            )
        return CallOutcome("answer", plain, self._wire(plain), cpu_ms=called.cpu_ms)

    def _wire(self, plain: JsonValue) -> bytes:
        return f'["ok",{self._encoded(plain)}]'.encode()

    def _encoded(self, plain: JsonValue) -> str:
        return values.encode(self._returns.value_of(plain))


def with_lists(value: Any) -> Any:
    """Return a value with a list in place of each tuple."""
    if isinstance(value, list | tuple):
        return [with_lists(each) for each in value]
    if isinstance(value, dict):
        return {key: with_lists(each) for key, each in value.items()}
    return value


_SERIES = 16
_MOST_SHARED = 500
_MOST_MESSAGE = 100_000
_MOST_COSTLY = 2
"""After so many calls that met a limit none is made with arguments as large as theirs, or none at
all in a shared process: an endless loop would cost it in each."""
_MOST_LATE = 6
"""After so many that met a limit no more are begun."""
_LIMITS = {
    StopReason.CPU_LIMIT: ("slow", "exceeded the time limit"),
    StopReason.WALL_LIMIT: ("slow", "was not done when the time was over"),
    StopReason.MEMORY_LIMIT: ("memory", "exceeded the memory limit"),
    StopReason.OUTPUT_LIMIT: ("output", "wrote too much"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a program cannot be called, with its line."""

    text: str


def compiled(
    source: str,
    entry: str,
    *,
    pool: CellPool,
    limits: Limits,
    parameters: int = 0,
    also: tuple[Required, ...] = (),
    imports: bool = False,
) -> Callee | Fault:
    """Return a program behind the gate, or the reason why it is refused.

    Args:
        source: The program's text, which may be hostile.
        entry: `function:NAME` or `class:NAME.METHOD`.
        pool: Where it runs.
        limits: The limits of a call.
        parameters: Number of arguments of the entry.
        also: Further functions that it must define.
        imports: Allow imports of modules that access nothing outside the program.

    Raises:
        InfrastructureError: if the machine failed.
        LanguageError: if there is no Python interpreter for cells.
    """
    toolchain, parsed = find_toolchain("python"), Entry.parse(entry)
    required = (Required(name=parsed.name, parameters=parameters), *also)
    policy = Policy(modules=None if imports else (), require=required)
    try:
        encoded = source.encode("utf-8")
    except UnicodeEncodeError as error:
        return Fault(f"the program is not UTF-8 at character {error.start + 1}")
    result = toolchain.compile(encoded, pool, cache=CompileCache(), policy=policy)
    if result.artifact is None:
        first = next(iter(result.result.errors), None)
        where = f"line {first.line}: " if first is not None and first.line else ""
        return Fault(f"{where}{first.message if first is not None else 'it does not compile'}")
    return Callee(result.artifact, toolchain, parsed, pool, limits)


def _request(args: Sequence[Any], *, back: bool) -> bytes:
    return values.encode([list(args), None, 1 if back else 0]).encode()


def _called(execution: Execution) -> Called:
    """Return the end of the one call that a process made."""
    cpu_ms = execution.cpu_ms
    if execution.stop in _LIMITS:
        how, message = _LIMITS[execution.stop]
        return Called(how, message=message, cpu_ms=cpu_ms)
    lines = outcomes_in(execution.stdout, 1)
    if execution.stop is not StopReason.EXITED or execution.exit_code or len(lines) != 1:
        how = "answered more than once" if len(lines) > 1 else "ended before it returned"
        return Called("lost", message=how, cpu_ms=cpu_ms)
    return _read(lines[0][2], cpu_ms)


def _read(outcome: bytes, cpu_ms: float) -> Called:
    if outcome.startswith(b'["ok",') and outcome.endswith(b"]"):
        return Called("ok", outcome[len(b'["ok",') : -1], cpu_ms=cpu_ms)
    how = "type" if outcome.startswith(b'["unplain"') else "raised"
    return Called(how, message=_message(outcome), cpu_ms=cpu_ms)


def _message(outcome: bytes) -> str:
    """Return an exception, or a value that is not plain, in one short line."""
    try:
        kind, *rest = json.loads(outcome[:_MOST_MESSAGE])
        words = rest[-1] if kind != "raised" else f"{rest[0][0]}: {rest[1]}".removesuffix(": ")
    except (TypeError, ValueError, LookupError, RecursionError):
        return "answered what cannot be read"
    prefix = "returned " if kind == "unplain" else ""
    return " ".join(f"{prefix}{words}".split())[:300]


def _require_start(execution: Execution, toolchain: Toolchain) -> None:
    if execution.stop is StopReason.NOT_STARTED:
        raise ToolchainError(f"{execution.message}; reinstall {toolchain.version}")


Weight = tuple[tuple[int, float], ...]
"""For each argument its items and characters, and its largest number."""


def weight_of(args: Sequence[Any]) -> Weight:
    """Return how large arguments are."""
    return tuple((visits(each), _largest(each)) for each in args)


def is_as_large(one: Weight, other: Weight) -> bool:
    """Return whether each argument has as many items as another call's, and as large numbers."""
    pairs = zip(one, other, strict=True)
    return all(size >= least and number >= low for (size, number), (least, low) in pairs)


def _largest(value: Any) -> float:
    """Return the largest number inside a value, without its sign; 0 if there is none."""
    row, largest = [value], 0.0
    while row:
        largest = max(
            largest,
            max((abs(each) for each in row if type(each) in (int, float)), default=0.0),
        )
        row = [
            *chain.from_iterable(
                each.values() if isinstance(each, dict) else each
                for each in row
                if isinstance(each, list | tuple | dict)
            )
        ]
    return largest


_CHARS = 200
_MOST_BITS = 10_000


class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Return an integer; Python does not write one of thousands of digits."""
        if x.bit_length() > _MOST_BITS:
            return f"an integer of {x.bit_length():,} bits"
        return super().repr_int(x, level)


_short = _Short()
_short.maxlist = _short.maxtuple = _short.maxdict = 12
_short.maxstring = _short.maxlong = 60
_short.maxlevel = 4


def shown_value(value: Any) -> str:
    """Return a value as Python writes it, shortened."""
    text = _short.repr(value)
    return text if len(text) <= _CHARS else f"{text[: _CHARS - 3]}..."


def shown_call(args: Sequence[Any]) -> str:
    """Return a call with these arguments, shortened: `solve([1, 2], 3)`."""
    return f"solve({', '.join(map(shown_value, args))})"
