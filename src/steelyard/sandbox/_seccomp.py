"""The system calls that no candidate may make, and their filter as a BPF program.

Every call that is not listed is allowed, up to the newest call in the table. A newer call
fails with ENOSYS, as it would on an older kernel, so that a new kernel never widens the
sandbox. docs/decisions/0004-seccomp.md explains what each group protects.
"""

import errno
import platform
import struct
from functools import cache
from typing import NamedTuple

_NEWEST = 462  # mseal; calls from 424 on have one number on all architectures


class _CallGroup(NamedTuple):
    """System calls that fail with one error: name -> (number on x86_64, number on aarch64)."""

    error: int
    calls: dict[str, tuple[int | None, int | None]]


_DENIED: dict[str, _CallGroup] = {
    "other processes": _CallGroup(
        errno.EPERM,
        {
            "ptrace": (101, 117),
            "process_vm_readv": (310, 270),
            "process_vm_writev": (311, 271),
            "kcmp": (312, 272),
            "pidfd_getfd": (438, 438),
            "process_madvise": (440, 440),
            "process_mrelease": (448, 448),
            "move_pages": (279, 239),
            "migrate_pages": (256, 238),
        },
    ),
    "mounts": _CallGroup(
        errno.EPERM,
        {
            "mount": (165, 40),
            "umount2": (166, 39),
            "pivot_root": (155, 41),
            "chroot": (161, 51),
            "open_tree": (428, 428),
            "move_mount": (429, 429),
            "fsopen": (430, 430),
            "fsconfig": (431, 431),
            "fsmount": (432, 432),
            "fspick": (433, 433),
            "mount_setattr": (442, 442),
            "statmount": (457, 457),
            "listmount": (458, 458),
            "quotactl": (179, 60),
            "quotactl_fd": (443, 443),
            "swapon": (167, 224),
            "swapoff": (168, 225),
            "name_to_handle_at": (303, 264),
            "open_by_handle_at": (304, 265),
            "fanotify_init": (300, 262),
            "fanotify_mark": (301, 263),
        },
    ),
    "namespaces": _CallGroup(errno.EPERM, {"unshare": (272, 97), "setns": (308, 268)}),
    # Its flags are behind a pointer that a filter cannot follow; C libraries fall back to clone.
    "clone3": _CallGroup(errno.ENOSYS, {"clone3": (435, 435)}),
    "modules, kexec, reboot": _CallGroup(
        errno.EPERM,
        {
            "init_module": (175, 105),
            "finit_module": (313, 273),
            "delete_module": (176, 106),
            "create_module": (174, None),
            "kexec_load": (246, 104),
            "kexec_file_load": (320, 294),
            "reboot": (169, 142),
        },
    ),
    "keys": _CallGroup(
        errno.EPERM,
        {
            "add_key": (248, 217),
            "request_key": (249, 218),
            "keyctl": (250, 219),
        },
    ),
    "kernel programs": _CallGroup(
        errno.EPERM,
        {
            "bpf": (321, 280),
            "perf_event_open": (298, 241),
            "userfaultfd": (323, 282),
            "lookup_dcookie": (212, 18),
            "lsm_get_self_attr": (459, 459),
            "lsm_set_self_attr": (460, 460),
            "lsm_list_modules": (461, 461),
        },
    ),
    "io_uring": _CallGroup(
        errno.ENOSYS,
        {
            "io_uring_setup": (425, 425),
            "io_uring_enter": (426, 426),
            "io_uring_register": (427, 427),
        },
    ),
    # Its contexts count against a limit of the whole machine.
    "asynchronous files": _CallGroup(errno.ENOSYS, {"io_setup": (206, 0)}),
    "other cells' files": _CallGroup(
        errno.ENOSYS,
        {
            "inotify_init": (253, None),
            "inotify_init1": (294, 26),
            "inotify_add_watch": (254, 27),
        },
    ),
    "clocks": _CallGroup(
        errno.EPERM,
        {
            "settimeofday": (164, 170),
            "clock_settime": (227, 112),
            "adjtimex": (159, 171),
            "clock_adjtime": (305, 266),
        },
    ),
    "objects that outlive a run": _CallGroup(
        errno.ENOSYS,
        {
            "shmget": (29, 194),
            "shmat": (30, 196),
            "shmctl": (31, 195),
            "shmdt": (67, 197),
            "semget": (64, 190),
            "semop": (65, 193),
            "semctl": (66, 191),
            "semtimedop": (220, 192),
            "msgget": (68, 186),
            "msgsnd": (69, 189),
            "msgrcv": (70, 188),
            "msgctl": (71, 187),
            "mq_open": (240, 180),
            "mq_unlink": (241, 181),
            "setxattr": (188, 5),
            "lsetxattr": (189, 6),
            "fsetxattr": (190, 7),
            "removexattr": (197, 14),
            "lremovexattr": (198, 15),
            "fremovexattr": (199, 16),
        },
    ),
    "the machine": _CallGroup(
        errno.EPERM,
        {
            "sethostname": (170, 161),
            "setdomainname": (171, 162),
            "syslog": (103, 116),
            "acct": (163, 89),
            "vhangup": (153, 58),
            "iopl": (172, None),
            "ioperm": (173, None),
            "modify_ldt": (154, None),
            "uselib": (134, None),
            "sysfs": (139, None),
            "nfsservctl": (180, 42),
            "memfd_secret": (447, 447),
        },
    ),
    "the scheduler": _CallGroup(
        errno.EPERM,
        {
            "sched_setaffinity": (203, 122),
            "sched_setscheduler": (144, 119),
            "sched_setparam": (142, 118),
            "sched_setattr": (314, 274),
            "ioprio_set": (251, 30),
            "mbind": (237, 235),
            "set_mempolicy": (238, 237),
            "set_mempolicy_home_node": (450, 450),
        },
    ),
}

