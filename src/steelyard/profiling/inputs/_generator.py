"""Inputs that a Python module makes, `generate(n, seed[, m])`, which runs in a cell.

An input is made once and kept on disk; the inputs that were used last are in memory too, since
rounds of runs ask for the same ones again. A fault of the module is described in one line that ends
in what to do.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Self

from steelyard.errors import GeneratorError, ToolchainError
from steelyard.profiling._records import Input, Point
from steelyard.reports import visible
from steelyard.sandbox import Blob, CellPool, Command
from steelyard.schemas import Execution, Limits, StopReason
from steelyard.toolchains import EntryCache, Harness, find_toolchain

_FORMAT = "steelyard-input-1"
_ALONG_S = 0.1
"""How long a cell that made one input continues with the next sizes: a start costs 20 ms."""
_ALONG_MOST_S = 1.0
_ALONG_BYTES = 16 << 20
_PROBED = 3
"""Index in the ladder of the input that is made twice: the smallest may have just one value."""
_ALIKE = 4
GENERATOR_LIMITS = Limits(
    cpu_ms=30_000, wall_ms=60_000, memory_mib=4_096, output_mib=512, file_mib=512
)
"""For making one input."""


@dataclass(frozen=True)
class Description:
    """A generator module's declarations. None: not declared."""

    takes_m: bool = False
    needs_m: bool = False
    has_valid: bool = False
    """Whether it has a function `valid(n, m)`."""
    n_min: int | None = None
    n_max: int | None = None
    m_min: int | None = None
    m_max: int | None = None
    m_default: str | None = None
    """An expression of n."""


@dataclass(frozen=True)
class _Answer:
    description: Description | None
    valid: tuple[bool, ...]
    inputs: tuple[tuple[Point, bytes], ...]
    printed: bool
    error: dict[str, object] | None


