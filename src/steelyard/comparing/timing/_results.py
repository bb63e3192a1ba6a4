"""Collect the calls of a run that looped over tests, with their times."""

from collections.abc import Collection, Iterable, Iterator

from steelyard.comparing.incell.told import Loop
from steelyard.comparing.recording._inspired import is_inspired
from steelyard.comparing.timing._markers import forged_among, markers_in
from steelyard.project_runs import Run
from steelyard.schemas import FunctionTestInvocation, InvocationId, TestType


class TestResults:
    """Calls, each at most once for each loop, in the order of arrival."""

    __test__ = False

    def __init__(self, invocations: Iterable[FunctionTestInvocation] = ()) -> None:
        self._by_id: dict[str, FunctionTestInvocation] = {}
        self.forged_markers = 0
        """Timing markers in the output that the harness did not write."""
        for invocation in invocations:
            self.add(invocation)

    def add(self, invocation: FunctionTestInvocation) -> bool:
        """Add a call; return False if the same call of the same loop is already there."""
        key = invocation.unique_invocation_loop_id
        if key in self._by_id:
            return False
        self._by_id[key] = invocation
        return True

    def __iter__(self) -> Iterator[FunctionTestInvocation]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def number_of_loops(self) -> int:
        """Return the highest loop; 0 if there are no calls."""
        return max((each.loop_index for each in self), default=0)

    def usable_runtime_data_by_test_case(self) -> dict[InvocationId, list[int]]:
        """Return the CPU times in ns of each call that passed, over all loops."""
        times: dict[InvocationId, list[int]] = {}
        for each in self:
            if each.did_pass and each.runtime_ns is not None:
                times.setdefault(each.id, []).append(each.runtime_ns)
        return times

    def total_passed_runtime(self) -> int:
        """Return the least time of each call, summed over all calls, in ns."""
        return sum(min(times) for times in self.usable_runtime_data_by_test_case().values())

    def best_by_test(self) -> dict[str, int]:
        """Return the least time of each call, summed by test, in ns."""
        best: dict[str, int] = {}
        for call, times in self.usable_runtime_data_by_test_case().items():
            best[call.test] = best.get(call.test, 0) + min(times)
        return best


def results_of(run: Run, function: str, inspired: Collection[str]) -> TestResults:
    """Return the calls that a run of loops reported.

    Args:
        run: The run.
        function: Its name.
        inspired: Files and folders whose tests were written for the comparison.
    """
    results = TestResults()
    kinds = TestType.EXISTING_UNIT_TEST, TestType.INSPIRED_REGRESSION
    for loop in run.told.of(Loop):
        for test in loop.tests:
            module, *rest = test.test.split("::")
            kind = kinds[is_inspired(test.test, inspired)]
            for place, taken in enumerate(test.times_ns):
                results.add(
                    FunctionTestInvocation(
                        loop_index=loop.index,
                        id=InvocationId(
                            test_module=module,
                            test_class="::".join(rest[:-1]),
                            test_function=rest[-1] if rest else "",
                            function=function,
                            iteration=place,
                        ),
                        did_pass=test.passed,
                        runtime_ns=taken,
                        return_value=None,
                        test_type=kind,
                    )
                )
    said = run.execution.stdout.decode("utf-8", "replace")
    trusted = {each.unique_invocation_loop_id: each.runtime_ns or 0 for each in results}
    results.forged_markers = len(forged_among(markers_in(said), trusted))
    return results
