"""Name the step of the setup that failed, for the pool to report."""

from collections.abc import Iterator
from contextlib import contextmanager


class StageError(Exception):
    """A step of the setup was refused."""

    def __init__(self, name: str, error: int) -> None:
        super().__init__(name, error)
        self.name = name
        self.error = error


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Report under this name what the kernel refuses inside the block.

    Raises:
        StageError: instead of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise StageError(name, error.errno or 0) from error
