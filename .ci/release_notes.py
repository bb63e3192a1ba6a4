#!/usr/bin/env python3
"""Print the notes of a release from CHANGELOG.md.

`release_notes.py TAG` checks that the tag, the version in pyproject.toml and the newest heading of
CHANGELOG.md agree. The exit status is 1, with one line, if they do not.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
_HEADING = re.compile(r"^## \[([^\]]+)\](.*)$", re.MULTILINE)
_DATE = re.compile(r" - \d{4}-\d{2}-\d{2}")


class ReleaseError(Exception):
    """Raised if the tag, the version and the changelog do not agree; its text is one line."""


def version_of(project: str) -> str:
    """Return the version in the text of pyproject.toml."""
    version: str = tomllib.loads(project)["project"]["version"]
    return version


def notes_of(changelog: str, version: str) -> str:
    """Return the section of a version, without its heading.

    Raises:
        ReleaseError: if the version is not the newest one, or its section has no date or no text.
    """
    headings = list(_HEADING.finditer(changelog))
    released = [each for each in headings if each[1] != "Unreleased"]
    if not released or released[0][1] != version:
        newest = released[0][1] if released else "no version"
        raise ReleaseError(
            f"CHANGELOG.md has {newest} as its newest version, and pyproject.toml has {version}; "
            f"give CHANGELOG.md the heading '## [{version}] - YEAR-MONTH-DAY'"
        )
    heading = released[0]
    if not _DATE.fullmatch(heading[2]):
        raise ReleaseError(
            f"the heading of {version} in CHANGELOG.md ends in {heading[2]!r}; "
            f"write '## [{version}] - YEAR-MONTH-DAY'"
        )
    before = changelog[: heading.start()]
    if headings[0] is not heading and before[headings[0].end() :].strip():
        raise ReleaseError("CHANGELOG.md has entries under [Unreleased]; move them to the version")
    after = headings[headings.index(heading) + 1 :]
    notes = changelog[heading.end() : after[0].start() if after else None].strip()
    if not notes:
        raise ReleaseError(f"CHANGELOG.md has no text for {version}; add its changes")
    return notes + "\n"


def checked_notes(tag: str, project: str, changelog: str) -> str:
    """Return the notes of the version that a tag names.

    Args:
        tag: `v` and the version.
        project: The text of pyproject.toml.
        changelog: The text of CHANGELOG.md.

    Raises:
        ReleaseError: if the three do not agree.
    """
    version = version_of(project)
    if tag != f"v{version}":
        raise ReleaseError(
            f"the tag is {tag}, and pyproject.toml has the version {version}; "
            f"tag v{version}, or change the version"
        )
    return notes_of(changelog, version)


def main(arguments: list[str]) -> int:
    """Print the notes for the tag in the arguments."""
    if len(arguments) != 1:
        print("usage: release_notes.py TAG", file=sys.stderr)
        return 2
    files = [
        (ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "CHANGELOG.md")
    ]
    try:
        print(checked_notes(arguments[0], *files), end="")
    except ReleaseError as error:
        print(f"release_notes.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
