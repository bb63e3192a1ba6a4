"""Reading the output of a build."""

import re

FAILURE = re.compile(r"^(?P<file>[\w./-]+):(?P<line>\d+): (?:fatal )?error: (?P<text>.+)$")


def first_failure(lines: list[str]) -> tuple[str, int, str] | None:
    """File, line and text of the first error; None where the build is fine."""
    failures = []
    for line in lines:
        found = FAILURE.match(line)
        if found:
            failures.append((found["file"], int(found["line"]), found["text"]))
    if len(failures) > 0:
        return failures[0]
    return None
