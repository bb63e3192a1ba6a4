"""The scaling run: its whole sequence on this machine, and what it refuses."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = [sys.executable, str(ROOT / "deploy/scale_run")]
PRICES = ["--cpu-hour-usd", "0.02", "--gib-hour-usd", "0.002"]
DRY = ["--dry-run", "--budget", "1"]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SCRIPT, *words], capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
def test_the_whole_sequence_with_local_substitutes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("--dry-run", "--budget", "1", *PRICES, "--out", str(out), "--name", "dry")
    assert done.returncode == 0, done.stderr
    steps = ["apply", "gate", "judge", "collect", "evaluate", "destroy"]
    assert done.stderr.splitlines() == [f"scale-run: {step}" for step in steps]
    report = json.loads((out / "evaluation/report.json").read_text())
    assert (report["samples"], report["unjudged"], report["tasks"]) == (120, 0, 4)
    summary = json.loads((out / "scale-run.json").read_text())
    assert summary["cycles"] == 120
    whole = summary["machine_usd"] + summary["model_usd"]
    assert summary["usd_per_1000_cycles"] == pytest.approx(whole / 120 * 1_000)
    assert whole > 0
    assert "label.value = 'dry'" in summary["billing_query"]
    # The bucket and the pods are gone.
    assert {each.name for each in out.iterdir()} == {"evaluation", "parts", "scale-run.json"}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--dry-run"], "--budget"),
        (["--dry-run", "--budget", "0"], "the budget must be finite and above 0, got 0"),
        (["--dry-run", "--budget", "nan"], "the budget must be finite and above 0, got nan"),
        ([*DRY, "--gib-hour-usd", "inf"], "--gib-hour-usd must be finite and above 0, got inf"),
        ([*DRY, "--shards", "0"], "--shards must be finite and above 0, got 0"),
        ([*DRY, "--out", __file__], "exists and is not an empty folder"),
        ([*DRY, "--arguments", "core --solved"], "No such option: --solved"),
        ([*DRY, "--arguments", "core --samples 'a b'"], "plain words without '"),
        ([*DRY, "--arguments", "merge a b --out c"], "not the subcommand merge"),
        ([*DRY, "--arguments=--help"], "they ask for help"),
        (["--dry-run", "--budget", "1", "--name", "A b"], "the name must be"),
        (["--budget", "1", "--input", "."], "give --project"),
        (["--budget", "1"], "name the folder of samples: --input"),
        (["--dry-run", "--budget", "1", "--input", "/nowhere"], "/nowhere is not a folder"),
        ([*DRY, "--arguments", "core --model=x:y"], "add --max-cost"),
        ([*DRY, "--arguments", "core --solve --max-cost nan"], "finite and at least 0, got nan"),
        (
            ["--dry-run", "--budget", "1", "--arguments", "core --solve --max-cost 0.6"],
            "models may cost 1.2 US dollars in 2 shards, which leaves nothing of the budget of 1",
        ),
    ],
)
def test_nothing_begins_that_may_cost_more_than_the_budget(
    words: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    argv = [SCRIPT[1], *PRICES, "--out", str(tmp_path / "out"), *words]
    monkeypatch.setattr(sys, "argv", argv)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(SCRIPT[1], run_name="__main__")
    errors = capsys.readouterr().err
    assert (ended.value.code, text in errors) == (2, True), errors
    assert not (tmp_path / "out").exists()
