"""The errors if the original's tests cannot be used: each tells what to do."""

import re

from steelyard._installation import install_command
from steelyard.comparing.recording._outcomes import TestsRun, last_line
from steelyard.errors import IsolationError, TestsError
from steelyard.schemas import Isolation

_MISSING = re.compile(r"No module named '(\w+)")
_NO_PYTEST = "No module named 'pytest'"


def require_own_files(isolation: Isolation) -> None:
    """Require cells in which a project can be laid out.

    Raises:
        IsolationError: if cells have no files of their own here.
    """
    if isolation.filesystem in ("landlock", "host"):
        reasons = "; ".join(isolation.missing)
        raise IsolationError(
            f"compare lays the project out in a cell's own file view, which needs namespaces, "
            f"got filesystem={isolation.filesystem} ({reasons}); see `steelyard doctor` for "
            "how to allow them"
        )


def require_tests(
    run: TestsRun, python: str, most_s: float, where: str, *, may_be_none: bool
) -> None:
    """Require that the original's tests ran to their end.

    Args:
        run: Their session.
        python: The interpreter, for the message.
        most_s: The time that they may take together, in seconds.
        where: The tests that were selected, for the message.
        may_be_none: Whether there may be no test at all.

    Raises:
        TestsError: if there are no tests, or none of them can be run.
    """
    if run.ended == "failed" and _NO_PYTEST in run.why:
        raise TestsError(
            f"the tests cannot be run: pytest is not installed for {python}; run: "
            f"{install_command('compare')}"
        )
    if run.ended == "failed" or _MISSING.search(run.why):
        raise TestsError(f"the tests cannot be run: {run.why}; {_advice_for(run.why, python)}")
    at = run.at or run.loading or "the start"
    if run.is_late:
        raise TestsError(
            f"the original's tests take more than {most_s:.0f} s, the last of them at {at}; "
            "select fewer with --tests"
        )
    if run.ended != "finished":
        how = "do not terminate" if run.ended == "timed-out" else "end too early"
        raise TestsError(
            f"the original's tests {how}: {run.why}, at {at}; select others with --tests"
        )
    if run.uncollected and not run.tests:
        file, why = next(iter(run.uncollected.items()))
        raise TestsError(
            f"{file} cannot be collected: {last_line(why)}; {_advice_for(why, python)}"
        )
    if not run.tests and not may_be_none:
        raise TestsError(f"no tests were found in {where}; add some, or name others")


def _advice_for(why: str, python: str) -> str:
    missing = _MISSING.search(why)
    return f"install {missing[1]} for {python}" if missing else "make sure that pytest can run them"
