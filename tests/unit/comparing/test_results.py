"""Calls of a run of loops: each counts once, and the best time of each is what counts."""

from steelyard.comparing import TestResults
from steelyard.comparing.timing._loops import Marker, markers_in
from steelyard.schemas import FunctionTestInvocation, InvocationId, TestType


def call(
    loop: int, iteration: int, runtime_ns: int | None, *, passed: bool = True, test: str = "test_a"
) -> FunctionTestInvocation:
    return FunctionTestInvocation(
        loop_index=loop,
        id=InvocationId(
            test_module="tests/test_x.py", test_function=test, function="m:f", iteration=iteration
        ),
        did_pass=passed,
        runtime_ns=runtime_ns,
        return_value=None,
        test_type=TestType.EXISTING_UNIT_TEST,
    )


def test_the_same_call_of_the_same_loop_is_taken_once() -> None:
    results = TestResults([call(1, 0, 5)])
    assert not results.add(call(1, 0, 3))
    assert results.add(call(2, 0, 3))
    assert len(results) == 2
    assert [each.unique_invocation_loop_id for each in results] == [
        "1:tests/test_x.py::test_a:m:f:0",
        "2:tests/test_x.py::test_a:m:f:0",
    ]


def test_the_least_times_are_summed_over_calls_that_passed() -> None:
    results = TestResults(
        [
            call(1, 0, 50),
            call(2, 0, 40),
            call(1, 1, 7),
            call(2, 1, 9),
            call(1, 0, 1, passed=False, test="test_b"),
            call(3, 0, None),
        ]
    )
    assert results.total_passed_runtime() == 47
    assert results.number_of_loops() == 3
    assert sorted(results.usable_runtime_data_by_test_case().values()) == [[7, 9], [50, 40]]
    assert results.best_by_test() == {"tests/test_x.py::test_a": 47}


def test_nothing_is_nothing() -> None:
    assert TestResults().total_passed_runtime() == 0
    assert TestResults().number_of_loops() == 0


def test_markers_are_parsed_and_those_of_others_are_told() -> None:
    own = call(1, 0, 5)
    text = f"x!######{own.unique_invocation_loop_id}:5######!\n!######1:mine:7######! !######:1###"
    markers = markers_in(text)
    assert markers == [Marker("1:tests/test_x.py::test_a:m:f:0", 5), Marker("1:mine", 7)]
    results = TestResults([own])
    assert results.forged_among(markers) == [Marker("1:mine", 7)]
    assert results.forged_among([Marker(own.unique_invocation_loop_id, 1)])
