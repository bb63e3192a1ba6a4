"""Bytes in a sealed memory file that a cell receives and no program can change."""

import fcntl
import os
import struct
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Self

_SET_RW_HINT, _SET_FLAGS = 1036, 0x4008_6602  # F_SET_RW_HINT, FS_IOC_SETFLAGS
_NOATIME = struct.pack("@l", 0x80)  # FS_NOATIME_FL
_SEAL_EXEC = 0x20  # the kernel's F_SEAL_EXEC
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


class Blob:
    """Immutable bytes in memory, passed to cells by descriptor and so never copied again.

    Use one for data that many runs share: an executable, or an input of many megabytes. It is
    sealed, so that even a program under the caller's own user id cannot write to it.
    The memory is freed with the last reference.
    """

    __slots__ = ("__weakref__", "_finalizer", "fd", "keeps_times", "size")

    keeps_times: bool
    """True if reading leaves no trace: a program that does not own it cannot change it at all."""

    def __init__(self, data: bytes | memoryview) -> None:
        self.size = len(data)
        self.fd = os.memfd_create("blob", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._finalizer = weakref.finalize(self, os.close, self.fd)
        view = memoryview(data)
        while view:
            view = view[os.write(self.fd, view) :]
        with suppress(OSError):  # before Linux 6.3 an owner can stop others from running it
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, _SEAL_EXEC)
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, _SEALS)
        self._reset_traits()

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Return a blob with the current content of a file."""
        return cls(path.read_bytes())

    def detach(self) -> int:
        """Return the descriptor, which the caller closes; the blob cannot be used afterwards."""
        self._finalizer.detach()
        return self.fd

    def reader(self) -> int:
        """Return a new descriptor at offset 0, which the caller closes."""
        self.restore(owned=True)
        return os.open(f"/proc/self/fd/{self.fd}", os.O_RDONLY | os.O_CLOEXEC)

    def restore(self, *, owned: bool) -> None:
        """Reset traits that a program can change: with them it could pass a message to the next.

        Args:
            owned: True if programs have this process's user id, and so an owner's rights. Under
                any id, reading changes the access time, unless the kernel keeps it.
        """
        if owned:
            self._reset_traits()
        elif not self.keeps_times:
            os.utime(self.fd, ns=(0, 0))

    def _reset_traits(self) -> None:
        os.fchmod(self.fd, 0o555)
        os.utime(self.fd, ns=(0, 0))
        with suppress(OSError):  # older kernels have neither trait for memory files
            fcntl.fcntl(self.fd, _SET_RW_HINT, bytes(8))
        try:
            fcntl.ioctl(self.fd, _SET_FLAGS, _NOATIME)
            self.keeps_times = True
        except OSError:
            self.keeps_times = False

    def read(self) -> bytes:
        """Return all the bytes."""
        return os.pread(self.fd, self.size, 0)

    def __repr__(self) -> str:
        return f"Blob({self.size} bytes)"
