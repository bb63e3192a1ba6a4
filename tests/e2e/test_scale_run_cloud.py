"""The scaling run: the commands that a cloud gets, also after failures and interrupts."""

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
CLOUD = [
    "--project",
    "my-project",
    "--billing-account",
    "0A1B2C-3D4E5F-012345",
    "--budget",
    "10",
    "--image",
    "registry.example/steelyard:v1",
    "--name",
    "run-1",
    "--cpu-hour-usd",
    "0.02",
    "--gib-hour-usd",
    "0.002",
]
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
    "metadata": {"uid": "a"},
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
}
USD = 2 * (2.1 * 0.02 + 4.5 * 0.002)


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
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "REAL": real,
            "LOG": str(self.log),
            "BUILT": str(self.built),
            "FAILS": fails,
            "HANGS": hangs,
            "PODS": json.dumps({"items": [POD, {"metadata": {"uid": "waits"}}]}),
            "SCALE_RUN_POLL_S": "0.1",
        }
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
    words = (
        f"machines may be left, and cost money: run TF_DATA_DIR={tmp_path}/out/terraform terraform"
    )
    assert f"{words} -chdir=" in done.stderr


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_terraform_ends_by_itself_after_an_interrupt(number: int, tmp_path: Path) -> None:
    """One that is killed forgets the cluster that it is making, which then costs money."""
    cloud = Cloud(tmp_path)
    slow = """*" apply "*)
        trap 'sleep 1; echo saved >> "$LOG"; exit 1' INT
        touch "$LOG.applies"
        while true; do sleep 0.1; done
    ;;"""
    fake = (tmp_path / "bin/terraform").read_text()
    (tmp_path / "bin/terraform").write_text(fake.replace('*" output', f'{slow}\n*" output'))
    # As a terminal does it, which sends Ctrl-C to all processes of the group.
    process = subprocess.Popen(
        cloud.words,
        env=cloud.environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not Path(f"{cloud.log}.applies").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    for _ in range(2):
        os.killpg(process.pid, number)
        time.sleep(0.1)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    called = cloud.called()
    assert called.count("saved") == 1
    assert called.index("saved") == len(called) - 2
    assert " destroy -input=false -auto-approve" in called[-1]


def test_a_run_ends_when_its_pods_have_cost_the_budget(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, hangs="yes")
    cloud.words[cloud.words.index("--budget") + 1] = str(USD / 2)
    done = cloud.run()
    assert (done.returncode, f"the pods have cost {USD:.2f} USD" in done.stderr) == (3, True)
    # What was judged is kept before the bucket is destroyed: the shards end, and are downloaded.
    called = cloud.called()
    words = [" delete job evaluation ", " rsync --recursive gs://", " destroy -input=false"]
    where = [max(n for n, line in enumerate(called) if word in line) for word in words]
    assert where == sorted(where)
    assert f"0 of 25 shards are in {cloud.out}/parts" in done.stderr


def test_models_and_pods_share_the_budget(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, hangs="yes")
    cost = (10 - USD / 2) / 25
    cloud.words += ["--arguments", f"core --solve --max-cost {cost}"]
    done = cloud.run()
    assert (done.returncode, f"above their part of the budget, {USD / 2:.2f}" in done.stderr) == (
        3,
        True,
    )


def test_pods_that_are_gone_still_count(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path, hangs="yes")
    other = json.dumps({"items": [{**POD, "metadata": {"uid": "b"}}]})
    fake = (tmp_path / "bin/kubectl").read_text()
    again = f"""[ -e "$LOG.seen" ] && echo '{other}' || {{ touch "$LOG.seen"; echo "$PODS"; }}"""
    (tmp_path / "bin/kubectl").write_text(fake.replace('echo "$PODS"', again))
    cloud.words[cloud.words.index("--budget") + 1] = str(USD * 1.5)
    done = cloud.run()
    assert (done.returncode, f"the pods have cost {2 * USD:.2f} USD" in done.stderr) == (3, True)


def test_an_api_that_is_away_for_a_while_ends_no_run(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path)
    fake = (tmp_path / "bin/kubectl").read_text()
    away = '"kubectl get job "*) [ -e "$LOG.away" ] || { touch "$LOG.away"; exit 1; }; '
    (tmp_path / "bin/kubectl").write_text(fake.replace('"kubectl get job "*) ', away))
    done = cloud.run()
    assert "kubectl get job ended with status 1; asking again" in done.stderr
    assert "scale-run: evaluate" in done.stderr.splitlines()


def test_two_runs_of_one_checkout_have_their_own_state(tmp_path: Path) -> None:
    cloud = Cloud(tmp_path)
    fake = (tmp_path / "bin/terraform").read_text()
    shown = fake.replace('echo "$words" >>', 'echo "$words $TF_DATA_DIR $KUBECONFIG" >>')
    (tmp_path / "bin/terraform").write_text(shown)
    cloud.run()
    own = f"{cloud.out}/terraform {cloud.out}/kubeconfig"
    called = [line for line in cloud.called() if line.startswith("terraform")]
    assert called
    assert all(line.endswith(own) for line in called)
    (init,) = (line for line in called if " init " in line)
    assert f"-backend-config=path={cloud.out}/terraform.tfstate" in init


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
        e["data"]
        for e in built
        if e["kind"] == "ConfigMap" and e["metadata"]["name"].startswith("evaluation-")
    )
    assert (config["RUN"], config["SHARDS"]) == ("run-1", "25")
    assert config["BUCKET"] == "my-project-run-1"
    gated = [line for line in cloud.called() if line.startswith("kubectl apply")]
    assert [line.rpartition("=")[2] for line in gated] == ["first", "gate", "last"]
