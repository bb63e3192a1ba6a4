"""The pool: one cell per core, each lent to one command at a time."""

import atexit
import dataclasses
import os
import socket
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from steelyard._arguments import checks_arguments
from steelyard._installation import require_linux
from steelyard.errors import CellError, CommandError, ForkServerError, UsageError
from steelyard.logs import logger
from steelyard.sandbox._cell import Cell
from steelyard.sandbox._command import Command, View
from steelyard.sandbox._cores import CoreWatch, least_used
from steelyard.sandbox._launch import CellPlan
from steelyard.sandbox._line import CellLostError
from steelyard.sandbox._plans import find_plan
from steelyard.schemas import Execution, Isolation
from steelyard.settings import SandboxSettings, current_settings

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_CELLS_KEPT = 4
_log = logger("sandbox")

_Key = tuple[View, str, int]
"""A cell's view, its name, and the side of two joined commands that it runs."""

_How = Callable[[list[Cell], Sequence[Command]], list[Execution]]
_Decides = Callable[[Execution], bool]


class StoppedError(Exception):
    """Whoever waited for this work has stopped it; nobody takes its result."""


class _Slot:
    """One core's share of the pool: at most one run at a time, and the cells used last."""

    def __init__(self, plan: CellPlan, cores: list[int], core: int) -> None:
        self._plan = plan
        self._cores = cores
        self.core = core
        self._watch = CoreWatch()
        self._cells: dict[_Key, Cell] = {}  # least recently used first
        self._busy: list[Cell] = []
        self._aborted = False
        self.is_stopped = False

    def has(self, command: Command) -> bool:
        return (command.view, command.cell, 0) in self._cells

    @property
    def _is_ended(self) -> bool:
        return self._aborted or self.is_stopped

    def run_series(self, commands: Sequence[Command]) -> list[Execution]:
        return self._run(commands[:1], lambda cells, _: cells[0].run_series(commands))

    def run_joined(
        self, commands: Sequence[Command], calls_off: _Decides | None
    ) -> list[Execution]:
        return self._run(commands, lambda cells, pair: _run_joined(cells, pair, calls_off))

    def _run(self, commands: Sequence[Command], how: _How) -> list[Execution]:
        """Run commands, each in a cell of its own."""
        with _on_core(self.core):
            try:
                return self._run_once(commands, how)
            except CellLostError as first:
                if self.is_stopped:
                    raise _stopped() from None
                _log.warning("cell lost", core=self.core, began=first.began, reason=str(first))
                if first.began:
                    raise CellError(
                        f"{first}; the candidate had started and is not run again; repeat the job"
                    ) from first
            try:
                return self._run_once(commands, how)  # two that communicate get new cells
            except CellLostError as second:
                raise CellError(f"{second}, twice; see `steelyard doctor`") from second

    def _run_once(self, commands: Sequence[Command], how: _How) -> list[Execution]:
        if self._aborted:
            raise CellError("the pool was closed; make a new one")
        if self.is_stopped:
            raise _stopped()
        keys = [(each.view, each.cell, side) for side, each in enumerate(commands)]
        in_step = False
        try:
            for key in keys:
                cell = self._cells.pop(key, None) or Cell(self._plan, key[0], self.core)
                self._busy.append(cell)
            if self._is_ended:  # while the cells were being made
                raise CellLostError("cell was ended", began=False)
            executions = how(self._busy, commands)
            in_step = True
        except (CellError, CommandError, ForkServerError):
            # Only an error that the cell itself reported leaves it in step with the protocol.
            in_step = len(commands) == 1
            raise
        finally:
            for key, cell in zip(keys, self._busy, strict=False):
                if in_step and not cell.broken:
                    self._cells[key] = cell
                else:
                    cell.close()
            self._busy.clear()
        while len(self._cells) > _CELLS_KEPT:
            self._cells.pop(next(iter(self._cells))).close()
        if self._watch.add(executions, at_once=len(commands)):
            better = self._watch.better(self.core, self._cores, _taken())
            if better is not None:
                self.move(better)
        return executions

    def move(self, core: int) -> None:
        """Use another core from the next run on."""
        for key in [key for key, cell in self._cells.items() if not cell.move(core)]:
            self._cells.pop(key).close()
        self.core = core

    def close(self) -> None:
        while self._cells:
            self._cells.popitem()[1].close()

    def abort(self) -> None:
        self._aborted = True
        for cell in tuple(self._busy):
            cell.abort()
        self.close()

    def stop(self) -> None:
        """End what runs, from another thread: it raises `StoppedError`."""
        self.is_stopped = True
        for cell in tuple(self._busy):
            cell.abort()

    def forget(self) -> None:
        for cell in (*self._cells.values(), *self._busy):
            cell.forget()
        self._cells.clear()
        self._busy = []  # the thread that waited for them is the parent's


