"""The scaling run: its whole sequence on this machine, and the commands that a cloud gets."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPT = [sys.executable, str(ROOT / "deploy/scale_run")]
PRICES = ["--cpu-hour-usd", "0.02", "--gib-hour-usd", "0.002"]
CLOUD = [
    "--project", "my-project", "--billing-account", "0A1B2C-3D4E5F-012345", "--budget", "10",
    "--image", "registry.example/steelyard:v1", "--name", "run-1", *PRICES,
]  # fmt: skip
FAKE = """#!/bin/sh
words="$(basename "$0") $*"
echo "$words" >> "$LOG"
case "$words" in *"$FAILS"*) exit 1 ;; esac
case "$words" in
    *" output -json") cat <<END
{"bucket": {"value": "my-project-run-1"}, "credentials": {"value": "gcloud container clusters get"}}
END
    ;;
    "kubectl kustomize "*) "$REAL" "$@" | tee "$BUILT" ;;
    "kubectl get job "*) [ -z "$HANGS" ] && echo '{"status": {"conditions": [
        {"type": "Complete", "status": "True"}]}}' || { echo '{}'; } ;;
    "kubectl get pods "*) echo "$PODS" ;;
    "kubectl wait "*failed*) exit 1 ;;
esac
"""
POD = {
    "status": {
        "startTime": "2026-11-01T10:00:00Z",
        "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-11-01T12:00:00Z"}}}],
    },
    "spec": {
        "containers": [{"resources": {"requests": {"cpu": "2", "memory": "4Gi"}}}],
        "initContainers": [
            {"resources": {"requests": {"cpu": "9", "memory": "9Gi"}}},
            {
                "restartPolicy": "Always",
                "resources": {"requests": {"cpu": "100m", "memory": "512Mi"}},
            },
        ],
    },
}  # fmt: skip
USD = 2 * (2.1 * 0.02 + 4.5 * 0.002)


DRY = ["--dry-run", "--budget", "1"]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SCRIPT, *words], capture_output=True, text=True, check=False)


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
    assert {each.name for each in out.iterdir()} == {"evaluation", "scale-run.json"}


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
            "models may cost 1.2 US dollars in 2 shards, above the budget of 1",
        ),
    ],
)
def test_nothing_begins_that_may_cost_more_than_the_budget(
    words: list[str], text: str, tmp_path: Path
) -> None:
    done = run(*PRICES, "--out", str(tmp_path / "out"), *words)
    assert (done.returncode, text in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()


class Cloud:
    """Substitutes for terraform, gcloud and kubectl, which note how they were called."""

    def __init__(self, folder: Path, *, fails: str = "nothing", hangs: str = "") -> None:
        real = shutil.which("kubectl")
        if real is None:
            pytest.skip("kubectl is not installed")
        self.log, self.built, self.out = folder / "log", folder / "built.yaml", folder / "out"
        programs = folder / "bin"
        programs.mkdir()
        for name in ("terraform", "gcloud", "kubectl"):
            (programs / name).write_text(FAKE)
            (programs / name).chmod(0o755)
        self.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "REAL": real,
            "LOG": str(self.log), "BUILT": str(self.built), "FAILS": fails, "HANGS": hangs,
            "PODS": json.dumps({"items": [POD, {}]}), "SCALE_RUN_POLL_S": "0.1",
        }  # fmt: skip
        (folder / "input").mkdir()
        self.words = [*SCRIPT, *CLOUD, "--input", str(folder / "input"), "--out", str(self.out)]

    def run(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words, env=self.environment, capture_output=True, text=True, check=False
        )

    def called(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.mark.parametrize(
    ("fails", "last"),
    [
        (" apply -input", "apply"),
        ("clusters get", "apply"),
        ("job/gate", "gate"),
        ("get job", "judge"),
        ("nothing", "evaluate"),  # no shard is in the bucket
    ],
)
def test_a_cluster_is_destroyed_after_every_failure(fails: str, last: str, tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, fails=fails)
    if fails == "job/gate":
        fake = (
            (tmp_path / "bin/kubectl").read_text().replace("*failed*) exit 1", "*failed*) exit 0")
        )
        fake = fake.replace('*"$FAILS"*) exit 1', '*"$FAILS "*complete*) exit 1')
        (tmp_path / "bin/kubectl").write_text(fake)
    done = cloud.run()
    assert done.returncode == 3, done.stderr
    steps = [line for line in done.stderr.splitlines() if line.startswith("scale-run: ")]
    names = ["apply", "gate", "judge", "evaluate", "destroy"]
    shown = [name for name in names if f"scale-run: {name}" in steps]
    assert shown[-2:] == [last, "destroy"]
    assert " destroy -input=false -auto-approve" in cloud.called()[-1]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--image", "steelyard"], "NAME:TAG or NAME@sha256:DIGEST, got steelyard"),
        (["--profile", "full"], "one of default, gvisor, user-namespaces; got full"),
        (["--keys", "/nowhere"], "/nowhere is not a file"),
    ],
)
def test_what_would_fail_on_a_cluster_is_found_before(
    words: list[str], text: str, tmp_path: Path
) -> None:
    cloud = Cloud(tmp_path)
    cloud.words += words
    done = cloud.run()
    assert (done.returncode, text in done.stderr) == (2, True), done.stderr
    assert not cloud.log.exists()
    (tmp_path / "bin/gcloud").unlink()
    cloud.environment["PATH"] = str(tmp_path / "bin")
    done = cloud.run()
    assert (done.returncode, done.stderr) == (2, "scale-run: not installed: gcloud\n")


def test_a_cluster_that_is_not_destroyed_is_reported(tmp_path: Path) -> None:
    done = Cloud(tmp_path, fails=" destroy -input").run()
    assert done.returncode == 3
    assert "machines may be left, and cost money: run terraform -chdir=" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_cluster_is_destroyed_after_an_interrupt(number: int, tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, hangs="yes")
    process = subprocess.Popen(
        cloud.words, env=cloud.environment, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while not cloud.log.exists() or "get pods" not in cloud.log.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert " destroy -input=false -auto-approve" in cloud.called()[-1]


def test_a_run_ends_when_its_pods_have_cost_the_budget(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, hangs="yes")
    cloud.words[cloud.words.index("--budget") + 1] = str(USD / 2)
    done = cloud.run()
    assert (done.returncode, f"the pods have cost {USD:.2f} USD" in done.stderr) == (3, True)


def test_the_manifests_have_the_parameters_of_the_run(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path)
    cloud.run()
    built = list(yaml.safe_load_all(cloud.built.read_text()))
    job = next(e for e in built if e["kind"] == "Job" and e["metadata"]["name"] == "evaluation")
    pod = job["spec"]["template"]
    assert (job["spec"]["completions"], job["spec"]["parallelism"]) == (25, 25)
    assert pod["metadata"]["labels"]["steelyard.dev/run"] == "run-1"
    assert pod["spec"]["runtimeClassName"] == "gvisor"
    assert pod["spec"]["containers"][0]["image"] == "registry.example/steelyard:v1"
    config = next(
        e["data"] for e in built
        if e["kind"] == "ConfigMap" and e["metadata"]["name"].startswith("evaluation-")
    )  # fmt: skip
    assert (config["RUN"], config["SHARDS"]) == ("run-1", "25")
    assert config["BUCKET"] == "my-project-run-1"
    gated = [line for line in cloud.called() if line.startswith("kubectl apply")]
    assert [line.rpartition("=")[2] for line in gated] == ["first", "gate", "last"]
