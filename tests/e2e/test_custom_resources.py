"""Custom resources in deploy/kubernetes have the fields of their operators, and valid pods."""

from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.service._health import Health
from tests.manifests import CUSTOM, KUBERNETES, OVERLAYS, ROOT, manifests, pod_templates

CLUSTER = (
    "authOptions",
    "authOptions.mode",
    "enableInTreeAutoscaling",
    "rayVersion",
    "headGroupSpec",
    "headGroupSpec.rayStartParams",
    "headGroupSpec.template",
    "workerGroupSpecs",
    "workerGroupSpecs.groupName",
    "workerGroupSpecs.replicas",
    "workerGroupSpecs.minReplicas",
    "workerGroupSpecs.maxReplicas",
    "workerGroupSpecs.rayStartParams",
    "workerGroupSpecs.template",
)
FIELDS = {
    "RayCluster": {*CLUSTER},
    "RayJob": {
        "activeDeadlineSeconds",
        "backoffLimit",
        "entrypoint",
        "rayClusterSpec",
        "shutdownAfterJobFinishes",
        "submissionMode",
        "submitterPodTemplate",
        "ttlSecondsAfterFinished",
        *(f"rayClusterSpec.{each}" for each in CLUSTER),
    },
    "ScaledObject": {
        "advanced",
        "advanced.horizontalPodAutoscalerConfig",
        "advanced.scalingModifiers",
        "advanced.scalingModifiers.formula",
        "advanced.scalingModifiers.metricType",
        "advanced.scalingModifiers.target",
        "cooldownPeriod",
        "fallback",
        "fallback.behavior",
        "fallback.failureThreshold",
        "fallback.replicas",
        "maxReplicaCount",
        "minReplicaCount",
        "pollingInterval",
        "scaleTargetRef",
        "scaleTargetRef.name",
        "triggers",
        "triggers.type",
        "triggers.name",
        "triggers.metadata",
    },
}
"""The fields that we use, from the references of KubeRay 1.6 and KEDA 2.17."""
OPEN = (
    "rayStartParams",
    "template",
    "Template",
    "horizontalPodAutoscalerConfig",
    "triggers.metadata",
)
"""Ends of paths below which fields are free, or have a schema of their own."""


def fields(value: Any, before: str = "") -> Iterator[str]:
    """The paths of all fields below a value, without positions in lists."""
    if isinstance(value, list):
        for each in value:
            yield from fields(each, before)
    elif isinstance(value, dict) and not before.endswith(OPEN):
        for name, each in value.items():
            path = f"{before}.{name}".lstrip(".")
            yield path
            yield from fields(each, path)


@pytest.mark.parametrize("overlay", ["ray-cluster-gvisor", "ray-job-gvisor", "service-gvisor"])
def test_custom_resources_have_known_fields_and_valid_pods(overlay: str) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    custom = [each for each in manifests(overlay) if each["kind"] in CUSTOM]
    assert custom
    for manifest in custom:
        assert set(fields(manifest["spec"])) - FIELDS[manifest["kind"]] == set()
        for pod in pod_templates(manifest["spec"]):
            metadata = {"name": "pod", **pod.get("metadata", {})}
            whole = {"apiVersion": "v1", "kind": "Pod", **pod, "metadata": metadata}
            kubernetes_validate.validate(whole, KUBERNETES, strict=True)


def test_a_misspelt_field_of_a_custom_resource_is_found() -> None:
    scaled = {"fallback": {"replica": 2}, "triggers": [{"name": "a", "metadata": {"any": 1}}]}
    assert set(fields(scaled)) - FIELDS["ScaledObject"] == {"fallback.replica"}


@pytest.mark.parametrize("overlay", [each for each in OVERLAYS if each.startswith("ray")])
def test_ray_needs_a_token(overlay: str) -> None:
    (made,) = (each["spec"] for each in manifests(overlay) if each["kind"] in CUSTOM)
    cluster = made.get("rayClusterSpec", made)
    lock = (ROOT / "uv.lock").read_text()
    assert cluster["authOptions"] == {"mode": "token"}
    assert f'name = "ray"\nversion = "{cluster["rayVersion"]}"' in lock
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    for group in cluster["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
        judges_under = group["template"]["spec"].get("runtimeClassName", "default")
        assert judges_under == overlay.rpartition("-")[2]


def test_autoscaling_reads_what_the_service_reports() -> None:
    scaled = next(
        each["spec"] for each in manifests("service-gvisor") if each["kind"] == "ScaledObject"
    )
    names = [trigger["name"] for trigger in scaled["triggers"]]
    assert scaled["advanced"]["scalingModifiers"]["formula"].split(" + ") == names
    for trigger in scaled["triggers"]:
        assert trigger["metadata"]["url"].endswith(":8080/healthz")
        assert trigger["metadata"]["valueLocation"] in Health.model_fields
