"""Standard input, output and error: memory files that are kept from run to run.

Input can only be read and output only be written, also by name (/dev/stdin): an output that
could be read back would be uncounted memory.
"""

import fcntl
import os
import struct

from steelyard.sandbox._wire import MAX_INLINE_BYTES

_UNLOCK_ALL = struct.pack("@hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)  # struct flock


class Streams:
    """The three streams of every run.

    Args:
        shared_uid: The candidate runs under this process's user id, and so owns the streams too.
    """

    def __init__(self, *, shared_uid: bool) -> None:
        self._shared_uid = shared_uid
        self._make()

    def _make(self) -> None:
        self._input = _memory_file(0o444)
        self._reader = _reopen(self._input, os.O_RDONLY)
        self._make_outputs()

    def _make_outputs(self) -> None:
        self.outputs = (_memory_file(0o222), _memory_file(0o222))
        out, err = self.outputs
        self._writers = (_reopen(out, os.O_WRONLY), _reopen(err, os.O_WRONLY))

    def fill(self, data: bytes, passed: int | None) -> tuple[int, int, int]:
        """Prepare standard input.

        Args:
            data: Standard input, if it is short.
            passed: A descriptor of standard input, if it is long.

        Returns:
            The candidate's descriptors 0, 1 and 2.

        Raises:
            OSError: if that fails; the cell cannot be used again.
        """
        if os.pwrite(self._input, data, 0) != len(data):
            raise OSError("standard input cannot be written")
        return (self._reader if passed is None else passed, *self._writers)

    def reset(self) -> None:
        """Restore the streams to their state at the start.

        A candidate may have moved and locked them, set flags on them and changed their times. A
        candidate that owns them may also have changed their permissions, or taken a lease that
        blocks the next open; then new streams replace them.

        Raises:
            OSError: if that fails; the cell cannot be used again.
        """
        streams = (self._reader, *self._writers)
        if self._shared_uid:
            for stream in (self._input, *self.outputs, *streams):
                os.close(stream)
            self._make()
        else:
            for file in (self._input, *self.outputs):
                os.ftruncate(file, 0)
                os.utime(file, ns=(0, 0))
            for stream in streams:
                os.lseek(stream, 0, os.SEEK_SET)
                fcntl.fcntl(stream, fcntl.F_SETFL, 0)
                fcntl.fcntl(stream, fcntl.F_SETSIG, 0)
                fcntl.fcntl(stream, fcntl.F_OFD_SETLK, _UNLOCK_ALL)
                fcntl.flock(stream, fcntl.LOCK_UN)

    def sizes(self) -> tuple[int, int]:
        """Return the number of bytes in standard output and in standard error."""
        out, err = self.outputs
        return os.fstat(out).st_size, os.fstat(err).st_size

    def inline(self) -> bytes | None:
        """Return both outputs as bytes of a message, or None if they are too long for it."""
        sizes = self.sizes()
        if sum(sizes) > MAX_INLINE_BYTES:
            return None
        return b"".join(os.pread(f, size, 0) for f, size in zip(self.outputs, sizes, strict=True))

    def renew(self) -> None:
        """Make new outputs after the last run's were passed to the pool."""
        for output in (*self.outputs, *self._writers):
            os.close(output)
        self._make_outputs()


def _memory_file(mode: int) -> int:
    file = os.memfd_create("stream", os.MFD_CLOEXEC)
    os.fchmod(file, mode)
    return file


def _reopen(file: int, flags: int) -> int:
    return os.open(f"/proc/self/fd/{file}", flags)
