"""What `steelyard doctor` says of a machine."""

from steelyard.schemas._base import Record
from steelyard.schemas._execution import Isolation


class Remedy(Record):
    """Something that is missing, and what would bring it."""

    what: str
    why: str
    command: str
    """To type in a shell; it may need root."""


class SandboxReport(Record):
    """What the sandbox can do on this machine."""

    isolation: Isolation | None
    """What is in force around a run; None where no cell can be made."""
    error: str = ""
    """Why no cell can be made."""
    native_cell: bool
    """Whether the build compiled the native cell."""
    forks: bool = False
    """Whether Python programs are forked from an interpreter that has the usual modules loaded."""
    docker: str
    """The engine's version, or why the `docker` backend cannot be used."""
    cores: int
    """Cores that this process may use: the size of a pool."""
    kernel: str
    machine: str
    python: str
    remedies: tuple[Remedy, ...] = ()
