"""The manifests in deploy/kubernetes, as kubectl builds them."""

import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
HOME = ROOT / "deploy/kubernetes"
OVERLAYS = sorted(folder.name for folder in (HOME / "overlays").iterdir())
CUSTOM = {"RayCluster", "RayJob", "ScaledObject"}
KUBERNETES = "1.33"
"""The oldest version that admits pods in user namespaces by default."""

Manifest = dict[str, Any]


@cache
def manifests(overlay: str) -> list[Manifest]:
    return built_from(HOME / "overlays" / overlay)


def built_from(folder: Path) -> list[Manifest]:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed")
    done = subprocess.run(
        ["kubectl", "kustomize", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def pod_templates(manifest: Manifest) -> Iterator[Manifest]:
    """All pod templates in a manifest, also those of Ray's resources."""
    if isinstance(manifest, dict):
        if "containers" in manifest.get("spec", {}):
            yield manifest
        for value in manifest.values():
            yield from pod_templates(value)
    elif isinstance(manifest, list):
        for value in manifest:
            yield from pod_templates(value)


def containers(pod: Manifest) -> list[Manifest]:
    return [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]


def all_pods(overlay: str) -> list[Manifest]:
    return [pod for manifest in manifests(overlay) for pod in pod_templates(manifest)]


def labels_of(manifest: Manifest) -> dict[str, str]:
    return manifest.get("metadata", {}).get("labels", {})
