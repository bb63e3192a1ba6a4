"""The scratch folders: files are written before a run and collected after it, then all is wiped."""

import errno
import os
import signal
import socket
import stat
import time
from contextlib import suppress
from typing import NoReturn

from steelyard.sandbox.pycell import _kernel as kernel

_FREEING_TRIES = 20
_WIPE_S = 20  # far more than the inodes of a scratch folder can take


class Scratch:
    """The folders that a candidate may write to; the first is the work folder."""

    def __init__(self, folders: list[int], *, own_mount: bool, shared_uid: bool) -> None:
        self._folders = folders
        self._own_mount = own_mount  # without it, emptiness cannot be checked cheaply
        self._shared_uid = shared_uid  # the candidate owns them too
        self.tidy()
        self._free_at_start = self._free()

    @property
    def work(self) -> int:
        return self._folders[0]

    def _free(self) -> tuple[int, int]:
        now = os.fstatvfs(self.work)
        return now.f_bfree, now.f_ffree

    def is_pristine(self) -> bool:
        """Return True if every folder is known to be empty."""
        return self._own_mount and self._free() == self._free_at_start

    def place(self, names: list[bytes], sources: list[int]) -> None:
        """Write a request's files into the work folder.

        Raises:
            OSError: if there is no room, or a name appears twice.
        """
        for name, source in zip(names, sources, strict=True):
            self._make_parents(name)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            file = os.open(name, flags, 0o755, dir_fd=self.work)
            try:
                _copy(source, file)
                os.fchmod(file, 0o755)
            finally:
                os.close(file)

    def _make_parents(self, name: bytes) -> None:
        parts = name.split(b"/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = b"/".join(parts[:depth])
            with suppress(FileExistsError):
                os.mkdir(folder, dir_fd=self.work)
                os.chmod(folder, 0o777, dir_fd=self.work)  # noqa: S103  (the candidate's own folder)

    def remove(self, names: list[bytes]) -> None:
        """Remove the request's files: most runs leave no others."""
        for name in names:
            if b"/" not in name:  # a folder may have become a link to another one
                with suppress(OSError):
                    os.unlink(name, dir_fd=self.work)

    def collect(self, name: bytes) -> int | None:
        """Return a copy of a regular file of the work folder, or None.

        The file itself must not be sent: while the pool holds it, its blocks would count as left
        behind.
        """
        try:
            file = kernel.open_beneath(self.work, name)
        except OSError:
            return None
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return None
            copy = os.memfd_create("collected", os.MFD_CLOEXEC)
            try:
                _copy(file, copy)
            except OSError:
                os.close(copy)
                return None
            return copy
        finally:
            os.close(file)

    def wipe(self) -> None:
        """Restore the folders to their state at the start.

        Raises:
            OSError: if that fails; the cell cannot be used again.
        """
        self.tidy()
        if self.is_pristine():
            return
        child = os.fork()  # a throw-away process: walking a hostile tree costs memory
        if child == 0:
            self._wipe_and_exit()
        if os.waitpid(child, 0)[1] != 0:
            raise OSError("the scratch folders cannot be emptied")
        for _ in range(_FREEING_TRIES):
            if self.is_pristine() or not self._own_mount:
                return
            free_in_flight()
        raise OSError("the scratch folders do not become empty")

    def _wipe_and_exit(self) -> NoReturn:
        status = 1
        try:
            signal.alarm(_WIPE_S)
            for folder in self._folders:
                _empty(folder)
            self.tidy()
            status = 0
        finally:
            os._exit(status)

    def tidy(self) -> None:
        """Restore what a candidate may have changed in the folders' own attributes."""
        for folder in self._folders:
            with suppress(PermissionError):  # owned by another id, so it cannot have changed
                os.fchmod(folder, 0o777)
                if self._shared_uid:
                    kernel.clear_inode_flags(folder)
                os.utime(folder, (0, 0))


def free_in_flight() -> None:
    """Make the kernel free files that were in flight between two sockets that are gone.

    Such sockets, each sent over the other, outlive their run until the kernel looks for them,
    which happens when a socket is closed.
    """
    for end in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM):
        end.close()
    time.sleep(0.001)


def _copy(source: int, target: int) -> None:
    offset, size = 0, os.fstat(source).st_size
    while offset < size:
        sent = os.sendfile(target, source, offset, size - offset)
        if not sent:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        offset += sent


def _empty(root: int) -> None:
    """Empty a folder of any depth without recursion: move deeper entries up first."""
    moved = 0
    while names := os.listdir(root):
        for name in map(os.fsencode, names):
            if _remove(root, name):
                continue
            with suppress(OSError):
                os.chmod(name, 0o700, dir_fd=root)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            try:
                folder = os.open(name, flags, dir_fd=root)
            except FileNotFoundError:
                continue
            for inner in map(os.fsencode, os.listdir(folder)):
                if _remove(folder, inner):
                    continue
                with suppress(OSError):
                    os.chmod(inner, 0o700, dir_fd=folder)
                moved += 1
                aside = b".moved-%d-%d" % (os.getpid(), moved)
                os.rename(inner, aside, src_dir_fd=folder, dst_dir_fd=root)
            os.close(folder)
            _remove(root, name)


def _remove(folder: int, name: bytes) -> bool:
    for delete in (os.unlink, os.rmdir):
        try:
            delete(name, dir_fd=folder)
        except OSError:
            continue
        return True
    return False
