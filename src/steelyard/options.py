"""Options of jobs, each declared once, and the async twins of the jobs' functions.

1. A job's options are a model that inherits groups: those of every job, of programs, of
   comparisons, of spending. A field is declared in one of them, or in the job's own model.
2. Its docstring is its help everywhere; `; None is WORDS.` at the end gives its default. A `Flag`
   adds what neither type nor docstring shows.
3. Every door is made from the fields: keywords, flags, JSON, tools of agents, forms and tables of
   the documents (see `steelyard.jobs`).
"""

import ast
import asyncio
import contextvars
import difflib
import functools
import inspect
import itertools
import re
import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, ParamSpec, Self, TypeVar, cast

from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from steelyard._homes import publish
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool, StoppablePool, shared_pool
from steelyard.schemas import Event, Limits, OnEvent, Record, fault_of_record

__all__ = [
    "Declared",
    "EntryText",
    "Flag",
    "Knob",
    "ModelText",
    "Options",
    "ProgramOptions",
    "PythonOptions",
    "RunOptions",
    "SpendingOptions",
    "ToleranceOptions",
    "beside",
    "finished",
    "in_loop",
    "in_thread",
    "knobs_of",
    "share",
    "whole_numbers",
    "words",
]

P = ParamSpec("P")
R = TypeVar("R")

_MOST_SEED = 1 << 31
_DEFAULT = re.compile(r"(?:;|\.) None (?:is|draws|uses) (.+?)\.?$", re.DOTALL)


def _names(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(","))


def words(text: str) -> tuple[str, ...]:
    """Return words as a shell would pass them.

    Raises:
        UsageError: if a quote is left open.
    """
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"{str(error).lower()} in {text!r}; close the quote") from error


def whole_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of `1,10`.

    Raises:
        UsageError: if one of them is not a whole number.
    """
    try:
        return tuple(int(each) for each in text.split(","))
    except ValueError as error:
        raise UsageError(f"takes whole numbers such as 1,10, got {text!r}") from error


def share(text: str) -> float:
    """Return the share that `5%`, `5 %` or `0.05` writes; `5` alone is ambiguous.

    Raises:
        UsageError: if it is not a share.
    """
    number, percent, rest = text.strip().partition("%")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if rest or not 0 <= value < float("inf"):
        raise UsageError(f"is {text!r}; give a share, such as 5% or 0.05")
    if percent:
        return value / 100
    if value >= 1:
        raise UsageError(f"is {text!r}; write {number}% if that is meant")
    return value


_Name = Annotated[str, Field(max_length=100)]
EntryText = Annotated[str, Field(max_length=300)]


@dataclass(frozen=True, slots=True)
class Flag:
    """The presentation of a field, where its type and its docstring do not decide it.

    A flag without a group is one of its class; `--help-all` shows the group Advanced too.
    """

    metavar: str = ""
    default: str = ""
    """Words for the default; empty for those of the docstring, or the value."""
    group: str = ""
    note: str = ""
    """A sentence of its help on the command line alone, such as how its text is written."""
    takes: Any = None
    """The type of its value as text and in JSON; None is the field's own."""
    read: Callable[[str], object] | None = None
    """Reads the text of a flag whose value Pydantic cannot read."""
    local: bool = False
    """Only for callers on this machine, as it names files or programs of it."""
    is_source: bool = False
    """Texts of programs: bytes in memory, text in JSON, files on the command line."""


ModelText = Annotated[str, Flag("MODEL", group="Models"), Field(min_length=3, max_length=1_000)]
"""The name of a model: `provider:model`."""


