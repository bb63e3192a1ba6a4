"""The records that `steelyard doctor` shows about a machine."""

from steelyard.schemas._base import Record
from steelyard.schemas._execution import Isolation


class Remedy(Record):
    """Something that is missing, and the command that installs it."""

    what: str
    why: str
    command: str
    """A shell command, which may need root."""


class SandboxReport(Record):
    """The sandbox's abilities on this machine."""

    isolation: Isolation | None
    """The isolation of a run; None if no cell can be made."""
    error: str = ""
    """The reason why no cell can be made."""
    native_cell: bool
    """True if the build compiled the native cell."""
    forks: bool = False
    """True if Python programs are forked from an interpreter with preloaded modules."""
    docker: str
    """The engine's version, or the reason why the `docker` backend cannot be used."""
    cores: int
    """Cores that this process may use: the size of a pool."""
    memory_mib: int = 0
    """Memory that all cells may use together, in MiB: the machine's, or its group's limit. 0 if it
    is unknown."""
    kernel: str
    machine: str
    python: str
    remedies: tuple[Remedy, ...] = ()
