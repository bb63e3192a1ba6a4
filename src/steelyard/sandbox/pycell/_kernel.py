"""System calls that Python's standard library does not wrap."""

import ctypes
import fcntl
import os
import signal
import struct
from collections.abc import Sequence
from contextlib import suppress

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x4_0000
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_SECCOMP = 1, 4, 8, 22
PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 24, 36, 38

# These have one number on all architectures.
_OPEN_TREE, _MOVE_MOUNT, _OPENAT2, _MOUNT_SETATTR = 428, 429, 437, 442
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
# clone and tgkill on x86_64, and on machines with the generic numbers.
_CLONE, _TGKILL = (56, 234) if os.uname().machine == "x86_64" else (220, 131)

_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE, _MOVE_MOUNT_F_EMPTY_PATH, _MNT_DETACH = 1, 4, 2
_ADDR_NO_RANDOMIZE = 0x4_0000
_SECCOMP_MODE_FILTER = 2
_FS_IOC_SETFLAGS = 0x4008_6602
_CAPABILITY_VERSION_3 = 0x2008_0522
_RESOLVE_BENEATH_NO_LINKS = 0x08 | 0x04 | 0x02

_libc = ctypes.CDLL(None, use_errno=True)
_locked_libc = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock: for clone

Strings = ctypes.Array[ctypes.c_char_p]


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def _syscall(number: int, *arguments: int | bytes | None) -> int:
    wide = (ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)
    return _checked(_libc.syscall(ctypes.c_long(number), *wide))


def clone(flags: int) -> int:
    """Fork into new namespaces; return 0 in the child. Python's own hooks do not run."""
    wide = [ctypes.c_long(argument) for argument in (_CLONE, flags | signal.SIGCHLD, 0, 0, 0, 0)]
    return _checked(_locked_libc.syscall(*wide))


def terminate(pid: int) -> None:
    """End a process of the run.

    If the seccomp filter refuses `kill`, each thread is sent SIGKILL by the one call that it never
    refuses: a first thread that has ended takes no signal for the others.
    """
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:
        with suppress(ProcessLookupError):
            _syscall(_TGKILL, pid, pid, signal.SIGKILL)
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                _syscall(_TGKILL, pid, int(thread), signal.SIGKILL)


def prctl(option: int, value: int) -> None:
    """Change one setting of this process; the options here have no second argument."""
    zeros = (ctypes.c_ulong(0),) * 3
    _checked(_libc.prctl(option, ctypes.c_ulong(value), *zeros))


def fix_addresses() -> None:
    """Give the next executed program fixed addresses, if the kernel permits."""
    _libc.personality(ctypes.c_ulong(_ADDR_NO_RANDOMIZE))


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None) -> None:
    """Mount a file system, or bind a folder to a second path."""
    texts = [
        text.encode() if text is not None else None for text in (source, target, kind, options)
    ]
    _checked(_libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]))


def unmount(target: str) -> None:
    """Remove a mount at once, even if it is in use."""
    _checked(_libc.umount2(target.encode(), _MNT_DETACH))


def pivot_root() -> None:
    """Make the current folder the root, and put the old root on top of it."""
    _checked(_libc.pivot_root(b".", b"."))


def copy_tree(source: str) -> int:
    """Return a detached copy of the mounts at a path."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    return _syscall(_OPEN_TREE, _AT_FDCWD, os.fsencode(source), flags)


def set_tree_attributes(tree: int, attributes: int) -> None:
    """Set mount attributes on a detached copy and all below it."""
    packed = struct.pack("=4Q", attributes, 0, 0, 0)
    _syscall(_MOUNT_SETATTR, tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, packed, len(packed))


def set_root_attributes(attributes: int) -> None:
    """Set mount attributes on the root itself and on nothing below it."""
    packed = struct.pack("=4Q", attributes, 0, 0, 0)
    _syscall(_MOUNT_SETATTR, _AT_FDCWD, b"/", 0, packed, len(packed))


def attach_tree(tree: int, target: str) -> None:
    """Mount a detached copy."""
    place = os.fsencode(target)
    _syscall(_MOVE_MOUNT, tree, b"", _AT_FDCWD, place, _MOVE_MOUNT_F_EMPTY_PATH)


def open_beneath(folder: int, name: bytes) -> int:
    """Open a file to read, below a folder and through no link of any kind."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    how = struct.pack("=3Q", flags, 0, _RESOLVE_BENEATH_NO_LINKS)
    return _syscall(_OPENAT2, folder, name, how, len(how))


def set_capabilities(kept: int) -> None:
    """Keep these capabilities as effective and permitted, and make none inheritable."""
    head = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(head, struct.pack("=6I", kept, kept, 0, 0, 0, 0)))


def install_filter(program: bytes) -> None:
    """Install a seccomp filter, an array of `struct sock_filter`, in this process for good."""
    records = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(records))
    _checked(_libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), head))


def clear_inode_flags(folder: int) -> None:
    """Clear the flags that make an open folder immutable, append-only and so on."""
    with suppress(OSError):  # a file system without such flags
        fcntl.ioctl(folder, _FS_IOC_SETFLAGS, struct.pack("@l", 0))


def landlock_abi() -> int:
    """Return the version of Landlock that the kernel has, or 0."""
    try:
        return _syscall(_LANDLOCK_CREATE, None, 0, 1)
    except OSError:
        return 0


def landlock_ruleset(handled: bytes) -> int:
    """Return a descriptor of an empty rule set, which closes on exec."""
    return _syscall(_LANDLOCK_CREATE, handled, len(handled), 0)


def landlock_allow(ruleset: int, folder: int, access: int) -> None:
    """Allow access below an open folder, or to an open file."""
    _syscall(_LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", access, folder), 0)


def landlock_restrict(ruleset: int) -> None:
    """Apply the rules to this process for good."""
    _syscall(_LANDLOCK_RESTRICT, ruleset, 0)


def strings(texts: Sequence[bytes]) -> Strings:
    """Return a C argument vector, ended by a null pointer."""
    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)


def execute(file: bytes | int, argv: Strings, environment: Strings) -> None:
    """Replace this process by the program at a path or in a descriptor; return only by raising."""
    if isinstance(file, int):
        _checked(_libc.fexecve(file, argv, environment))
    else:
        _checked(_libc.execve(file, argv, environment))
