"""A second try for a test that failed: a machine with six workers on two cores is at times late.

What a run tolerates it also names, so that a test which fails now and then is found and mended. A
hostile test has no second try: an attack that succeeds now and then is a hole.
"""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "hostile" in item.path.parts:
            item.add_marker(pytest.mark.flaky(reruns=0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show each first try that failed, with its reason."""
    reports = terminalreporter.stats.get("rerun", [])
    if reports:
        terminalreporter.section("passed or failed at the second try; the first ended in")
    for report in reports:
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = (crash.message if crash else str(report.longrepr)).strip()
        terminalreporter.line(f"{report.nodeid}: {reason.partition(chr(10))[0]}")
