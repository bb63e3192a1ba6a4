"""What a function warns of is heard in words that hang on what it does, not on how."""

import json
import subprocess
import sys

SCRIPT = """
import json, warnings
from steelyard.comparing.effects.incell.hearing import Hearing
from steelyard.project_runs.incell.project import PLACE

hearing = Hearing()
for message, kind in [
    ("divide by zero encountered in scalar divide", RuntimeWarning),
    ("divide by zero encountered in divide", RuntimeWarning),
    ("overflow encountered in exp", RuntimeWarning),
    ("no such price in EUR", UserWarning),
]:
    warnings.warn_explicit(message, kind, f"{PLACE}/shop/prices.py", 1)
warnings.warn_explicit("of a library", UserWarning, "/usr/lib/other.py", 1)
print(json.dumps(hearing.take()))
"""


def test_of_numbers_only_the_kind_is_heard() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True
    )
    assert json.loads(done.stdout) == {
        "warnings": "RuntimeWarning: divide by zero encountered\n"
        "RuntimeWarning: overflow encountered\n"
        "UserWarning: no such price in EUR"
    }
    assert "of a library" in done.stderr