class CellPool:
    """Cells that run commands, each cell one command at a time. Safe to share between threads.

    Args:
        size: Number of cells; None for one per core that this process may use. More cells than
            cores share the cores and disturb each other's times.
        settings: How candidates are isolated; None for the process's settings.

    Raises:
        PlatformError: if this is not Linux.
        IsolationError: if the isolation is weaker than `sandbox.require`.
        CellError: if no cell can be made.
    """

    owner = ""
    """Whose work it is: those who wait for a cell get one in turns by owner."""

    @checks_arguments
    def __init__(self, size: int | None = None, *, settings: SandboxSettings | None = None) -> None:
        require_linux()
        cores = sorted(os.sched_getaffinity(0))
        self.size = len(cores) if size is None else size
        if self.size < 1:
            raise UsageError(f"size must be 1 or more, got {self.size}")
        self._plan = find_plan(settings or current_settings().sandbox)
        self._slots: tuple[_Slot, ...] = ()
        self._closed = False
        with _choosing:
            taken = _taken()
            for _ in range(self.size):
                slot = _Slot(self._plan, cores, least_used(cores, taken))
                taken[slot.core] += 1
                self._slots += (slot,)
            _pools.add(self)
        self._free = list(self._slots)
        self._executor: ThreadPoolExecutor | None = None
        self._make_lock()

    def _make_lock(self) -> None:
        self._lock = threading.Lock()  # itself is cheaper to hold than its condition
        self._returned = threading.Condition(self._lock)
        self._line: list[tuple[str, threading.Condition]] = []  # the owner of each, and its place
        self._lent_to: Counter[str] = Counter()

    @property
    def isolation(self) -> Isolation:
        """The isolation of every run."""
        return self._plan.isolation

    @property
    def free(self) -> int:
        """The number of cells that run nothing now."""
        return len(self._free)

    @property
    def forks(self) -> bool:
        """True if a fork server can start its runs."""
        return self._plan.serves_forks

    def run(self, command: Command) -> Execution:
        """Run one command in the next free cell, and waits for both.

        Raises:
            CommandError: if no cell can run the command.
            CellError: if a cell was lost twice before the command started, or once during the
                run: running the command again could hide what it did.
        """
        return self.run_series((command,))[0]

    def run_series(self, commands: Sequence[Command]) -> list[Execution]:
        """Run the first of these commands, and more of them one after another in the same cell.

        The series ends with the first run that does not end well, and after some milliseconds.
        The calling thread sleeps meanwhile, so that a short run costs about half of what `run`
        costs around it.

        Args:
            commands: One or more, all with the same view and the same cell.

        Returns:
            One execution or more, in order. The other commands were not run.

        Raises:
            CommandError, CellError: as in `run`.
        """
        slot = self._take(commands[0])
        try:
            return slot.run_series(commands)
        finally:
            self._give_back(slot)

    def run_joined(
        self, first: Command, second: Command, *, calls_off: _Decides | None = None
    ) -> tuple[Execution, Execution]:
        """Run two commands at the same time on one core, each in a cell of its own.

        A stream socket joins them: it is descriptor 3 of both. They share nothing else, and
        neither can reach the other's cell.

        Args:
            first: The command whose end may end the other.
            second: The other command.
            calls_off: Decides from the first execution whether the second run is of no more use,
                which then ends at once as if its wall limit were met.

        Raises:
            CommandError, CellError: as in `run`.
        """
        slot = self._take(first)
        try:
            one, two = slot.run_joined((first, second), calls_off)
            return one, two
        finally:
            self._give_back(slot)

    async def arun(self, command: Command) -> Execution:
        """Run one command without blocking the event loop; see `run`."""
        import asyncio  # whoever awaits has loaded it  # noqa: PLC0415
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.size, "steelyard-cell")
        return await asyncio.get_running_loop().run_in_executor(self._executor, self.run, command)

    def _take(self, command: Command) -> _Slot:
        """Wait for a free cell, in turn, and lend it."""
        with self._lock:
            if self._line or not self._free or self._closed:
                self._wait_in_line()
            slot = self._free[-1]
            if len(self._free) > 1:
                here = _pinned.core if _pinned.lasting else -1
                fit = [slot for slot in self._free if slot.has(command)] or self._free
                slot = next((slot for slot in fit if slot.core == here), fit[-1])
            self._free.remove(slot)
            self._lent_to[self.owner] += 1
            self._call_next()
            return slot

    def _wait_in_line(self) -> None:
        """Wait until a cell is free and all who are before have theirs.

        Who gives a cell back would else often be the first to take it again.
        """
        place = (self.owner, threading.Condition(self._lock))  # its own, so that one thread wakes
        self._line.insert(self._place_in_line(), place)
        try:
            self._require_open()
            while not (self._free and self._line[0] is place):
                place[1].wait()
                self._require_open()
        except BaseException:
            self._line.remove(place)
            self._call_next()
            raise
        del self._line[0]

    def _place_in_line(self) -> int:
        """Return the place of one more that waits: before those whose owner has or awaits more."""
        taken = self._lent_to.copy()
        own = taken[self.owner] + sum(owner == self.owner for owner, _ in self._line)
        for at, (owner, _) in enumerate(self._line):
            if taken[owner] > own:
                return at
            taken[owner] += 1
        return len(self._line)

    def _require_open(self) -> None:
        if self._closed:
            raise CellError("the pool is closed; make a new one")

    def _call_next(self) -> None:
        if self._line and self._free:
            self._line[0][1].notify()

    def _call_all(self) -> None:
        for _, place in self._line:
            place.notify()

    def _give_back(self, slot: _Slot) -> None:
        with self._lock:
            self._free.append(slot)
            self._lent_to[self.owner] -= 1
            self._call_next()
            if self._closed:
                self._returned.notify_all()

    @property
    def at_once(self) -> int:
        """Most runs that one piece of work should have in flight."""
        return self.size

    def stoppable(self, owner: str = "") -> "StoppablePool":
        """Return the same cells for one owner's piece of work, whose runs can be ended at once."""
        return StoppablePool(self, owner)

    def close(self) -> None:
        """Wait for the running commands, then end every cell."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._call_all()
            while len(self._free) < self.size:
                self._returned.wait()
        if self._executor:
            self._executor.shutdown()
        for slot in self._slots:
            slot.close()

    def abort(self) -> None:
        """End every cell at once; commands that are running raise `CellError`."""
        with self._lock:
            self._closed = True
            self._call_all()
        for slot in self._slots:
            slot.abort()

    def after_fork(self) -> None:
        """Drop the cells in a forked child: they are the parent's; this process makes its own."""
        for slot in self._slots:
            slot.forget()
        self._make_lock()
        self._free = list(self._slots)
        self._executor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None or issubclass(kind, Exception):
            self.close()
        else:
            self.abort()

    def __del__(self) -> None:
        for slot in getattr(self, "_slots", ()):
            slot.close()


