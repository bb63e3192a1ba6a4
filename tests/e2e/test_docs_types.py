"""Every Python example in the documents passes a strict type check."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_docs import PAGES, ROOT, examples


@pytest.mark.exhaustive
def test_examples_pass_mypy_strict(tmp_path: Path) -> None:
    """All at once, in the project's own cache: most of a check's time is in reading the library."""
    for page in PAGES:
        name = str(page.relative_to(ROOT).with_suffix("")).replace("/", "_").replace("-", "_")
        for example in examples(page):
            if example.python:
                (tmp_path / f"{name}_{example.line}.py").write_text(example.code, "utf-8")
    written = sorted(map(str, tmp_path.iterdir()))
    assert len(written) > 20
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--scripts-are-modules", *written],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
