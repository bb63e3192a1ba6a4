"""What a comparison may be told, and what is said of a wrong name."""

from pathlib import Path

import pytest

from steelyard.comparing import CompareOptions
from steelyard.errors import UsageError
from steelyard.schemas import Limits


def test_a_wrong_name_is_answered_by_the_closest_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown option 'treshold'; use one of threshold"):
        CompareOptions.of(treshold=1)


def test_time_is_bounded_for_each_test_alone() -> None:
    assert CompareOptions().test_timeout_s == 15
    assert CompareOptions(limits=Limits(memory_mib=70)).test_timeout_s == 15
    assert CompareOptions(limits=Limits(cpu_ms=500)).test_timeout_s == 0.5
    assert CompareOptions(limits=Limits(cpu_ms=500)).run_limits(2).cpu_ms == 2_000
    assert CompareOptions(limits=Limits(memory_mib=70)).run_limits(2).memory_mib == 70
    assert CompareOptions(limits=Limits(memory_mib=70)).run_limits(2).cpu_ms == 2_000


@pytest.mark.parametrize("path", ["../test_x.py", "tests/../../x"])
def test_tests_are_within_the_project(path: str) -> None:
    for name in ("tests", "inspired"):
        with pytest.raises(UsageError, match="relative to the project"):
            CompareOptions.of(**{name: (path,)})


def test_tests_are_one_path_or_several() -> None:
    for given in ("tests/a.py", Path("tests/a.py"), ["tests/a.py"], [Path("tests/a.py")]):
        assert CompareOptions.of(tests=given).tests == ("tests/a.py",)
    with pytest.raises(UsageError, match=r"^tests: input should be a list, got 3"):
        CompareOptions.of(tests=3)