class StoppablePool(CellPool):
    """The cells of a pool for one piece of work; closing it leaves the pool as it is.

    Args:
        pool: The pool; other work may use it at the same time.
        owner: Whose work it is.
    """

    __slots__ = ("_is_stopped", "_lent", "most", "owner")  # all else is the pool's own

    def __init__(self, pool: CellPool, owner: str) -> None:
        self.__dict__ = pool.__dict__
        self.owner = owner
        self.most: int | None = None
        self._is_stopped = False
        self._lent: set[_Slot] = set()

    @property
    def at_once(self) -> int:
        """Most runs in flight: `most`, or one for each cell."""
        return self.most or self.size

    def stop(self) -> None:
        """Kill the programs that run, and begin no other; each raises `StoppedError`."""
        with self._lock:
            self._is_stopped = True
            for slot in self._lent:
                slot.stop()
            self._call_all()

    def _take(self, command: Command) -> _Slot:
        slot = super()._take(command)
        with self._lock:
            slot.is_stopped = self._is_stopped
            self._lent.add(slot)
        return slot

    def _give_back(self, slot: _Slot) -> None:
        with self._lock:
            self._lent.remove(slot)
            slot.is_stopped = False
        super()._give_back(slot)

    def _require_open(self) -> None:
        super()._require_open()
        if self._is_stopped:
            raise _stopped()

    def close(self) -> None:
        """Do nothing: the cells are those of the pool."""

    abort = stop

    def __del__(self) -> None:
        """Keep the cells."""


