"""A run on Google Cloud, by the commands terraform, gcloud and kubectl."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sequence import Plan, RunError, report

__all__ = ["GoogleCloud"]

_DEPLOY = Path(__file__).parents[1]
_TERRAFORM = _DEPLOY / "terraform/examples/scale-run"
_KUBERNETES = _DEPLOY / "kubernetes"
_POLL_S = float(os.environ.get("SCALE_RUN_POLL_S", "30"))
_IN_NAMESPACE = ("--namespace", "steelyard")
_PROGRAMS = ("terraform", "gcloud", "kubectl")
_IMAGE = r"[^\s:@]+(:\d+/[^\s:@]+)?(:[\w][\w.-]*|@sha256:[0-9a-f]{64})"
_UNITS = {"Ki": 2**-20, "Mi": 2**-10, "Gi": 1.0, "m": 1e-3}
_PATIENCE = 10
"""Times in a row that kubectl may fail while shards run: the API of a cluster is away at times."""


class _CommandError(RunError):
    """A command failed."""


class GoogleCloud:
    """A cluster and a bucket that exist for one run."""

    def __init__(
        self,
        plan: Plan,
        project: str,
        billing_account: str,
        image: str,
        profile: str,
        keys: Path | None,
    ) -> None:
        self._plan, self._image, self._profile, self._keys = plan, image, profile, keys
        given = {
            "project": project,
            "billing_account": billing_account,
            "name": plan.name,
            "budget_usd": f"{plan.budget_usd:g}",
        }
        self._variables = [f"-var={name}={value}" for name, value in given.items()]
        self._bucket = ""
        self._usd_by_pod: dict[str, float] = {}
        # Of this run alone: another run may begin in the same checkout.
        os.environ["KUBECONFIG"] = str(plan.out.resolve() / "kubeconfig")
        os.environ["TF_DATA_DIR"] = str(plan.out.resolve() / "terraform")

    def check(self) -> None:
        """Refuse what would fail when the cluster already costs money.

        Raises:
            RunError: if a program, the profile or the file of keys is missing.
        """
        lacking = [name for name in _PROGRAMS if shutil.which(name) is None]
        if lacking:
            raise RunError(f"not installed: {', '.join(lacking)}")
        if not re.fullmatch(_IMAGE, self._image):
            raise RunError(f"--image must be NAME:TAG or NAME@sha256:DIGEST, got {self._image}")
        profiles = sorted((_KUBERNETES / "overlays").glob("evaluation-*"))
        names = [each.name.removeprefix("evaluation-") for each in profiles]
        if self._profile not in names:
            raise RunError(f"--profile must be one of {', '.join(names)}; got {self._profile}")
        if self._keys is not None and not self._keys.is_file():
            raise RunError(f"--keys: {self._keys} is not a file")

    def apply(self) -> None:
        """Make cluster and bucket, and upload the inputs."""
        state = self._plan.out.resolve() / "terraform.tfstate"
        self._terraform("init", "-input=false", "-reconfigure", f"-backend-config=path={state}")
        self._terraform("apply", "-input=false", "-auto-approve", *self._variables)
        outputs = json.loads(self._terraform("output", "-json"))
        self._bucket = f"gs://{outputs['bucket']['value']}/{self._plan.name}"
        _run(*outputs["credentials"]["value"].split())
        _run(
            "gcloud",
            "storage",
            "rsync",
            "--recursive",
            str(self._plan.inputs),
            f"{self._bucket}/input",
        )

    def gate(self) -> None:
        """Roll out: the gate's Job comes first, and the shards only after it."""
        if self._keys is not None:
            _run("kubectl", "create", "namespace", "steelyard")
            words = ("secret", "generic", "models", f"--from-env-file={self._keys}")
            _run("kubectl", "create", *words, *_IN_NAMESPACE)
        _run(str(_KUBERNETES / "roll-out"), str(self._overlay()))

    def judge(self) -> None:
        """Wait until all shards are complete, or the budget is spent."""
        failures = 0
        while True:
            try:
                complete = self._complete()
                failures = 0
            except _CommandError as error:
                failures += 1
                if failures > _PATIENCE:
                    raise
                report(f"{error}; asking again")
            else:
                if complete:
                    return
            time.sleep(_POLL_S)

    def _complete(self) -> bool:
        """Return whether all shards are complete; raise if they cannot be."""
        job = _read("kubectl", "get", "job", "evaluation", *_IN_NAMESPACE, "--output=json")
        status = job.get("status", {})
        ended = {e["type"] for e in status.get("conditions", ()) if e["status"] == "True"}
        spent_usd, limit_usd = self.machine_usd(), self._plan.pods_budget_usd
        report(f"{status.get('succeeded', 0)} of {self._plan.shards} shards, {spent_usd:.2f} USD")
        if "Failed" in ended:
            failed = status.get("failedIndexes", "all")
            raise RunError(f"shards failed: {failed}; Cloud Logging has their logs")
        if "Complete" not in ended and spent_usd > limit_usd:
            raise RunError(
                f"the pods have cost {spent_usd:.2f} USD, above their part of the budget, "
                f"{limit_usd:.2f} USD"
            )
        return "Complete" in ended

    def stop(self) -> None:
        """Delete the Job: each pod's sidecar copies its shard to the bucket a last time."""
        words = ("job", "evaluation", *_IN_NAMESPACE, "--ignore-not-found")
        _run("kubectl", "delete", *words, "--cascade=foreground", "--timeout=3m")

    def collect(self) -> list[Path]:
        """Download the shards' folders."""
        folder = self._plan.out / "parts"
        folder.mkdir(exist_ok=True)
        _run("gcloud", "storage", "rsync", "--recursive", self._bucket, str(folder))
        return sorted(folder.glob("part-*"))

    def machine_usd(self) -> float:
        """Return the price of the requests of all pods with the run's label, until now.

        A pod that is gone, such as one of a Spot node that was taken away, keeps its last price.
        """
        label = f"--selector=steelyard.dev/run={self._plan.name}"
        pods = _read("kubectl", "get", "pods", *_IN_NAMESPACE, label, "--output=json")["items"]
        self._usd_by_pod |= {pod["metadata"]["uid"]: self._pod_usd(pod) for pod in pods}
        return sum(self._usd_by_pod.values())

    def _pod_usd(self, pod: dict[str, Any]) -> float:
        began = pod.get("status", {}).get("startTime")
        if began is None:
            return 0.0
        states = pod["status"].get("containerStatuses", ())
        ends = [e["state"].get("terminated", {}).get("finishedAt") for e in states]
        now = datetime.now(UTC)
        end = max(map(_time, filter(None, ends)), default=now) if all(ends) else now
        hours = (end - _time(began)).total_seconds() / 3_600
        prices = {"cpu": self._plan.cpu_hour_usd, "memory": self._plan.gib_hour_usd}
        return hours * sum(prices[name] * amount for name, amount in _requests(pod))

    def destroy(self) -> None:
        """Destroy cluster and bucket.

        Raises:
            RunError: if something is left, which costs money.
        """
        try:
            self._terraform("destroy", "-input=false", "-auto-approve", *self._variables)
        except RunError as error:
            words = ("terraform", f"-chdir={_TERRAFORM}", "destroy", *self._variables)
            raise RunError(
                f"{error}\nmachines may be left, and cost money: "
                f"run TF_DATA_DIR={shlex.quote(os.environ['TF_DATA_DIR'])} {shlex.join(words)}"
            ) from error

    def _terraform(self, *words: str) -> str:
        return _run("terraform", f"-chdir={_TERRAFORM}", *words)

    def _overlay(self) -> Path:
        """Write an overlay with this run's parameters."""
        folder = self._plan.out / "overlay"
        folder.mkdir(exist_ok=True)
        name, _, tag = self._image.rpartition(":")
        by_digest = name.endswith("@sha256")
        own = {"name": "steelyard", "newName": name.removesuffix("@sha256")}
        own |= {"digest": f"sha256:{tag}"} if by_digest else {"newTag": tag}
        bucket = self._bucket.split("/")[2]
        given = {"RUN": self._plan.name, "SHARDS": self._plan.shards, "BUCKET": bucket}
        literals = [*(f"{key}={value}" for key, value in given.items())]
        literals.append(f"ARGUMENTS={self._plan.arguments}")
        sizes = [
            {"op": "replace", "path": f"/spec/{field}", "value": self._plan.shards}
            for field in ("completions", "parallelism")
        ]
        overlay = {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": [os.path.relpath(_KUBERNETES / "evaluation", folder.resolve())],
            "components": [
                os.path.relpath(_KUBERNETES / "components" / self._profile, folder.resolve())
            ],
            "images": [own],
            "labels": [{"pairs": {"steelyard.dev/run": self._plan.name}, "includeTemplates": True}],
            "configMapGenerator": [
                {
                    "name": "evaluation",
                    "namespace": "steelyard",
                    "behavior": "merge",
                    "literals": literals,
                }
            ],
            "patches": [
                {"target": {"kind": "Job", "name": "evaluation"}, "patch": json.dumps(sizes)}
            ],
        }
        (folder / "kustomization.yaml").write_text(json.dumps(overlay, indent=2))
        return folder


def _requests(pod: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield what a pod's containers request, as CPUs and GiB."""
    sidecars = [e for e in pod["spec"].get("initContainers", ()) if e.get("restartPolicy")]
    for container in [*pod["spec"]["containers"], *sidecars]:
        for name in ("cpu", "memory"):
            text = container["resources"]["requests"][name]
            unit = next((each for each in _UNITS if text.endswith(each)), "")
            yield name, float(text.removesuffix(unit)) * _UNITS.get(unit, 1.0)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _run(*words: str) -> str:
    """Run a command; return its output.

    An interrupt reaches it as Ctrl-C does, and its end is waited for: Terraform that is killed
    forgets the cluster that it is making.

    Raises:
        RunError: if it failed.
    """
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            process.communicate()
            raise
    if process.returncode != 0:
        raise _CommandError(f"{' '.join(words[:3])} ended with status {process.returncode}")
    return output


def _read(*words: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(_run(*words))
    return read