_CLONE, _IOCTL, _SOCKET, _FCNTL = (56, 220), (16, 29), (41, 198), (72, 25)
_SETRLIMIT, _CORE_SIZE = (160, 164), 4
_MMAP, _MAP_HUGETLB = (9, 222), 0x4_0000
_MEMFD_CREATE, _MFD_HUGETLB = (319, 279), 4
_PRLIMIT, _SETPRIORITY, _PERSONALITY = (302, 261), (141, 140), (135, 92)
_FADVISE, _DONT_NEED = (221, 223), 4
_SIGNALS = ((62, 129), (200, 130), (129, 138), (297, 240), (424, 424))  # all but tgkill

_NEW_NAMESPACES, _VFORK, _THREAD = 0x7E02_0000, 0x4000, 0x1_0000  # flags of clone
_SET_LEASE, _NOTIFY = 1024, 1026  # commands of fcntl
_TERMINAL_INPUT = (0x5412, 0x541C, 0x5423)  # TIOCSTI, TIOCLINUX, TIOCSETD
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16

_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

_LOAD, _JEQ, _JGT, _JSET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_NUMBER, _ARCH = 0, 4  # offsets in struct seccomp_data


def _argument(index: int) -> int:
    return 16 + 8 * index  # its low half; all supported machines are little-endian


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _deny(error: int) -> bytes:
    return _op(_RETURN, _ERROR | error)


def _for_call(number: int, body: list[bytes]) -> list[bytes]:
    """Return instructions that run `body`, which must end by returning, only for this call."""
    return [_op(_JEQ, number, 0, len(body)), *body]


def _if_argument(test: int, index: int, value: int, answer: bytes) -> list[bytes]:
    """Return `answer` if the argument is the value (_JEQ) or has one of its bits (_JSET)."""
    load = _op(_LOAD, _argument(index))
    return [load, _op(test, value, 0, 1), answer, _op(_RETURN, _ALLOW)]


def _unless_argument_in(index: int, allowed: tuple[int, ...], error: int) -> list[bytes]:
    tests = [_op(_JEQ, value, len(allowed) - i) for i, value in enumerate(allowed)]
    return [_op(_LOAD, _argument(index)), *tests, _deny(error), _op(_RETURN, _ALLOW)]


def _if_argument_in(index: int, denied: tuple[int, ...]) -> list[bytes]:
    tests = [_op(_JEQ, value, len(denied) - i) for i, value in enumerate(denied)]
    return [_op(_LOAD, _argument(index)), *tests, _op(_RETURN, _ALLOW), _deny(errno.EPERM)]


def is_supported() -> bool:
    """Return True if the table has this machine's architecture."""
    return platform.machine() in _AUDIT_ARCH


