"""Record one counted run, in any language."""

from collections.abc import Mapping

from steelyard.profiling._records import CountedRun, Input
from steelyard.profiling.counting._memory import HeapUse
from steelyard.schemas import Execution

_MEBI_BYTES = 1 << 20


def outcome_of(
    given: Input,
    execution: Execution,
    work: Mapping[str, int] | None,
    heap: HeapUse | None,
    note: str,
) -> CountedRun:
    """Return the record of a run.

    Args:
        given: The run's input.
        execution: The run itself.
        work: Its counts; None if there are none.
        heap: The figures of its heap; None if there are none.
        note: Why there are no counts; empty if there are.
    """
    if heap is None and not note:
        note = "its peak heap memory is unknown"
    return CountedRun(
        point=given.point,
        input_bytes=given.content.size,
        work=work,
        heap_bytes=heap.peak_bytes if heap else None,
        rss_bytes=round(execution.max_rss_mib * _MEBI_BYTES),
        execution=execution,
        threads=heap is not None and heap.threads > 0,
        note=note,
    )
