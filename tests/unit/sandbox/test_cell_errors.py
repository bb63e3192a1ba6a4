"""What a cell's own error tells the caller to do."""

import errno

import pytest

from steelyard.sandbox._messages import not_prepared


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (errno.ENOSPC, "scratch_mib larger"),
        (errno.EEXIST, "a short, unique name"),
        (errno.EAGAIN, "pids.max"),
        (errno.ENOMEM, "free memory"),
        (errno.EMFILE, "ulimit -n"),
        (errno.EIO, "steelyard doctor"),
    ],
)
def test_the_advice_is_for_the_error_that_came(error: int, advice: str) -> None:
    assert advice in not_prepared(error)
    if error != errno.ENOSPC:
        assert "scratch_mib" not in not_prepared(error)
