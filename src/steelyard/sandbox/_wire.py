"""The protocol between the pool and a cell: fixed little-endian structs over a seqpacket socket.

The pool sends one setup message and a cell answers `ready`; then each request gets one reply.
A message may hold a series of requests. The cell runs them one after another until one does not
end well or some milliseconds have passed, and then sends one byte over the bell, another socket:
the number of replies. Requests without a reply were not run. The pool sends the sequence of a run
over the bell to end that run as if its wall limit were met.
Strings follow a struct, each ended by a NUL byte; descriptors are ancillary data (SCM_RIGHTS).
cell.c is the other side. It knows the digest of this file that it was built with, and refuses a
setup with another: only one version of each side ever speaks.
"""

import struct
from enum import IntEnum, IntFlag
from typing import NamedTuple

MAGIC = 0x41535931
MAX_STRING_BYTES = 90 * 1024
MAX_FILES = 230
MAX_STRINGS = 8_000
MAX_COLLECTED = 32
MAX_SERIES = 16


class SetupFlag(IntFlag):
    """Properties of the cell's surroundings."""

    ROOT_MAP = 1
    """The caller is root: the supervisor and the candidate each get an id of their own."""
    CGROUP_V1 = 2
    CGROUP_V2 = 4
    PINNED = 8
    LANDLOCK = 16
    CONTAINED = 32
    """The cell is process 1 of a container, with its own `/proc` and work folder."""


class Namespace(IntFlag):
    """The kernel's clone flags."""

    MOUNT = 0x0002_0000
    CGROUP = 0x0200_0000
    UTS = 0x0400_0000
    IPC = 0x0800_0000
    USER = 0x1000_0000
    PID = 0x2000_0000
    NETWORK = 0x4000_0000


# version, flags, namespaces, cpu | scratch_bytes, scratch_inodes | outer_uid, own_uid, own_gid |
# n_mounts, n_filter, n_join, string_bytes. Strings: source and target of each mount, then the
# work folder (empty with a mount namespace). Descriptors: the progress page, the bell, the files to
# join, then the cgroup's limit, usage, stat, cpu and pids, and its peak if it can be reset.
SETUP = struct.Struct("<IIIiQIIIIIIII")

# magic, error, namespaces, landlock_abi, stage
READY = struct.Struct("<IiII64s")

# magic, flags, sequence | argc, envc, n_files, n_collect | processes | cpu_ns, wall_ns,
# memory_bytes, slack_bytes, stack_bytes, file_bytes | string_bytes, stdin_bytes. Strings: argv,
# env, file names, names to collect; after them standard input, if it is short. Descriptors:
# standard input if it is long, the executable, the channel, the files.
REQUEST = struct.Struct("<IIIIIIIIQQQQQQII")

# magic, sequence, flags, waited_ms | stop, wait_status, error | collected | wall_ns, cpu_ns,
# memory_bytes, max_rss_bytes, stdout_bytes, stderr_bytes. After it the outputs, if they are
# short. Descriptors: the outputs if they are long, the collected files in order.
REPLY = struct.Struct("<IIIIiiiIQQQQQQ")

MAX_INLINE_BYTES = 64 * 1024
"""Standard input, and both outputs together, travel in the message up to this size."""


class RequestFlag(IntFlag):
    """Kind of a request, and the optional descriptors that it has."""

    HAS_EXECUTABLE = 1
    HAS_STDIN = 2
    START_SERVER = 4
    """Not a run: argv and env are those of a fork server, which replaces any other."""
    FORKED = 8
    """The fork server makes the process and receives argv; env is the server's own."""
    HAS_CHANNEL = 16
    FIXED_ADDRESSES = 32
    """The program starts without address randomisation, if the kernel permits."""


class ReplyFlag(IntFlag):
    """The optional descriptors that a reply has, and the fork server's state."""

    OUTPUTS_PASSED = 1
    SERVER_GONE = 2
    """No fork server is left after the run."""


class RunEnd(IntEnum):
    """The end of a run, as the cell saw it."""

    ENDED = 0
    CPU_LIMIT = 1
    WALL_LIMIT = 2
    MEMORY_LIMIT = 3
    NOT_STARTED = 4
    """The program could not be executed; `error` is the errno."""
    NOT_PLACED = 5
    """The cell could not prepare the run; `error` is the errno."""


# sequence of the run to end
CALL_OFF = struct.Struct("<I")


class Ready(NamedTuple):
    """A cell's answer to its setup."""

    magic: int
    error: int
    namespaces: int
    landlock_abi: int
    stage: bytes


class CellReply(NamedTuple):
    """A cell's answer to a request."""

    magic: int
    sequence: int
    flags: int
    waited_ms: int
    stop: int
    wait_status: int
    error: int
    collected: int
    wall_ns: int
    cpu_ns: int
    memory_bytes: int
    max_rss_bytes: int
    stdout_bytes: int
    stderr_bytes: int


def join_strings(*groups: tuple[str, ...] | list[str]) -> bytes:
    """Return strings in the form that follows a struct; file names keep undecodable bytes."""
    return b"".join(
        text.encode("utf-8", "surrogateescape") + b"\0" for group in groups for text in group
    )