@cache
def build_filter(*, own_network: bool, own_signals: bool, own_files: bool) -> bytes:
    """Return the filter as an array of `struct sock_filter`.

    Args:
        own_network: The cell has a network namespace, so that sockets reach nothing.
        own_signals: Signals cannot leave the cell (a pid namespace, or Landlock's scope).
        own_files: The cell has a file view of its own. Landlock, which replaces one, does
            not stop a program from using sockets that have a path.
    """
    machine = platform.machine()
    column = 0 if machine == "x86_64" else 1

    program = [
        _op(_LOAD, _ARCH),
        _op(_JEQ, _AUDIT_ARCH[machine], 1, 0),
        _op(_RETURN, _KILL),
        _op(_LOAD, _NUMBER),
        _op(_JGT, _NEWEST, 0, 1),  # the x32 calls have higher numbers too
        _deny(errno.ENOSYS),
    ]
    for group in _DENIED.values():
        for numbers in group.calls.values():
            number = numbers[column]
            if number is not None:
                program += _for_call(number, [_deny(group.error)])
    # A thread that waits for its child of vfork would look held up, not idle: no limit counts then.
    program += _for_call(
        _CLONE[column],
        [
            _op(_LOAD, _argument(0)),
            _op(_JSET, _NEW_NAMESPACES, 3, 0),
            _op(_JSET, _VFORK, 0, 1),
            _op(_JSET, _THREAD, 1, 0),
            _op(_RETURN, _ALLOW),
            _deny(errno.EPERM),
        ],
    )
    # A lease makes others wait who open the file; a notice tells what they do in a folder.
    program += _for_call(_FCNTL[column], _if_argument_in(1, (_SET_LEASE, _NOTIFY)))
    program += _for_call(_IOCTL[column], _if_argument_in(1, _TERMINAL_INPUT))
    families = (_UNIX,) * own_files + (_INET, _INET6, _NETLINK) * own_network
    program += _for_call(_SOCKET[column], _unless_argument_in(0, families, errno.EAFNOSUPPORT))
    # A page that leaves memory during a run would lower the run's measured memory. The call
    # reports success, which is allowed for advice.
    program += _for_call(_FADVISE[column], _if_argument(_JEQ, 3, _DONT_NEED, _deny(0)))
    # Huge pages are charged to no run.
    for call, index, flag in ((_MMAP, 3, _MAP_HUGETLB), (_MEMFD_CREATE, 1, _MFD_HUGETLB)):
        program += _for_call(call[column], _if_argument(_JSET, index, flag, _deny(errno.ENOMEM)))
    # The limit of 1 prevents a crash from starting the host's core handler; at 0 it would start.
    # The call reports success.
    program += _for_call(_SETRLIMIT[column], _if_argument(_JEQ, 0, _CORE_SIZE, _deny(0)))
    # With another pid, this could reach a supervisor under the same user id.
    program += _for_call(
        _PRLIMIT[column],
        [
            _op(_LOAD, _argument(0)),
            _op(_JEQ, 0, 1, 0),
            _deny(errno.EPERM),
            _op(_LOAD, _argument(1)),
            _op(_JEQ, _CORE_SIZE, 0, 5),
            _op(_LOAD, _argument(2)),
            _op(_JEQ, 0, 0, 2),  # a null pointer only reads the limit
            _op(_LOAD, _argument(2) + 4),
            _op(_JEQ, 0, 1, 0),
            _deny(0),
            _op(_RETURN, _ALLOW),
        ],
    )
    program += _for_call(
        _SETPRIORITY[column],
        [
            _op(_LOAD, _argument(0)),
            _op(_JEQ, 0, 1, 0),  # PRIO_PROCESS: a group or a user includes more than the caller
            _deny(errno.EPERM),
            *_unless_argument_in(1, (0,), errno.EPERM),
        ],
    )
    personas = (0, 0x0004_0000, 0xFFFF_FFFF)  # ordinary, without address randomisation, a query
    program += _for_call(_PERSONALITY[column], _unless_argument_in(0, personas, errno.EPERM))
    if not own_signals:
        for numbers in _SIGNALS:
            program += _for_call(numbers[column], [_deny(errno.EPERM)])
    program.append(_op(_RETURN, _ALLOW))
    return b"".join(program)
