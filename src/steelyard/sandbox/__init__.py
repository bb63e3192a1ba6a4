"""Run one untrusted command under limits and report what it did: `CellPool.run(Command(...))`."""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.sandbox._command import (
        DEFAULT_ENV,
        SYSTEM_VIEW,
        Blob,
        Command,
        ForkServer,
        Heap,
        Mount,
        View,
    )
    from steelyard.sandbox._inspect import inspect_sandbox
    from steelyard.sandbox._plans import fork_server_library
    from steelyard.sandbox._pool import (
        CellPool,
        StoppablePool,
        StoppedError,
        settle_on_cell_cores,
        shared_pool,
        stay_on_cell_cores,
        warm_cells,
    )
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "DEFAULT_ENV",
    "SYSTEM_VIEW",
    "Blob",
    "CellPool",
    "Command",
    "ForkServer",
    "Heap",
    "Mount",
    "StoppablePool",
    "StoppedError",
    "View",
    "fork_server_library",
    "inspect_sandbox",
    "settle_on_cell_cores",
    "shared_pool",
    "stay_on_cell_cores",
    "warm_cells",
]
