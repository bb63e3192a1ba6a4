"""The manifests in deploy/kubernetes build, are valid, and name only what exists."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import parsed
from tests.manifests import (
    CUSTOM,
    HOME,
    KUBERNETES,
    OVERLAYS,
    Manifest,
    all_pods,
    built_from,
    containers,
    labels_of,
    manifests,
    pod_templates,
)
from tests.scripts import script

GIVEN = {("Secret", "steelyard"), ("Secret", "models"), ("PersistentVolumeClaim", "evaluation")}
"""What whoever deploys makes: docs/deploy.md names each."""
ENVIRONMENT = {"JOB_COMPLETION_INDEX": "3", "SHARDS": "25", "ARGUMENTS": "core --samples FILE"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_manifests_are_valid(overlay: str) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    for manifest in manifests(overlay):
        if manifest["kind"] not in CUSTOM:
            kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_is_named_exists(overlay: str) -> None:
    built = manifests(overlay)
    exists = {(each["kind"], each["metadata"]["name"]) for each in built} | GIVEN
    for pod in all_pods(overlay):
        spec = pod["spec"]
        named = {("ServiceAccount", spec["serviceAccountName"])}
        volumes = {each["name"]: each for each in spec.get("volumes", ())}
        for volume in volumes.values():
            if "configMap" in volume:
                named.add(("ConfigMap", volume["configMap"]["name"]))
            if "secret" in volume:
                named.add(("Secret", volume["secret"]["secretName"]))
            if "persistentVolumeClaim" in volume:
                named.add(("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]))
        for container in containers(pod):
            ports = {each["name"] for each in container.get("ports", ())}
            for source in container.get("envFrom", ()):
                kind = "ConfigMap" if "configMapRef" in source else "Secret"
                named.add((kind, next(iter(source.values()))["name"]))
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                port = container.get(probe, {}).get("httpGet", {}).get("port")
                assert port is None or port in ports
            assert {each["name"] for each in container.get("volumeMounts", ())} <= set(volumes)
        assert named <= exists, f"{labels_of(pod)} names {named - exists}"
    used = {source for pod in all_pods(overlay) for source in _config_maps(pod)}
    assert used == {name for kind, name in exists if kind == "ConfigMap"}


def _config_maps(pod: Manifest) -> Iterator[str]:
    for container in containers(pod):
        for source in container.get("envFrom", ()):
            if "configMapRef" in source:
                yield source["configMapRef"]["name"]
    for volume in pod["spec"].get("volumes", ()):
        if "configMap" in volume:
            yield volume["configMap"]["name"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_selectors_match_pods(overlay: str) -> None:
    pods = [labels_of(pod) for pod in all_pods(overlay)]
    for manifest in manifests(overlay):
        kind, spec = manifest["kind"], manifest.get("spec", {})
        chosen = {
            "Service": spec.get("selector"),
            "NetworkPolicy": spec.get("podSelector", {}).get("matchLabels"),
        }.get(kind, spec.get("selector", {}).get("matchLabels") if kind != "Service" else None)
        if chosen:
            assert any(chosen.items() <= labels.items() for labels in pods), manifest["metadata"]
        if kind == "ScaledObject":
            target = spec["scaleTargetRef"]["name"]
            assert ("Deployment", target) in {
                (each["kind"], each["metadata"]["name"]) for each in manifests(overlay)
            }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_commands_are_those_of_the_command_line(overlay: str, tmp_path: Path) -> None:
    shim = tmp_path / "steelyard"
    shim.write_text('#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    checked = 0
    for manifest in manifests(overlay):
        entry = manifest.get("spec", {}).get("entrypoint", "").split()
        if entry:
            assert entry[0] == "steelyard"
            parsed(entry[1:])
        for pod in pod_templates(manifest):
            for container in containers(pod):
                if not container["image"].startswith("steelyard") or "ray-" in container["name"]:
                    continue
                if container.get("command") == ["python", "/gate/gate.py"]:
                    continue
                words = container.get("args", [])
                if container.get("command") == ["sh", "-c"]:
                    environment = {**os.environ, **ENVIRONMENT}
                    environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
                    shell = ["sh", "-c", *words]
                    done = subprocess.run(shell, env=environment, capture_output=True, check=True)
                    words = done.stdout.decode().split("\0")[:-1]
                    assert words[words.index("--shard") + 1] == "4/25"
                if words:
                    parsed(words)
                    checked += 1
    assert checked or entry or overlay.startswith("ray")


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_pods_have_no_more_rights_than_they_need(overlay: str) -> None:
    for pod in all_pods(overlay):
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        weaker = spec.get("hostUsers") is False
        assert spec["securityContext"].get("runAsNonRoot") or weaker
        for container in containers(pod):
            own = container["securityContext"]
            assert own["readOnlyRootFilesystem"]
            assert weaker or own["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]
    denied = next(
        each
        for each in manifests(overlay)
        if each["kind"] == "NetworkPolicy" and each["metadata"]["name"] == "deny"
    )
    assert denied["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_pod_but_the_gate_asks_for_names(overlay: str) -> None:
    policy = next(
        each["spec"]
        for each in manifests(overlay)
        if each["kind"] == "NetworkPolicy" and each["metadata"]["name"] == "dns"
    )
    (unless,) = policy["podSelector"]["matchExpressions"]
    assert (unless["operator"], unless["values"]) == ("NotIn", ["gate"])
    assert "gate" in {labels_of(pod).get(unless["key"]) for pod in all_pods(overlay)}
    (rule,) = policy["egress"]
    assert {each["port"] for each in rule["ports"]} == {53}
    # A selector of pods does not match what serves names on the node itself.
    blocks = {each["ipBlock"]["cidr"] for each in rule["to"] if "ipBlock" in each}
    assert blocks == {"169.254.20.10/32", "169.254.169.254/32"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_image_is_named_in_one_place(overlay: str, tmp_path: Path) -> None:
    copy = tmp_path / "kubernetes"
    shutil.copytree(HOME, copy)
    named = copy / "components/image/kustomization.yaml"
    given = named.read_text().replace("newName: steelyard", "newName: registry.example/judge")
    named.write_text(given)
    built = built_from(copy / "overlays" / overlay)
    images = {c["image"] for m in built for pod in pod_templates(m) for c in containers(pod)}
    own = {each for each in images if not each.startswith("gcr.io/")}
    assert {each.rpartition(":")[0] for each in own} == {"registry.example/judge"}
    assert all("@sha256:" in each for each in images - own)


def test_each_profile_makes_what_it_names() -> None:
    for work in ("service", "evaluation"):
        pods = {
            profile: [
                pod["spec"]
                for pod in all_pods(f"{work}-{profile}")
                if labels_of(pod).get("steelyard.dev/cells") == "yes"
            ]
            for profile in ("default", "gvisor", "user-namespaces")
        }
        assert all(pods.values())
        assert all("runtimeClassName" not in spec for spec in pods["default"])
        assert all(spec["runtimeClassName"] == "gvisor" for spec in pods["gvisor"])
        for spec in pods["user-namespaces"]:
            assert spec["hostUsers"] is False
            # Kubernetes refuses an unmasked /proc, except in a user namespace of the pod's own.
            assert spec["containers"][0]["securityContext"]["procMount"] == "Unmasked"


def test_parallel_shards_are_as_many_as_the_command_counts() -> None:
    built = manifests("evaluation-gvisor")
    job = next(
        e["spec"] for e in built if e["kind"] == "Job" and e["metadata"]["name"] == "evaluation"
    )
    config = next(
        e["data"]
        for e in built
        if e["kind"] == "ConfigMap" and e["metadata"]["name"].startswith("evaluation")
    )
    assert job["completions"] == int(config["SHARDS"])


def gate() -> Any:
    return script("deploy/kubernetes/common/gate.py")


def test_the_gate_names_what_is_lacking() -> None:
    isolation = {"level": "partial", "network": "none", "namespaces": ["mount", "pid"]}
    lacking = gate().lacking
    assert lacking(isolation, {"level": ["partial", "full"], "network": ["none"]}) == []
    assert lacking(isolation, {"level": ["full"], "namespaces": ["mount", "user"]}) == [
        "level is 'partial', required is full",
        "namespaces lacks user",
    ]


@pytest.mark.parametrize(
    ("level", "required", "status", "text"),
    [
        ("none", {"backend": ["cell", "docker"]}, 0, ""),
        ("none", {"backend": ["magic"]}, 3, "required is magic; change the profile or the node"),
        ("bogus", {}, 3, "sandbox.require"),
    ],
)
def test_the_gate_asks_the_real_doctor(
    level: str, required: dict[str, list[str]], status: int, text: str, tmp_path: Path
) -> None:
    shutil.copy(HOME / "common/gate.py", tmp_path)
    (tmp_path / "required.json").write_text(json.dumps(required))
    python = Path(sys.executable)
    environment = {**os.environ, "STEELYARD_SANDBOX__REQUIRE": level}
    environment["PATH"] = f"{python.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [python, tmp_path / "gate.py"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, text in done.stderr) == (status, True), done.stderr
    assert not done.stdout or "level" in json.loads(done.stdout)


FAKE = """#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in
    kustomize*) cat "$MANIFESTS" ;;
    *"wait job/$FAILS "*complete*) exit 1 ;;
    *"wait job/$HANGS "*) exit 1 ;;
    *"wait job/"*failed*) case "$*" in *"job/$FAILS "*) exit 0 ;; *) exit 1 ;; esac ;;
