"""The limits of one run."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from steelyard.schemas._base import Given

WALL_GRACE_MS = 250
"""Wall time that a run may take beyond its CPU time, in ms (the runtime limit + 250 ms)."""

_Millis = Annotated[int, Field(ge=1, le=86_400_000)]
_Mib = Annotated[int, Field(ge=1, le=1_048_576)]


class Limits(Given):
    """The limits of one run; the defaults suit a C++ program."""

    cpu_ms: _Millis = 5_000
    """CPU time of all processes together, user and system."""
    wall_ms: _Millis = 0  # filled in below
    """Wall time; by default `cpu_ms` + 250."""
    memory_mib: _Mib = 512
    """Memory of all processes together, including files in the scratch folder."""
    stack_mib: _Mib = 256
    """Stack of each process's main thread."""
    output_mib: _Mib = 50
    """Size of standard output, and of standard error."""
    file_mib: _Mib = 50
    """Size of each file."""
    processes: Annotated[int, Field(ge=1, le=4096)] = 64
    """Processes and threads that may exist at once."""

    @model_validator(mode="before")
    @classmethod
    def _wall_from_cpu(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("wall_ms") is None:
            cpu_ms = data.get("cpu_ms", cls.model_fields["cpu_ms"].default)
            if isinstance(cpu_ms, int):
                return {**data, "wall_ms": min(cpu_ms + WALL_GRACE_MS, 86_400_000)}
        return data

    def replace(self, **changes: int) -> Self:
        """Return validated limits with changes; a new `cpu_ms` alone moves `wall_ms` too."""
        if "cpu_ms" in changes and "wall_ms" not in changes:
            checked = type(self)(cpu_ms=changes["cpu_ms"]).cpu_ms
            changes["wall_ms"] = checked + (self.wall_ms - self.cpu_ms)
        return type(self)(**{**self.model_dump(), **changes})
