"""Name the commit that this copy was built from."""

from contextlib import suppress
from functools import cache
from pathlib import Path

import steelyard

_FILE = "_commit.txt"
_UNKNOWN = "unknown"


@cache
def git_hash() -> str:
    """Return the commit that the build recorded; `unknown` if there was none."""
    for folder in steelyard.__path__:  # in an editable installation, one of them is the build's
        with suppress(OSError, UnicodeDecodeError):
            text = Path(folder, _FILE).read_text("ascii").strip()
            if text:
                return text
    return _UNKNOWN
