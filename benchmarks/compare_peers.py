"""pytest-benchmark on the subjects of compare.py, compared as its users do: by its JSON."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from compare_subjects import Subject


def find_peer(folder: str | None) -> dict[str, str] | None:
    """The environment in which pytest-benchmark can be imported; None where there is none."""
    if folder:
        if not Path(folder, "pytest_benchmark").is_dir():
            raise SystemExit(f"{folder} holds no pytest_benchmark")
        return {**os.environ, "PYTHONPATH": folder}
    return dict(os.environ) if importlib.util.find_spec("pytest_benchmark") else None


def timed(subject: Subject, text: str, env: dict[str, str]) -> dict[str, float]:
    """One run with its defaults: the sum over tests of the least and of the median time, in s."""
    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as temporary:
        root = Path(temporary) / "project"
        subject.lay_out(root, text)
        (root / "test_subject.py").write_text(
            f"import pytest\n\nfrom subject import {subject.name}\n\n\n"
            f'@pytest.mark.parametrize("arguments", {subject.calls})\n'
            f"def test_{subject.name}(benchmark, arguments):\n"
            f"    benchmark({subject.name}, *arguments)\n"
        )
        kept = root / "times.json"
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "--rootdir",
                str(root),
                "-c",
                os.devnull,
                f"--benchmark-json={kept}",
                str(root),
            ],
            cwd=root,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"pytest-benchmark failed:\n{done.stdout[-2000:]}{done.stderr[-500:]}")
        found: list[dict[str, Any]] = json.loads(kept.read_text())["benchmarks"]
    return {how: sum(each["stats"][how] for each in found) for how in ("min", "median")}