@dataclass(frozen=True)
class Knob:
    """A field of options with all that a door shows of it."""

    model: "type[Declared]"
    name: str
    default: object
    """A plain value; None if it is made when it is needed; `...` if the field is required."""
    takes: Any
    group: str
    flag: Flag

    @functools.cached_property
    def text(self) -> str:
        """One or more sentences of help."""
        return f"{_DEFAULT.sub('', self._docstring).removesuffix('.')}."

    @property
    def null_text(self) -> str:
        """The meaning of None in words; empty if nothing happens then."""
        words = _DEFAULT.search(self._docstring)
        return words.group(1) if words else self.flag.default if self.default is None else ""

    @property
    def default_text(self) -> str:
        """The default in words; empty if the value is enough, or nothing happens by default."""
        text = self.flag.default or (self.null_text if self.default is None else "")
        made = self.model.model_fields[self.name].default_factory
        return text if text or made is None else str(made())  # type: ignore[call-arg]

    @functools.cached_property
    def _docstring(self) -> str:
        return " ".join(_docstrings(self.model).get(self.name, "").split())


class Declared(Record):
    """Fields from which doors are made: the options of a job, or its request."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    group: ClassVar[str] = "Options"
    """The group of the fields that this class declares, in helps and forms."""
    home: ClassVar[str] = __name__
    """The module that declares the class, whose source has the docstrings."""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        cls.home = cls.__module__

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Return the model with these fields.

        Raises:
            UsageError: if a field is unknown or has an invalid value.
        """
        return cls.model_validate(fields)

    @classmethod
    def among(cls, arguments: Mapping[str, object], **more: object) -> Self:
        """Return the fields among the arguments of a function: its `locals()`.

        Raises:
            UsageError: as `of`.
        """
        own = {name: arguments[name] for name in cls.model_fields if name in arguments}
        return cls.of(**own | more)

    @model_validator(mode="wrap")
    @classmethod
    def _one_line(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Turn what is invalid into one line, for the constructor as for `of`."""
        try:
            return handler(data)
        except ValidationError as error:
            first = error.errors()[0]
            if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
                raise UsageError(cls._unknown(str(first["loc"][0]))) from error
            raise UsageError(fault_of_record(error, data, cls)) from error

    @classmethod
    def _unknown(cls, name: str) -> str:
        names = list(cls.model_fields)
        close = difflib.get_close_matches(name, names, cutoff=0.5)
        ordered = [*close, *(each for each in names if each not in close)]
        return f"unknown option {name!r}; use one of {', '.join(ordered)}"


class Options(Declared):
    """Options of every job. Each job's own options add fields."""

    usual_limits: ClassVar[Mapping[str, str]] = {}
    """Words for the job's own limits, by the field of `Limits`; others have no flag."""

    pool: CellPool | None = Field(default=None, exclude=True, repr=False)
    """The pool in which programs run; None is the pool that the whole process shares."""
    limits: Limits | None = None
    """Limits of one run of the program; None is the job's own."""
    seed: Annotated[
        int | None,
        Flag("N", group="Advanced", note="`random` picks a new seed for each run."),
    ] = Field(default=0, ge=0, lt=1 << 32)
    """Seed for everything pseudo-random; None is a new one for each run."""
    on_event: OnEvent | None = Field(default=None, exclude=True, repr=False)
    """A callback for progress, called from any thread."""

    @property
    def cells(self) -> CellPool:
        """The pool to run in."""
        return self.pool or shared_pool()

    def emit(self, event: Event) -> None:
        """Pass an event on to the callback, if there is one."""
        if self.on_event is not None:
            self.on_event(event)

    def fixed_seed(self) -> int:
        """Return the seed, or a new one if it is None."""
        return secrets.randbelow(_MOST_SEED) if self.seed is None else self.seed


class PythonOptions(Options):
    """Options of jobs that run Python programs."""

    group: ClassVar[str] = "Program"

    preload: Annotated[
        Sequence[Annotated[str, Field(max_length=100)]],
        Flag("MODULES", group="Advanced", note="Commas separate them: numpy,scipy.", read=_names),
    ] = Field(default=(), max_length=100)
    """For Python, modules to load before the program."""


class ProgramOptions(PythonOptions):
    """Options of jobs that compile programs."""

    language: Annotated[_Name | None, Flag("NAME")] = None
    """Programming language of the program; None is by the ending of the file, else Python."""
    compiler: Annotated[_Name | None, Flag("NAME")] = None
    """Compiler of the language; `steelyard languages` lists all; None is the first that is
    installed."""
    flags: Annotated[
        Sequence[str] | None,
        Flag("FLAGS", note='Write them as in a shell: "-O2 -Wall".', read=words),
    ] = Field(default=None, max_length=100)
    """Flags for the compiler; None is the language's own."""


class ToleranceOptions(Options):
    """Options of jobs that compare numbers."""

    group: ClassVar[str] = "Comparison"

    rel_tol: Annotated[float | None, Flag("X")] = Field(default=None, ge=0, allow_inf_nan=False)
    """Relative tolerance of floats, as a share of the larger one; None is that of
    the comparison."""
    abs_tol: Annotated[float | None, Flag("X")] = Field(default=None, ge=0, allow_inf_nan=False)
    """Absolute tolerance of floats; None is that of the comparison."""


class SpendingOptions(Options):
    """Options of jobs that ask models."""

    group: ClassVar[str] = "Models"

    max_cost_usd: Annotated[float | None, Flag("USD", "no limit")] = Field(
        default=None, ge=0, allow_inf_nan=False
    )
    """Hard limit on model spending, in US dollars."""
    max_tokens: Annotated[int | None, Flag("N", "no limit")] = Field(default=None, ge=0)
    """Hard limit on model tokens."""


class RunOptions(SpendingOptions):
    """Options of a run of models, which can be resumed."""

    bounds: ClassVar[tuple[str, ...]] = ("max_cost_usd", "max_tokens")
    """Fields that may change when a run is resumed."""
    roles: ClassVar[Mapping[str, str]] = {}
    """The roles of models, each with the field that names its model."""
    model_settings: ClassVar[Mapping[str, str]] = {}
    """The fields that name models, and the settings of models that are their defaults."""
    may_ask_none: ClassVar[bool] = False
    """True if `none` in place of a model's name asks no model at all."""

    @property
    def model_names(self) -> dict[str, str]:
        """The models' names by role; empty if no model is asked."""
        return {role: getattr(self, field) for role, field in self.roles.items()}

    def changed(self, **fields: object) -> Self:
        """Return the options of a run that is resumed with these fields; None changes nothing.

        Only bounds can change: all other options shaped the paid replies.

        Raises:
            UsageError: if a field is unknown, cannot change, or has an invalid value.
        """
        had = self.model_dump()
        unknown = [name for name in fields if name not in had]
        if unknown:
            raise UsageError(
                f"{unknown[0]!r} is not a bound; the bounds are {', '.join(self.bounds)}"
            )
        new = {name: each for name, each in fields.items() if each not in (None, had.get(name))}
        fixed = [name for name in new if name not in self.bounds]
        if fixed:
            raise UsageError(
                f"the run to resume has {fixed[0]} {had.get(fixed[0])!r}, which cannot change; "
                "omit the option, or start another run"
            )
        changed = self.of(**had | new)
        return changed.model_copy(update={"pool": self.pool, "on_event": self.on_event})


@functools.cache
def knobs_of(model: type[Declared]) -> Mapping[str, Knob]:
    """Return the fields that a door can show, by name."""
    groups = {
        name: each.group
        for each in reversed(model.__mro__)
        if issubclass(each, Declared)
        for name in inspect.get_annotations(each)
    }
    found = {}
    for name, field in model.model_fields.items():
        flag = next((each for each in field.metadata if isinstance(each, Flag)), Flag())
        if field.exclude and flag.takes is None:
            continue
        found[name] = Knob(
            model,
            name,
            ... if field.is_required() else field.get_default(),
            field.annotation if flag.takes is None else flag.takes,
            flag.group or groups[name],
            flag,
        )
    return found


@functools.cache
def _docstrings(model: type[Declared]) -> Mapping[str, str]:
    """Return the docstrings of the fields, read from the sources of their classes."""
    texts: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if not issubclass(each, Declared):
            continue
        tree = ast.parse(inspect.getsource(sys.modules[each.home]))
        [declared] = (
            node
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name == each.__name__
        )
        for field, text in itertools.pairwise(declared.body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                texts[ast.unparse(field.target)] = ast.literal_eval(text.value)
    return texts


def in_thread(function: Callable[P, R], name: str) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return an async twin of a function, which does not block the event loop.

    Once the twin is cancelled, programs that run in cells are killed and no other begins. A
    function that takes `on_event` ends at its next event, too.

    Args:
        function: The sync function; its twin takes the same arguments.
        name: The twin's name.
    """
    takes_events, takes_cells = (
        name in inspect.signature(function).parameters for name in ("on_event", "pool")
    )

    @functools.wraps(function)
    async def twin(*args: P.args, **kwargs: P.kwargs) -> R:
        cancelled = threading.Event()
        if takes_events:
            kwargs["on_event"] = _until(cancelled, kwargs.get("on_event"))
        cells: StoppablePool | None = None
        if takes_cells:
            pool = kwargs.get("pool") or await asyncio.to_thread(shared_pool)
            if isinstance(pool, CellPool):  # else the function names the fault
                kwargs["pool"] = cells = pool.stoppable()
        try:
            return await asyncio.to_thread(function, *args, **kwargs)
        except asyncio.CancelledError:
            cancelled.set()
            if cells is not None:
                cells.stop()
            raise

    _rename(twin, function, name)
    first = (function.__doc__ or "").partition("\n")[2]
    twin.__doc__ = f"Run `{function.__name__}` without blocking the event loop.\n{first}"
    return twin


async def beside(work: Callable[[], R]) -> R:
    """Run blocking work in a thread of its own, and return what it returns.

    Unlike the threads of `asyncio.to_thread` it does not hold up the end of the process, so an
    interrupt need not wait for work whose result nobody takes.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[R] = loop.create_future()

    def settle(value: R | None, error: BaseException | None) -> None:
        if result.cancelled():
            return
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(cast("R", value))

    def run() -> None:
        value: R | None = None
        error: BaseException | None = None
        try:
            value = work()
        except BaseException as raised:  # noqa: BLE001 - it is raised where the work is awaited
            error = raised
        with suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(settle, value, error)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="steelyard-step", daemon=True).start()
    return await result


def in_loop(function: Callable[P, Coroutine[Any, Any, R]], name: str) -> Callable[P, R]:
    """Return a sync twin of an async function.

    Args:
        function: The async function; its twin takes the same arguments.
        name: The twin's name.
    """

    @functools.wraps(function)
    def twin(*args: P.args, **kwargs: P.kwargs) -> R:
        return finished(function(*args, **kwargs))

    _rename(twin, function, name)
    return twin


class _CancelledError(Exception):
    """Ends work whose twin was cancelled; nobody waits for its result."""


def _until(cancelled: threading.Event, on_event: object) -> OnEvent:
    """Return a callback that passes events on, and ends the work once it is cancelled."""

    def receive(event: Event) -> None:
        if cancelled.is_set():
            raise _CancelledError
        if callable(on_event):
            on_event(event)

    return receive


def _rename(twin: Any, function: Any, name: str) -> None:
    twin.__name__ = name
    twin.__qualname__ = f"{function.__qualname__.removesuffix(function.__name__)}{name}"


def finished(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine to its end, even if an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    loop = runner.get_loop()
    task = loop.create_task(work)

    async def finish() -> R:
        return await task

    def run() -> R:
        with runner:
            return runner.run(finish())

    executor = ThreadPoolExecutor(1, "steelyard-run")
    try:
        return executor.submit(run).result()
    except BaseException:  # an interrupt of the caller ends the work too
        with suppress(RuntimeError):  # the loop is closed if the work itself failed
            loop.call_soon_threadsafe(task.cancel)
        raise
    finally:
        executor.shutdown()


publish(__name__, globals())
