"""Where hostile programs run: one cell, at each level of isolation that this machine has.

The levels of an ordinary user run in a child process, because a test run as root must give up
root for good to be one; `serve` is that child's side.
"""

import dataclasses
import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Literal, Protocol
from unittest.mock import patch

from steelyard.errors import SteelyardError
from steelyard.sandbox import DEFAULT_ENV, SYSTEM_VIEW, Blob, CellPool, Command, _plans, _pool
from steelyard.sandbox._wire import Namespace
from steelyard.schemas import Execution, Isolation, Limits
from steelyard.settings import SandboxSettings
from tests.rights import can_become

PROGRAMS = Path(__file__).with_name("programs")
ROOT = Path(__file__).parents[2]
MARKER = "STEELYARD_HOSTILE"
"""An environment variable of every run here, to find processes that outlived their run by."""
LIMITS = Limits(
    cpu_ms=5_000,
    wall_ms=20_000,
    memory_mib=64,
    stack_mib=16,
    output_mib=8,
    file_mib=8,
    processes=32,
)
"""Time in plenty: a loaded machine must not stop what is to end otherwise."""
_CHILD = "import sys; from tests.hostile.arena import serve; serve(*sys.argv[1:])"
ORDINARY_IDS = 1 << 20
"""Ids above this belong to nobody; each ordinary user of a test gets one of its own."""


@dataclass(frozen=True)
class Level:
    """One way to run: which backend, which counters, whose rights."""

    name: str
    backend: Literal["cell", "docker"] = "cell"
    accounting: Literal["auto", "none"] = "auto"
    namespaces: bool = True
    ordinary: bool = False

    @property
    def counts(self) -> bool:
        """Return if control groups count what a run uses, where the machine has them."""
        return self.accounting == "auto" and not self.ordinary

    def open_pool(self, size: int = 1) -> CellPool:
        """A pool at this level, for this process's user."""
        settings = SandboxSettings(backend=self.backend, accounting=self.accounting)
        if self.namespaces:
            return CellPool(size, settings=settings)
        with patch.object(_plans, "_ALL", Namespace(0)):
            plan = _plans._find_plan.__wrapped__(settings, os.geteuid())
        with patch.object(_pool, "find_plan", return_value=plan):
            return CellPool(size, settings=settings)


LEVELS = (
    Level("cell"),
    Level("cell-uncounted", accounting="none"),
    Level("cell-ordinary", ordinary=True),
    Level("landlock", namespaces=False),
    Level("landlock-ordinary", namespaces=False, ordinary=True),
    Level("docker", backend="docker"),
)


def pool_without_forks() -> CellPool:
    """A pool whose cells start each interpreter, as without namespaces."""
    plan = dataclasses.replace(_plans.find_plan(SandboxSettings()))
    plan.__dict__["serves_forks"] = False
    with patch.object(_pool, "find_plan", return_value=plan):
        return CellPool(1)


@dataclass(frozen=True)
class Job:
    """One run of a program from `programs/`."""

    program: str
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    shared_input: bool = False
    """Whether the input is a blob that later runs with the same input are given too."""
    limits: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    placed: bool = False
    """Whether the program is placed in the work folder and not run from memory."""


class Arena(Protocol):
    """One cell at one level."""

    level: Level

    def isolation(self) -> Isolation:
        """What is in force."""

    def run(self, *jobs: Job) -> Execution:
        """Runs programs, in one series as far as that goes; what the last one did."""

    def cells(self) -> tuple[int, ...]:
        """The process ids of the cells that now stand."""

    def owner(self) -> int:
        """The process whose cells they are."""

    def user(self) -> int:
        """The user id that the cells' caller has."""

    def close(self) -> None:
        """Ends the pool."""


class LocalArena:
    """A pool of this process."""

    def __init__(self, level: Level, binaries: Path, size: int = 1) -> None:
        self.level = level
        self._binaries = binaries
        self._pool = level.open_pool(size)
        self._blobs: dict[str | bytes, Blob] = {}

    def isolation(self) -> Isolation:
        return self._pool.isolation

    def add(self, program: str, image: bytes) -> None:
        self._blobs[program] = Blob(image)

    def run(self, *jobs: Job) -> Execution:
        left = [self._command(job) for job in jobs]
        while True:
            done = self._pool.run_series(left)
            left = left[len(done) :]
            if not left:
                return done[-1]

    def run_beside(self, host: Job, guest: Job) -> list[Execution]:
        """Runs a program, and in another cell a second one again and again until it has ended."""
        with ThreadPoolExecutor(1) as thread:
            command = self._command(guest)
            running = thread.submit(self.run, host)
            done = []
            while not running.done():
                done.append(self._pool.run(command))
            return [running.result(), *done]

    def _command(self, job: Job) -> Command:
        if job.program not in self._blobs:
            self.add(job.program, build(job.program, self._binaries).read_bytes())
        image = self._blobs[job.program]
        stdin: bytes | Blob = job.stdin
        if job.shared_input:
            stdin = self._blobs.setdefault(job.stdin, Blob(job.stdin))
        return Command(
            argv=("./program" if job.placed else job.program, *job.args),
            stdin=stdin,
            limits=LIMITS.replace(**job.limits),
            env={**DEFAULT_ENV, MARKER: str(self.owner())},
            files={**job.files, "program": image} if job.placed else job.files,
            executable=None if job.placed else image,
            collect=job.collect,
            view=SYSTEM_VIEW,
        )

    def cells(self) -> tuple[int, ...]:
        return tuple(cell._home.pid for slot in self._pool._slots for cell in slot._cells.values())

    def owner(self) -> int:
        return os.getpid()

    def user(self) -> int:
        return os.geteuid()

    def close(self) -> None:
        self._pool.close()


