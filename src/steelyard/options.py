"""Options that all jobs share, and the async twins of their functions."""

import asyncio
import contextvars
import difflib
import functools
import inspect
import secrets
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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

__all__ = ["ModelText", "Options", "RunOptions", "beside", "in_loop", "in_thread"]

P = ParamSpec("P")
R = TypeVar("R")

ModelText = Annotated[str, Field(min_length=3, max_length=1_000)]
"""A model's name, as `provider:model`."""
_MOST_SEED = 1 << 31


class Options(Record):
    """Options of every job. Each job's own options add fields."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    pool: CellPool | None = Field(default=None, exclude=True, repr=False)
    """The pool in which programs run; None for the pool that the whole process shares."""
    limits: Limits | None = None
    """Limits of one run of the program; None for the job's own default."""
    seed: int | None = 0
    """Seed for everything pseudo-random; None draws a new one for each run."""
    on_event: OnEvent | None = Field(default=None, exclude=True, repr=False)
    """A callback for progress, called from any thread."""

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Return options with these fields.

        Raises:
            UsageError: if a field is unknown or has an invalid value.
        """
        return cls.model_validate(fields)

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


class RunOptions(Options):
    """Options of a run of models, which can be resumed."""

    bounds: ClassVar[tuple[str, ...]] = ("max_cost_usd", "max_tokens")
    """Fields that may change when a run is resumed."""
    roles: ClassVar[Mapping[str, str]] = {}
    """The roles of models, each with the field that names its model."""

    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Hard limit on model spending, in US dollars."""
    max_tokens: int | None = Field(default=None, ge=0)
    """Hard limit on tokens."""

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
        return _finished(function(*args, **kwargs))

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


def _finished(work: Coroutine[Any, Any, R]) -> R:
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