esac
"""


@pytest.mark.parametrize(
    ("fails", "hangs", "status", "steps"),
    [
        ("nothing", "nothing", 0, ["first", "gate", "migration", "last"]),
        ("migration", "nothing", 3, ["first", "gate", "migration"]),
        ("gate", "nothing", 3, ["first", "gate"]),
        ("nothing", "gate", 3, ["first", "gate"]),
    ],
)
def test_a_roll_out_stops_at_the_first_failure(
    fails: str, hangs: str, status: int, steps: list[str], tmp_path: Path
) -> None:
    built = tmp_path / "built.yaml"
    built.write_text(yaml.safe_dump_all(manifests("service-gvisor")))
    kubectl = tmp_path / "kubectl"
    kubectl.write_text(FAKE)
    kubectl.chmod(0o755)
    log = tmp_path / "log"
    environment = {**os.environ, "KUBECTL": str(kubectl), "LOG": str(log), "FAILS": fails}
    environment["HANGS"] = hangs
    done = subprocess.run(
        [HOME / "roll-out", "overlay"],
        env={**environment, "MANIFESTS": str(built)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    lines = log.read_text().splitlines()
    assert [line.rpartition("=")[2] for line in lines if line.startswith("apply")] == steps
    waited = [line for line in lines if line.startswith("rollout")]
    assert len(waited) == (2 if status == 0 else 0)
    kept = {
        each["metadata"]["labels"]["steelyard.dev/step"] for each in manifests("service-gvisor")
    }
    assert kept == {"first", "gate", "migration", "last"}