class OrdinaryArena:
    """A pool of a child process that has given up root."""

    def __init__(self, level: Level, binaries: Path, size: int = 1) -> None:
        self.level = level
        self._binaries = binaries
        self._sent: set[str] = set()
        self._connection, theirs = Pipe()
        self._child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(theirs.fileno()), str(size), level.name],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self._ask("isolation")

    def _ask(self, method: str, *arguments: object) -> object:
        self._connection.send((method, arguments))
        answer = self._connection.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def isolation(self) -> Isolation:
        answer = self._ask("isolation")
        assert isinstance(answer, Isolation)
        return answer

    def run(self, *jobs: Job) -> Execution:
        self._send(*jobs)
        answer = self._ask("run", *jobs)
        assert isinstance(answer, Execution)
        return answer

    def run_beside(self, host: Job, guest: Job) -> list[Execution]:
        self._send(host, guest)
        answer = self._ask("run_beside", host, guest)
        assert isinstance(answer, list)
        return answer

    def _send(self, *jobs: Job) -> None:
        for program in {job.program for job in jobs} - self._sent:
            self._ask("add", program, build(program, self._binaries).read_bytes())
            self._sent.add(program)

    def cells(self) -> tuple[int, ...]:
        answer = self._ask("cells")
        assert isinstance(answer, tuple)
        return answer

    def owner(self) -> int:
        return self._child.pid

    def user(self) -> int:
        answer = self._ask("user")
        assert isinstance(answer, int)
        return answer

    def close(self) -> None:
        if self._connection.closed:
            return
        try:
            self._ask("close")
        finally:
            self._connection.close()
            self._child.wait(20)


def serve(fd: str, size: str, level_name: str) -> None:
    """The child's side of `OrdinaryArena`: gives up root, then answers until told to close."""
    os.setgroups([])
    own = ORDINARY_IDS + os.getpid()
    os.setresgid(own, own, own)
    os.setresuid(own, own, own)
    level = next(level for level in LEVELS if level.name == level_name)
    connection = Connection(int(fd))
    arena: LocalArena | None = None
    method = ""
    while method != "close":
        method, arguments = connection.recv()
        try:
            arena = arena or LocalArena(level, Path(os.devnull), int(size))
            connection.send(getattr(arena, method)(*arguments))
        except (SteelyardError, OSError) as error:
            connection.send(error)


def can_become_ordinary() -> bool:
    """Return if an `OrdinaryArena` can have ids of its own here."""
    last = int(Path("/proc/sys/kernel/pid_max").read_text())
    return can_become(ORDINARY_IDS) and can_become(ORDINARY_IDS + last)


def open_arena(level: Level, binaries: Path, size: int = 1) -> LocalArena | OrdinaryArena:
    """The arena of a level.

    Args:
        level: Which.
        binaries: A folder for the compiled programs, which processes may share.
        size: Number of cells.
    """
    drops = level.ordinary and can_become_ordinary()
    return (OrdinaryArena if drops else LocalArena)(level, binaries, size)


def alive(owner: int) -> list[int]:
    """Processes of runs that are still there, found by what every run has in its environment."""
    mark = f"{MARKER}={owner}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def build(program: str, binaries: Path) -> Path:
    """The executable of a program from `programs/`, compiled where that has not been done yet."""
    source = PROGRAMS / f"{program}.c"
    text = source.read_bytes() + (PROGRAMS / "attempt.h").read_bytes()
    binary = binaries / f"{program}-{hashlib.sha256(text).hexdigest()[:16]}"
    if not binary.exists():
        draft = binary.with_suffix(f".{os.getpid()}")
        subprocess.run(
            ["gcc", "-O1", "-static", "-pthread", "-w", "-o", str(draft), str(source)], check=True
        )
        draft.replace(binary)
    return binary