class GeneratorSource:
    """Inputs from a generator module. Safe to share between threads.

    Inputs are kept on disk by the module's text, the interpreter, the size and the seed.

    Args:
        source: The module's text.
        pool: Where it runs.
        name: What messages call it.
        calls: Whether the program is a function or method. What the module returns is then its
            arguments: a list or tuple, `{"args": [...], "kwargs": {...}}`, or JSON text of either;
            an input is the request that the harness reads.
        limits: For making one input.
        caching: Where inputs are kept; the folder `inputs` of the cache if None.
    """

    def __init__(
        self,
        source: bytes,
        pool: CellPool,
        *,
        name: str = "gen.py",
        calls: bool = False,
        limits: Limits = GENERATOR_LIMITS,
        caching: EntryCache | None = None,
    ) -> None:
        self.name = name
        self.description = name
        self.calls = calls
        self._source = Blob(source)
        self._pool = pool
        self._limits = limits
        self._cache = caching or EntryCache("inputs")
        toolchain = find_toolchain("python")
        assert toolchain.harness is not None  # as Python has one
        self._harness: Harness = toolchain.harness
        text = _script() + (_values() if calls else "")
        shaped_by = (_FORMAT, toolchain.version, str(calls), text)
        total = hashlib.sha256(source)
        for part in shaped_by:
            total.update(hashlib.sha256(part.encode()).digest())
        self._digest = total.digest()
        self._kept = Kept()
        self._lock = threading.RLock()
        self._planned: tuple[Point, ...] = ()
        self._printed = False

    @classmethod
    def from_file(
        cls,
        path: Path,
        pool: CellPool,
        *,
        calls: bool = False,
        limits: Limits = GENERATOR_LIMITS,
        caching: EntryCache | None = None,
    ) -> Self:
        """Return the generator in a file.

        Raises:
            GeneratorError: if it cannot be read.
        """
        try:
            source = path.read_bytes()
        except OSError as error:
            raise GeneratorError(
                f"{path} cannot be read: {error.strerror}; name a file that defines "
                "generate(n, seed)"
            ) from error
        return cls(source, pool, name=path.name, calls=calls, limits=limits, caching=caching)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the report, one line each."""
        return (f"{self.name} prints; its output is ignored",) if self._printed else ()

    @cached_property
    def says(self) -> Description:
        """The module's declarations.

        Raises:
            GeneratorError: if it cannot be loaded.
        """
        answer = self._ask()
        if answer.error is not None:
            raise error_of_record(self.name, answer.error, None)
        assert answer.description is not None  # the script gives it or an error
        return answer.description

    def valid(self, points: Sequence[Point]) -> tuple[bool, ...]:
        """Return the module's `valid(n, m)` for each point; all are valid if it is not defined.

        Raises:
            GeneratorError: if it fails.
        """
        if not points or not self.says.has_valid:
            return (True,) * len(points)
        answer = self._ask(valid=points)
        if answer.error is not None:
            raise error_of_record(f"{self.name}: valid", answer.error, None)
        return answer.valid

    def plan(self, points: Sequence[Point]) -> None:
        """Say which inputs will be asked for; one cell then makes several that are small."""
        self._planned = tuple(sorted(points))

    def get(self, point: Point, seed: int) -> Input:
        """Return the input of this size, from memory, from disk, or made.

        Raises:
            GeneratorError: if the module gives none; the message has the reason and what to do.
        """
        with self._lock:
            return self._known(point, seed) or self._made(point, seed)

    def check(self, points: Sequence[Point], seed: int) -> None:
        """Make sure that the module depends on the size, and on its arguments only.

        One input is made again by another process. Sizes are compared from the smallest up, and
        only if those are all alike with the largest too.

        Args:
            points: All that will be asked for.
            seed: The seed.

        Raises:
            GeneratorError: if it does not, or gives no input.
        """
        points = sorted(points)
        self.plan(points)
        if not points:
            return
        probed = points[min(_PROBED, len(points) - 1)]
        before = {point: self.get(point, seed).content for point in points[: _PROBED + 1]}
        for point, again in self._run((probed,), seed):
            if again != before[point].read():
                raise GeneratorError(
                    f"{self.name} returns a different input at {point} each time; make it "
                    "depend on its arguments only, for example with random.Random(seed)"
                )
        if self.calls:
            self._check_arguments(tuple(before), seed)
        self._check_sizes(points, seed)
        self._check_second(points, seed)

    def _check_arguments(self, points: Sequence[Point], seed: int) -> None:
        """A list that is the one argument is easily mistaken for a list of arguments."""
        counts = [
            len(json.loads(self.get(point, seed).content.read())[0])
            for point in (points[0], points[-1])
        ]
        if counts[0] != counts[1]:
            raise GeneratorError(
                f"{self.name} returns {counts[0]} arguments at {points[0]} and {counts[1]} "
                f"at {points[-1]}; if the list is the only argument, return [list]"
            )

    def _check_sizes(self, points: Sequence[Point], seed: int) -> None:
        by_n = list({point.n: point for point in points}.values())
        if len(by_n) < 2:
            return
        asked = [*by_n[:_ALIKE], by_n[len(by_n) // 2], by_n[-1]]
        if self._all_alike(asked, seed):
            raise GeneratorError(
                f"{self.name} ignores n: the inputs at {by_n[0]} and {by_n[-1]} are equal; "
                "make the size of its input grow with n"
            )

    def _check_second(self, points: Sequence[Point], seed: int) -> None:
        rows: dict[int, list[Point]] = {}
        for point in points:
            rows.setdefault(point.n, []).append(point)
        row = next((row for row in rows.values() if len(row) > 1), None)
        if row and self._all_alike([row[0], row[-1]], seed):
            raise GeneratorError(
                f"{self.name} ignores m: the inputs at {row[0]} and {row[-1]} are equal; "
                "make the size of its input grow with m"
            )

    def _all_alike(self, points: Sequence[Point], seed: int) -> bool:
        first = self.get(points[0], seed).content.read()
        return all(self.get(point, seed).content.read() == first for point in points[1:])

    def _known(self, point: Point, seed: int) -> Input | None:
        kept = self._kept.get(point, seed)
        if kept is not None:
            return kept
        stored = self._cache.get(self._key(point, seed))
        return None if stored is None else self._kept.put(Input(point, Blob(stored)), seed)

    def _made(self, point: Point, seed: int) -> Input:
        along = [each for each in self._planned if each > point and self._known(each, seed) is None]
        for made, content in self._run((point, *along), seed):
            self._cache.put(self._key(made, seed), [content])
            self._kept.put(Input(made, Blob(content)), seed)
        found = self._kept.get(point, seed)
        assert found is not None  # or _run has raised
        return found

    def _run(self, points: Sequence[Point], seed: int) -> tuple[tuple[Point, bytes], ...]:
        """Return the first of these inputs, and those of the others that take next to no time."""
        answer = self._ask(points, seed)
        if not answer.inputs:
            assert answer.error is not None
            smallest = min(self._planned, default=points[0])
            raise error_of_record(
                self.name, answer.error, points[0], is_smallest=points[0] <= smallest
            )
        return answer.inputs

    def _key(self, point: Point, seed: int) -> str:
        size = f"{point.n} {point.m} {seed}".encode()
        return hashlib.sha256(self._digest + size).hexdigest()

    def _ask(
        self, points: Sequence[Point] = (), seed: int = 0, valid: Sequence[Point] = ()
    ) -> _Answer:
        """Return one process of the module.

        Raises:
            GeneratorError: if it ended before it gave what was asked for first.
        """
        request = {
            "name": "gen.py",
            "points": [(point.n, point.m) for point in points],
            "seed": seed,
            "valid": [(point.n, point.m) for point in valid],
            "values": _values() if self.calls else "",
            "along_s": _ALONG_S,
            "along_most_s": _ALONG_MOST_S,
            "along_bytes": _ALONG_BYTES,
        }
        execution = self._pool.run(
            Command(
                (*self._harness.interpreter, "-c", _script()),
                stdin=json.dumps(request).encode(),
                limits=self._limits,
                env=self._harness.env,
                files={"gen.py": self._source},
                view=self._harness.view,
            )
        )
        if execution.stop is StopReason.NOT_STARTED:
            raise ToolchainError(f"{execution.message}; see `steelyard doctor`")
        try:
            answer = _read(execution.stdout)
        except (ValueError, KeyError, TypeError) as error:
            raise GeneratorError(
                f"{self.name} writes to the harness's file descriptor; "
                "make it return the input instead"
            ) from error
        self._printed |= answer.printed
        if answer.error is None and not (
            answer.inputs or answer.valid or (answer.description and not points and not valid)
        ):
            raise error_of_end(self.name, execution, points[0] if points else None, self._limits)
        return answer


def _read(output: bytes) -> _Answer:
    """Return the records that the script wrote, up to where it was cut off."""
    description: Description | None = None
    valid: tuple[bool, ...] = ()
    inputs: list[tuple[Point, bytes]] = []
    printed, error, position = False, None, 0
    while (end := output.find(b"\n", position)) >= 0:
        record = json.loads(output[position:end])
        position = end + 1
        match record["kind"]:
            case "description":
                bounds = record["bounds"]
                default = bounds.pop("m_default")
                description = Description(
                    record["takes_m"],
                    record["needs_m"],
                    record["valid"],
                    **bounds,
                    m_default=None if default is None else str(default),
                )
            case "valid":
                valid = tuple(record["answers"])
            case "error":
                error = record
            case "input":
                content = output[position : position + record["size"]]
                if len(content) < record["size"]:
                    break
                position += record["size"]
                printed |= record["printed"]
                inputs.append((Point(record["n"], record["m"]), content))
    return _Answer(description, valid, tuple(inputs), printed, error)


@cache
def _script() -> str:
    return files(__package__).joinpath("incell", "generate.py").read_text("utf-8")


@cache
def _values() -> str:
    return files("steelyard.schemas").joinpath("values.py").read_text("utf-8")


_MOST_CHARS = 200
_TEXTS: Mapping[object, str] = {
    "absent": "defines no function generate; define generate(n, seed), or generate(n, seed, m)",
    "signature": "defines generate{text}, which cannot be called as generate(n, seed); "
    "change its parameters",
    "no-m": "has no parameter m; define generate(n, seed, m), or leave m out",
    "needs-m": "requires m; give its bounds, or write generate(n, seed, m=None)",
    "syntax": "is not valid Python: {text}; fix the line",
    "loading": "raises {text}; correct this line of it",
    "raised": "raises {text}; correct this line of it",
    "bound": "sets {text}; use a whole number",
    "nothing": "returns None; return the input",
    "printed": "prints its input and returns nothing; return the text instead",
    "empty": "returns an empty input; return what the program will read",
    "type": "returns {text}; return the input as str or bytes",
    "unicode": "returns text that is not Unicode ({text}); return bytes",
    "arguments": "returns {text} instead of arguments; return a list or tuple of them, or "
    '{{"args": [...], "kwargs": {{...}}}}',
    "plain": "returns {text}; return plain values",
}
_NAMES_SIZE = frozenset(
    {"raised", "nothing", "printed", "empty", "type", "unicode", "arguments", "plain"}
)
_OF_SIZE = frozenset({"raised", "nothing", "empty", "type"})
"""Faults that a module may have at one size only."""


def error_of_record(
    name: str, record: Mapping[str, object], point: Point | None, *, is_smallest: bool = False
) -> GeneratorError:
    """Return the error for a fault that the cell's script found (incell/generate.py).

    Args:
        name: The generator's name.
        record: As the script wrote it.
        point: The requested size, if any.
        is_smallest: Whether no smaller size is asked for: the module may have none so small.
    """
    what, line = record.get("what"), record.get("line")
    text = str(record.get("text"))[:_MOST_CHARS]
    where = f"{name}, line {line}," if line else name
    if point is not None and what in _NAMES_SIZE:
        where = f"{where} at {point}"
    unknown = "cannot be used ({text}); make generate(n, seed) return text or bytes"
    template = _TEXTS.get(what, unknown)
    larger = ", or start at a larger n with --min-n" if is_smallest and what in _OF_SIZE else ""
    return GeneratorError(visible(f"{where} {template.format(text=text)}{larger}"))


def error_of_end(
    name: str, execution: Execution, point: Point | None, limits: Limits
) -> GeneratorError:
    """Return the error for a process that was stopped or gave no answer."""
    where = f" at {point}" if point else ""
    match execution.stop:
        case StopReason.CPU_LIMIT | StopReason.WALL_LIMIT:
            cpu = execution.stop is StopReason.CPU_LIMIT
            seconds = (limits.cpu_ms if cpu else limits.wall_ms) / 1000
            text = f"did not finish within {seconds:g} s; make it faster or lower n"
        case StopReason.MEMORY_LIMIT:
            text = f"needs more than {limits.memory_mib} MiB of memory; lower n"
        case StopReason.OUTPUT_LIMIT:
            text = f"returns more than {limits.output_mib} MiB; lower n"
        case StopReason.SIGNALED:
            text = f"was ended by signal {execution.signal}; lower its use of memory and recursion"
        case _:
            text = f"ends the process (exit status {execution.exit_code}); make it return instead"
    return GeneratorError(f"{name}{where} {text}")


_MOST_BYTES = 512 << 20


class Kept:
    """Inputs by size and seed, up to 512 MiB together; the least recently used go first."""

    def __init__(self) -> None:
        self._inputs: OrderedDict[tuple[Point, int], Input] = OrderedDict()
        self._bytes = 0

    def get(self, point: Point, seed: int) -> Input | None:
        """Return the input, if it is still there."""
        found = self._inputs.get((point, seed))
        if found is not None:
            self._inputs.move_to_end((point, seed))
        return found

    def put(self, given: Input, seed: int) -> Input:
        """Return the input, which is kept."""
        old = self._inputs.pop((given.point, seed), None)
        self._bytes += given.content.size - (old.content.size if old else 0)
        self._inputs[given.point, seed] = given
        while self._bytes > _MOST_BYTES and len(self._inputs) > 1:
            self._bytes -= self._inputs.popitem(last=False)[1].content.size
        return given
