"""Parse what the pool sends. The pool is trusted, but a cell out of step must end, not guess."""

import struct
from typing import NamedTuple

from steelyard.sandbox import _wire as wire

BUFFER_BYTES = 160 * 1024
MAX_FDS = 240
_MAX_MOUNTS = 256
_FILTER_RECORD_BYTES = 8


class OutOfStepError(Exception):
    """The message does not belong to this protocol."""


class _SetupHead(NamedTuple):
    version: int
    flags: int
    namespaces: int
    cpu: int
    scratch_bytes: int
    scratch_inodes: int
    outer_uid: int
    own_uid: int
    own_gid: int
    n_mounts: int
    n_filter: int
    n_join: int
    string_bytes: int


class Setup(NamedTuple):
    """Properties of the cell to make."""

    head: _SetupHead
    filter: bytes
    mounts: tuple[tuple[str, str], ...]
    work: str


class _RequestHead(NamedTuple):
    magic: int
    flags: int
    sequence: int
    argc: int
    envc: int
    n_files: int
    n_collect: int
    processes: int
    cpu_ns: int
    wall_ns: int
    memory_bytes: int
    slack_bytes: int
    stack_bytes: int
    file_bytes: int
    string_bytes: int
    stdin_bytes: int


class Request(NamedTuple):
    """One command to run."""

    head: _RequestHead
    argv: list[bytes]
    environment: list[bytes]
    files: list[bytes]
    collect: list[bytes]
    stdin: bytes


def _split(data: bytes, count: int) -> list[bytes]:
    texts = data.split(b"\0")
    if texts.pop() or len(texts) != count:
        raise OutOfStepError
    return texts


def parse_setup(data: bytes) -> Setup:
    """Parse the first message.

    Raises:
        OutOfStepError: if it is not a setup message.
    """
    try:
        head = _SetupHead._make(wire.SETUP.unpack_from(data))
    except struct.error as error:
        raise OutOfStepError from error
    strings_at = wire.SETUP.size + head.n_filter * _FILTER_RECORD_BYTES
    if head.n_mounts > _MAX_MOUNTS or strings_at + head.string_bytes != len(data):
        raise OutOfStepError
    paths = [
        path.decode(errors="surrogateescape")
        for path in _split(data[strings_at:], 2 * head.n_mounts + 1)
    ]
    work = paths.pop()
    mounts = tuple(zip(paths[::2], paths[1::2], strict=True))
    return Setup(head, data[wire.SETUP.size : strings_at], mounts, work)


def parse_requests(data: bytes) -> list[Request]:
    """Parse any later message: one request, or a series.

    Raises:
        OutOfStepError: if it is not a request.
    """
    requests: list[Request] = []
    while data or not requests:
        request, data = _parse_request(data)
        requests.append(request)
    return requests


def _parse_request(data: bytes) -> tuple[Request, bytes]:
    """Return the first request and the rest of the message."""
    try:
        head = _RequestHead._make(wire.REQUEST.unpack_from(data))
    except struct.error as error:
        raise OutOfStepError from error
    counts = (head.argc, head.envc, head.n_files, head.n_collect)
    stdin_at = wire.REQUEST.size + head.string_bytes
    end = stdin_at + head.stdin_bytes
    if (
        head.magic != wire.MAGIC
        or head.argc < 1
        or sum(counts) > wire.MAX_STRINGS
        or head.n_collect > wire.MAX_COLLECTED
        or end > len(data)
    ):
        raise OutOfStepError
    texts = iter(_split(data[wire.REQUEST.size : stdin_at], sum(counts)))
    argv, environment, files, collect = ([next(texts) for _ in range(n)] for n in counts)
    request = Request(head, argv, environment, files, collect, data[stdin_at:end])
    return request, data[end:]
