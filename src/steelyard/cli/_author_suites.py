"""`steelyard author show` and `replay` for runs of `author tests`."""

from pathlib import Path

from steelyard.cli._console import report_console
from steelyard.cli._outputs import print_json
from steelyard.cli._suite_view import suite_view
from steelyard.errors import UsageError


def is_suite_run(folder: Path) -> bool:
    """Return True for the folder of a run that wrote a pytest suite."""
    from steelyard.pytests import read_suite_run  # noqa: PLC0415

    try:
        read_suite_run(folder)
    except UsageError:
        return False
    return True


def show_suite(folder: Path, *, json: bool) -> None:
    """Show a run, finished or not."""
    from steelyard.pytests import read_suite_run  # noqa: PLC0415

    head, report = read_suite_run(folder)
    if json:
        plain = report.to_dict() if report else None
        print_json({"run": head.model_dump(mode="json"), "report": plain})
    elif report is None:
        line = f"interrupted; resume with steelyard author tests --resume {folder}"
        report_console().print(line, markup=False)
    else:
        report_console().print(suite_view(report, shows_code=True))


def replay_suite(folder: Path, *, json: bool) -> int:
    """Repeat a run from its files; return the exit status."""
    from steelyard.pytests import SuiteAuthor  # noqa: PLC0415

    done = SuiteAuthor(logs=None, caching=False).replay(folder)
    if json:
        print_json({"report": done.report.to_dict(), "differences": list(done.differences)})
    else:
        report_console().print(suite_view(done.report, shows_code=False))
        found = ", ".join(done.differences) or "none: every decision is the same"
        report_console().print(f"differences: {found}", markup=False)
    return 1 if done.differences else 0
