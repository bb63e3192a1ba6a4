"""A specification gives the inputs of a profile: as calls, or as text in its own format."""

from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.errors import GeneratorError, UsageError
from steelyard.profiling import JOB, Point, ProfileOptions, Profiler, compare_growth, profile
from steelyard.profiling.inputs import SpecificationSource, _specification
from steelyard.sandbox import CellPool
from steelyard.schemas import Specification, values

PAIRS = "def f(nums, k):\n    return sum(a < b for a in nums for b in nums)\n"
SUM = "class Solution:\n    def solve(self, nums, k):\n        return sum(nums) % k\n"
SORT_CPP = """
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<long> nums(n);
    for (auto &each : nums) std::cin >> each;
    long inversions = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) inversions += nums[j] > nums[i];
    std::cout << inversions % k << '\\n';
}
"""


def specification(**changes: Any) -> Specification:
    fields = {
        "title": "Pairs",
        "description": "d",
        "returns": "int",
        "parameters": [{"name": "nums", "type": "list[int]"}, {"name": "k", "type": "int"}],
        "constraints": [
            "1 <= len(nums) <= 4096",
            "all(0 <= x <= 10**9 for x in nums)",
            "1 <= k <= len(nums)",
        ],
        "input_format": "n k\nnums[n]",
    }
    return Specification.model_validate({**fields, **changes})


@pytest.fixture(scope="module")
def cells() -> Iterator[CellPool]:
    with CellPool(1) as pool:
        yield pool


def test_a_quadratic_function_gets_its_class(cells: CellPool) -> None:
    report = profile(
        PAIRS, inputs=specification(), entry="function:f", max_n=1_024, budget_s=0.5, pool=cells
    )
    assert report.time.complexity == "O(n^2)"
    assert report.prediction.n == 1_024
    assert "'Pairs', n is len(nums); kind: " in report.method.inputs


def test_a_program_reads_the_format_of_the_specification(cells: CellPool) -> None:
    report = profile(SORT_CPP, inputs=specification(), language="cpp", budget_s=0.5, pool=cells)
    assert report.time.complexity == "O(n^2)"
    assert report.prediction.n == 4_096


def test_the_job_takes_a_specification_in_place_of_a_generator(cells: CellPool) -> None:
    plain = specification().model_dump(mode="json")
    body = {"program": SUM, "specification": plain, "entry": "class:Solution.solve"}
    request, options = JOB.read(body)
    assert request.specification == specification()
    report = JOB.finished(request, ProfileOptions(**options, budget_s=0.2, pool=cells))
    assert report.time.complexity == "O(n)"
    for wrong in ({"program": SUM}, {**body, "generator": "def generate(n, seed): return ''"}):
        request, options = JOB.read(wrong)
        with pytest.raises(UsageError, match="either a generator or a specification"):
            request.needs(ProfileOptions(**options))


def test_inputs_are_of_one_kind_and_the_same_each_time() -> None:
    source = SpecificationSource(specification(), seed=5)
    points = source.points(None, None)
    assert points == tuple(Point(1 << power) for power in range(13))
    texts = [source.get(point, 0).content.read() for point in points]
    again = SpecificationSource(specification(), seed=5)
    assert again.points(None, None) == points
    assert [again.get(point, 9).content.read() for point in points] == texts
    assert again.description == source.description
    for point, text in zip(points, texts, strict=True):
        head, nums = text.decode().splitlines()
        assert head.split()[0] == str(point.n)
        assert len(nums.split()) == point.n


def test_calls_have_the_types_of_the_specification() -> None:
    spec = specification(
        parameters=[{"name": "s", "type": "set[int]"}],
        constraints=["1 <= len(s) <= 64", "all(0 <= x <= 10**9 for x in s)"],
        input_format="",
    )
    source = SpecificationSource(spec, calls=True)
    source.points(None, None)
    args, named, _ = values.decode(source.get(Point(50), 0).content.read().decode())
    assert isinstance(args[0], set)
    assert (len(args[0]), named) == (50, None)


def test_the_work_for_inputs_is_bounded_over_all_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_specification, "_LEAST_S", 0.5)
    # Rows of any length: at each size, a few inputs of 100,000 numbers.
    constraints = ["1 <= len(a) <= 10**5", "all(1 <= len(row) <= 10**5 for row in a)"]
    spec = specification(
        parameters=[{"name": "a", "type": "list[list[int]]"}],
        constraints=[*constraints, "all(0 <= x <= 10**9 for row in a for x in row)"],
        input_format="",
    )
    source = SpecificationSource(spec, calls=True, budget_s=0.5)
    points = source.points(None, None)
    assert points[-1] == Point(10**5)
    made = []
    with pytest.raises(GeneratorError, match="where the work for them is spent; raise the budget"):
        made.extend(source.get(point, 0) for point in points)
    assert 0 < len(made) < len(points)


def test_small_sizes_without_inputs_are_left_out() -> None:
    constraints = ["1 <= len(nums) <= 100", "len(nums) % 5 == 0", "k == 1"]
    source = SpecificationSource(specification(constraints=constraints))
    assert [point.n for point in source.points(None, None)] == [25, 50, 100]


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"constraints": ["len(nums) == 3", "k == 1"]}, {}, "has a range of 16 or more; widen"),
        ({"constraints": ["len(nums) <= 99", "len(nums) > 99"]}, {}, "together: 'len.*; change"),
        ({"constraints": ["k <= 9"]}, {}, r"len\(nums\) has no upper bound within 10\^18; set one"),
        ({"constraints": ["len(nums) <= 9", "k <= 9"]}, {}, "k has no lower bound .* as k >= "),
        ({"constraints": ["1 <= len(nums) <= 10**19"]}, {}, "no upper bound .*, or give max_n"),
        ({}, {"max_n": 5_000}, r"allows len\(nums\) up to 4,096, and the largest n is 5,000"),
        ({}, {"min_n": 300, "max_n": 200}, "got 300 to 200"),
        ({}, {"parameter": "m=1:9:n"}, "a specification has one size"),
        ({"input_format": "nums[] k"}, {}, "input_format, line 1"),
        ({"constraints": ["len(nums) <= 99", "k == k + 1"]}, {}, "no input with"),
    ],
)
def test_a_specification_without_inputs_is_named(
    changes: dict[str, Any], options: dict[str, Any], message: str, cells: CellPool
) -> None:
    profiler = Profiler(specification(**changes), ProfileOptions(**options, pool=cells))
    with pytest.raises(UsageError, match=message) as caught:
        profiler.profile("print(1)")
    assert "\n" not in str(caught.value)


def test_two_programs_are_compared_on_the_same_inputs(cells: CellPool) -> None:
    fast = "def f(nums, k):\n    return sum(nums) % k\n"
    options = {"entry": "function:f", "max_n": 512, "budget_s": 0.2, "pool": cells}
    compared = compare_growth(fast, PAIRS, inputs=specification(), **options)
    assert compared.first.method.inputs == compared.second.method.inputs
    assert str(compared.second.time.complexity) == "O(n^2)"