def _stopped() -> StoppedError:
    return StoppedError("whoever waited for the run has stopped it")


def _run_joined(
    cells: list[Cell], commands: Sequence[Command], calls_off: _Decides | None
) -> list[Execution]:
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        for cell, command, end in zip(cells, commands, ends, strict=True):
            cell.begin(dataclasses.replace(command, channel=end.fileno()))
    finally:
        for end in ends:  # so that each side sees when the other ends
            end.close()
    one, other = cells
    execution = one.finish()
    if calls_off and calls_off(execution):
        other.call_off()
    return [execution, other.finish()]


class _PinnedCore(threading.local):
    """The core on which the calling thread stays between runs."""

    lasting = False
    core = -1


_pinned = _PinnedCore()


class _on_core:  # noqa: N801  (used as a function; a generator would cost as much as it saves)
    """Keep the calling thread on a cell's core while it waits for the cell.

    Waking a thread on another core takes an interrupt each way, about 50 microseconds in all.
    """

    __slots__ = ("_before", "_core")

    def __init__(self, core: int) -> None:
        self._core = core

    def __enter__(self) -> None:
        if _pinned.lasting:
            if _pinned.core != self._core:
                os.sched_setaffinity(0, {self._core})
                _pinned.core = self._core
            return
        self._before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self._core})

    def __exit__(self, *_: object) -> None:
        if not _pinned.lasting:
            os.sched_setaffinity(0, self._before)


def settle_on_cell_cores() -> None:
    """Leave the calling thread on its cell's core for good: it does nothing but run commands."""
    _pinned.lasting, _pinned.core = True, -1


@contextmanager
def stay_on_cell_cores() -> Iterator[None]:
    """Leave the calling thread on its cell's core between runs, if it does little else.

    Moving there and back costs each run about ten microseconds.
    """
    if _pinned.lasting:
        yield
        return
    before = os.sched_getaffinity(0)
    settle_on_cell_cores()
    try:
        yield
    finally:
        _pinned.lasting = False
        os.sched_setaffinity(0, before)


def _taken() -> Counter[int]:
    """Return how many cells of this process use each core."""
    return Counter(slot.core for pool in tuple(_pools) if not pool._closed for slot in pool._slots)  # noqa: SLF001


def warm_cells(pool: CellPool) -> int:
    """Return the number of a pool's cells that run nothing now and need not be started."""
    return sum(bool(slot._cells) for slot in tuple(pool._free))  # noqa: SLF001


_pools: weakref.WeakSet[CellPool] = weakref.WeakSet()
_choosing = threading.Lock()
_shared: list[CellPool] = []
_shared_lock = threading.Lock()


def _after_fork() -> None:
    global _shared_lock, _choosing
    _shared_lock, _choosing = threading.Lock(), threading.Lock()
    for pool in _pools:
        pool.after_fork()


os.register_at_fork(after_in_child=_after_fork)


def shared_pool() -> CellPool:
    """Return the pool that the whole process shares, made at first use: one cell per core."""
    with _shared_lock:
        if not _shared:
            _shared.append(CellPool())
            atexit.register(_shared[0].abort)
        return _shared[0]
