"""Options of a profile."""

from collections.abc import Sequence

from pydantic import Field

from steelyard.options import Options
from steelyard.profiling._plan import Wanted
from steelyard.profiling.inputs import Parameter
from steelyard.schemas import Entry

BUDGET_S = 8.0


class ProfileOptions(Options):
    """Options of a profile. `limits` are those of the largest input.

    Only the limits that are set count: `Limits(cpu_ms=1000)` asks for no memory limit.
    """

    max_n: int | None = None
    """The largest n; None is the generator's `N_MAX`, or a folder's largest."""
    min_n: int | None = None
    """The smallest n; None is the generator's `N_MIN`, or 1."""
    parameter: Parameter | str | None = None
    """A second size, such as `m=16:2000000:4*n`; None is the generator's own, if it has one."""
    language: str | None = None
    """A name from the language table; None uses the file's ending, else Python."""
    compiler: str | None = None
    """One of the language's compilers; None is the first that is installed."""
    flags: Sequence[str] | None = None
    """Flags for the compiler; None is the table's."""
    entry: Entry | str = "stdio"
    """`stdio`, or for Python `function:NAME` or `class:NAME.METHOD`."""
    preload: Sequence[str] = ()
    """For Python, modules to load beforehand, such as `numpy`."""
    run_limit_ms: float | None = None
    """CPU and wall time at which one measured run is ended; None uses the budget for timed runs and
    4 s for counted ones. It bounds the cost of a hopeless program and the size of the inputs."""
    budget_s: float = Field(default=BUDGET_S, gt=0, allow_inf_nan=False)
    """Rough bound on the time of the timed runs, on which predictions rest. The class rests on
    counted runs, which are bounded by their work, and is the same for any budget."""

    @property
    def wanted(self) -> Wanted:
        """Return the limits of the largest input.

        Raises:
            UsageError: if a limit is too large.
        """
        limits = self.limits
        given = set() if limits is None else limits.model_fields_set
        return Wanted(
            time_ms=limits.cpu_ms if limits is not None and "cpu_ms" in given else None,
            memory_mib=limits.memory_mib if limits is not None and "memory_mib" in given else None,
            run_ms=self.run_limit_ms,
        )
