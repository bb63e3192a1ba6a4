"""Standard input, output and error: memory files that are kept from run to run.

Input can only be read and output only be written, by name (/dev/stdin) as well: an output that
could be read back would be memory that is not counted as such.
"""

import fcntl
import os
import struct

from steelyard.sandbox._wire import MAX_INLINE_BYTES

_UNLOCK_ALL = struct.pack("@hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)  # struct flock


class Streams:
    """The three streams of every run.

    Args:
        shared_uid: The candidate runs under this process's own id, and so owns them too.
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
        """Makes standard input ready.

        Args:
            data: Standard input, where it is short.
            passed: A descriptor of standard input, where it is long.

        Returns:
            What becomes the candidate's descriptors 0, 1 and 2.

        Raises:
            OSError: where that cannot be done; the cell is of no more use.
        """
        if os.pwrite(self._input, data, 0) != len(data):
            raise OSError("standard input cannot be written")
        return (self._reader if passed is None else passed, *self._writers)

    def reset(self) -> None:
        """Puts the streams back to their start.

        A candidate may have moved and locked them, set flags on them and changed their times. One
        that owns them may have changed their permissions too, or taken a lease that would stop
        whoever opens them next, and so they are made anew.

        Raises:
            OSError: where that cannot be done; the cell is of no more use.
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
        """Bytes in standard output and in standard error."""
        out, err = self.outputs
        return os.fstat(out).st_size, os.fstat(err).st_size

    def inline(self) -> bytes | None:
        """Both outputs as they travel in a message, or None where they are too long for one."""
        sizes = self.sizes()
        if sum(sizes) > MAX_INLINE_BYTES:
            return None
        return b"".join(os.pread(f, size, 0) for f, size in zip(self.outputs, sizes, strict=True))

    def renew(self) -> None:
        """Makes new outputs: those of the last run have been handed over."""
        for output in (*self.outputs, *self._writers):
            os.close(output)
        self._make_outputs()


def _memory_file(mode: int) -> int:
    file = os.memfd_create("stream", os.MFD_CLOEXEC)
    os.fchmod(file, mode)
    return file


def _reopen(file: int, flags: int) -> int:
    return os.open(f"/proc/self/fd/{file}", flags)
