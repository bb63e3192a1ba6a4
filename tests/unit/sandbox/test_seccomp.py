"""What the filter says of each call, found by running its program as the kernel does."""

import errno
import platform
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.sandbox import _seccomp
from steelyard.sandbox._wire import Namespace

MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}
ALLOW, ERRNO, KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
CALLS = {
    name: (group.error, numbers)
    for group in _seccomp._DENIED.values()
    for name, numbers in group.calls.items()
}
SPECIAL = {
    "clone": _seccomp._CLONE,
    "ioctl": _seccomp._IOCTL,
    "socket": _seccomp._SOCKET,
    "fcntl": _seccomp._FCNTL,
    "prlimit64": _seccomp._PRLIMIT,
    "setpriority": _seccomp._SETPRIORITY,
    "personality": _seccomp._PERSONALITY,
    "kill": _seccomp._SIGNALS[0],
    "tkill": _seccomp._SIGNALS[1],
    "rt_sigqueueinfo": _seccomp._SIGNALS[2],
    "rt_tgsigqueueinfo": _seccomp._SIGNALS[3],
    "pidfd_send_signal": _seccomp._SIGNALS[4],
}
ORDINARY = {  # on x86_64, on aarch64
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "mmap": (9, 222),
    "brk": (12, 214),
    "openat": (257, 56),
    "execve": (59, 221),
    "execveat": (322, 281),
    "exit_group": (231, 94),
    "wait4": (61, 260),
    "futex": (202, 98),
    "rt_sigaction": (13, 134),
    "getrandom": (318, 278),
    "set_robust_list": (273, 99),
    "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124),
    "pipe2": (293, 59),
    "dup3": (292, 24),
    "memfd_create": (319, 279),
    "statx": (332, 291),
    "rseq": (334, 293),
    "tgkill": (234, 131),
    "epoll_pwait": (281, 22),
    "getdents64": (217, 61),
    "unlinkat": (263, 35),
    "renameat2": (316, 276),
    "close_range": (436, 436),
    "openat2": (437, 437),
    "faccessat2": (439, 439),
    "pidfd_open": (434, 434),
    "capset": (126, 91),
    "setresuid": (117, 147),
    "setsid": (112, 157),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "prctl": (157, 167),
}
PROMISED = {  # the same, written a second time: no edit of the table may lose one of these
    "ptrace": (101, 117),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "move_mount": (429, 429),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "unshare": (272, 97),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "process_vm_readv": (310, 270),
    "chroot": (161, 51),
}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def run(program: bytes, arch: int, number: int, arguments: Sequence[int] = ()) -> int:
    """Classic BPF over `struct seccomp_data`, as far as filters use it."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, arch, 0, *(value & (1 << 64) - 1 for value in padded))
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == 0x06:
            return value
        if operation == 0x20:
            assert value % 4 == 0
            assert value <= len(data) - 4
            (accumulator,) = struct.unpack_from("<I", data, value)
            continue
        holds = {
            0x15: accumulator == value,
            0x25: accumulator > value,
            0x45: accumulator & value != 0,
        }
        at += if_true if holds[operation] else if_false


class Filter:
    """A filter on one machine, asked call by call."""

    def __init__(
        self,
        machine: str,
        *,
        own_network: bool = True,
        own_signals: bool = True,
        own_files: bool = True,
    ) -> None:
        self.column, self.arch = MACHINES[machine]
        self.program = _seccomp.build_filter(
            own_network=own_network, own_signals=own_signals, own_files=own_files
        )

    def ask(self, numbers: Sequence[int | None], *arguments: int) -> int:
        number = numbers[self.column]
        assert number is not None
        return run(self.program, self.arch, number, arguments)


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    _seccomp.build_filter.cache_clear()
    yield request.param
    _seccomp.build_filter.cache_clear()


@pytest.fixture
def usual(machine: str) -> Filter:
    return Filter(machine)


def refusal(error: int) -> int:
    return ERRNO | error


@pytest.mark.parametrize("name", HEADERS)
def test_the_numbers_are_those_of_the_kernel(name: str) -> None:
    if not HEADERS[name].exists():
        pytest.skip(f"no {HEADERS[name]} here")
    text = HEADERS[name].read_text()
    known = {
        call: int(number)
        for call, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)
    }
    column = MACHINES[name][0]
    denied = {call: numbers for call, (_, numbers) in CALLS.items()}

    for call, numbers in {**denied, **PROMISED, **SPECIAL, **ORDINARY}.items():
        if numbers[column] is not None and call in known:
            assert numbers[column] == known[call], call
    assert len(set(denied) & set(known)) > 80


def test_each_denied_call_gets_its_error(usual: Filter) -> None:
    answers = {
        name: (usual.ask(numbers), refusal(error))
        for name, (error, numbers) in CALLS.items()
        if numbers[usual.column] is not None
    }
    assert {name: pair for name, pair in answers.items() if pair[0] != pair[1]} == {}
    assert len(answers) > 80


def test_denies_what_was_promised(usual: Filter) -> None:
    refusals = (refusal(errno.EPERM), refusal(errno.ENOSYS))
    assert {n for n, numbers in PROMISED.items() if usual.ask(numbers) not in refusals} == set()


def test_allows_what_programs_need(usual: Filter) -> None:
    assert {n for n, numbers in ORDINARY.items() if usual.ask(numbers) != ALLOW} == set()


def test_denies_no_call_that_is_not_listed(usual: Filter) -> None:
    special = {numbers[usual.column] for numbers in SPECIAL.values()}
    denied = {numbers[usual.column] for _, numbers in CALLS.values()}

    for number in set(range(_seccomp._NEWEST + 1)) - denied - special:
        assert run(usual.program, usual.arch, number, (0,) * 6) == ALLOW, number


@given(st.integers(_seccomp._NEWEST + 1, 2**32 - 1))
def test_a_call_younger_than_the_table_does_not_exist(number: int) -> None:
    program = _seccomp.build_filter(own_network=True, own_signals=True, own_files=True)
    arch = MACHINES[platform.machine()][1]

    assert run(program, arch, number) == refusal(errno.ENOSYS)


def test_refuses_the_x32_calls(usual: Filter) -> None:
    for number in (0, 59, 101, 520, 545):
        assert run(usual.program, usual.arch, 0x4000_0000 | number) == refusal(errno.ENOSYS)


def test_kills_who_calls_as_another_machine(usual: Filter) -> None:
    for arch in (0x4000_0003, 0x4000_0028, 0, 0xFFFF_FFFF):
        assert run(usual.program, arch, 0) == KILL


def test_clone_makes_processes_and_threads_and_no_namespace(usual: Filter) -> None:
    for flag in Namespace:
        assert usual.ask(_seccomp._CLONE, flag | 17) == refusal(errno.EPERM)
    for flags in (17, 0x003D_0F00, 0x4111, 0x0120_0011):  # fork, a thread, vfork, glibc's spawn
        assert usual.ask(_seccomp._CLONE, flags) == ALLOW
    thread_that_holds_its_maker = 0x003D_0F00 | 0x4000
    assert usual.ask(_seccomp._CLONE, thread_that_holds_its_maker) == refusal(errno.EPERM)


def test_terminals_can_be_asked_and_get_no_forged_input(usual: Filter) -> None:
    for request in (0x5412, 0x541C, 0x5423):
        for high in (0, 1 << 32, 0xFFFF_FFFF << 32):
            assert usual.ask(_seccomp._IOCTL, 0, high | request) == refusal(errno.EPERM)
    for request in (0x5401, 0x5413, 0x541B, 0x5421):
        assert usual.ask(_seccomp._IOCTL, 0, request) == ALLOW


def test_files_cannot_be_watched_nor_leased(usual: Filter) -> None:
    for command in (1024, 1026):
        for high in (0, 1 << 32):
            assert usual.ask(_seccomp._FCNTL, 0, high | command) == refusal(errno.EPERM)
    for command in (0, 1, 2, 3, 4, 6, 8, 10, 1025, 1030, 1031, 1033):
        assert usual.ask(_seccomp._FCNTL, 0, command) == ALLOW


@pytest.mark.parametrize(
    ("family", "inside", "outside"),
    [
        (1, True, True),
        (2, True, False),
        (10, True, False),
        (16, True, False),
        (17, False, False),
        (38, False, False),
        (40, False, False),
        (0, False, False),
    ],
)
def test_sockets_are_of_harmless_families_only(
    machine: str, family: int, inside: bool, outside: bool
) -> None:
    for own_network, allowed in ((True, inside), (False, outside)):
        answer = Filter(machine, own_network=own_network).ask(_seccomp._SOCKET, family)
        assert answer == (ALLOW if allowed else refusal(errno.EAFNOSUPPORT))


@pytest.mark.parametrize(
    ("call", "index", "allowed"),
    [
        ("_PRLIMIT", 0, {0}),
        ("_SETPRIORITY", 1, {0}),
        ("_PERSONALITY", 0, {0, 0x0004_0000, 0xFFFF_FFFF}),
    ],
)
def test_a_call_upon_a_process_is_for_oneself(
    usual: Filter, call: str, index: int, allowed: set[int]
) -> None:
    for value in allowed | {1, 2, 1000, 0x0008_0000}:
        arguments = [0] * index + [value]
        answer = usual.ask(getattr(_seccomp, call), *arguments)
        assert answer == (ALLOW if value in allowed else refusal(errno.EPERM))


def test_signals_stay_inside_where_nothing_else_keeps_them(machine: str) -> None:
    for numbers in _seccomp._SIGNALS:
        assert Filter(machine, own_signals=True).ask(numbers) == ALLOW
        assert Filter(machine, own_signals=False).ask(numbers) == refusal(errno.EPERM)
    assert Filter(machine, own_signals=False).ask(ORDINARY["tgkill"]) == ALLOW


@pytest.mark.parametrize("own_network", [True, False])
@pytest.mark.parametrize("own_signals", [True, False])
def test_is_a_program_that_the_kernel_takes(
    machine: str, own_network: bool, own_signals: bool
) -> None:
    program = Filter(machine, own_network=own_network, own_signals=own_signals).program
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]

    assert len(code) <= 4096
    for at, (operation, if_true, if_false, _) in enumerate(code):
        if operation & 7 == 5:
            assert at + 1 + max(if_true, if_false) < len(code)
    assert code[-1][0] == 0x06


def test_knows_no_other_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")

    assert not _seccomp.is_supported()


def test_priority_reaches_the_calling_process_alone(usual: Filter) -> None:
    setpriority = (141, 140)
    assert usual.ask(setpriority, 0, 0, 19) == ALLOW
    for which, who in ((0, 1), (1, 0), (2, 0)):
        assert usual.ask(setpriority, which, who, 19) == refusal(errno.EPERM)


def test_advice_never_drops_pages(usual: Filter) -> None:
    fadvise = (221, 223)
    assert usual.ask(fadvise, 3, 0, 0, 4) == refusal(0)
    assert usual.ask(fadvise, 3, 0, 0, 3) == ALLOW


def test_sockets_need_namespaces_of_their_own(machine: str) -> None:
    socket = (41, 198)
    weakest = Filter(machine, own_network=False, own_files=False)
    for family in (1, 2, 10, 16, 38, 40):
        assert weakest.ask(socket, family, 1, 0) == refusal(errno.EAFNOSUPPORT)
    assert Filter(machine, own_network=False).ask(socket, 1, 1, 0) == ALLOW
