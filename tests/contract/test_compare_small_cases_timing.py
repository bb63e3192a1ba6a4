"""Small cases of timing: what a function itself costs is what counts."""

from pathlib import Path

import pytest

from steelyard.comparing.timing._timing import time_both
from tests.contract.compare_projects import baseline_of, make_project, version_of

pytestmark = [pytest.mark.xdist_group("timing"), pytest.mark.usefixtures("file_view")]

ASYNC = """
    async def doubled(values: list[int]) -> list[int]:
        found = []
        for value in values:
            for _ in range(20):
                pass
            found.append(value * 2)
        return found
"""
ASYNC_TESTS = """
    import asyncio

    import pytest

    from shop.goods import doubled


    @pytest.mark.parametrize("count", [8, 9, 10, 11, 12, 13])
    def test_doubled(count):
        assert asyncio.run(doubled(list(range(count)))) == [2 * i for i in range(count)]
"""
AT_ONCE = """
    async def doubled(values: list[int]) -> list[int]:
        return [value * 2 for value in values]
"""


def test_the_event_loop_is_not_timed(tmp_path: Path) -> None:
    baseline = baseline_of(make_project(tmp_path, ASYNC, ASYNC_TESTS), "doubled", generate=8)
    timed = time_both(baseline, version_of(baseline, AT_ONCE))
    assert timed.reasons == ()
    assert timed.speed.verdict == "faster"
    assert timed.speed.speedup is not None
    assert timed.speed.speedup.low > 3  # by hand 8 to 12
    kinds = {kind.name: kind.speedup for kind in timed.speed.kinds}
    assert kinds.keys() == {"list"}
    assert kinds["list"].mid > 2
