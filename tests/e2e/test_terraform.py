"""The modules in deploy/terraform are valid, and plan what they promise, without an account.

A substitute for Google's provider knows the fields (tests/terraform/). What Google would answer is
not tested.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "deploy/terraform"
TOOLS = ROOT / "build/infrastructure"
PROVIDER = Path("registry.terraform.io/hashicorp/google/7.99.0/linux_amd64")
EXAMPLES = sorted(folder.name for folder in (MODULES / "examples").iterdir())
SKIPPED = {
    "CKV_GCP_12": "Autopilot's Dataplane V2 always enforces network policies",
    "CKV_GCP_13": "Autopilot issues no client certificates",
    "CKV_GCP_21": "labels are given by a variable, which the check does not read",
    "CKV_GCP_61": "flow logs are on, in the subnetwork; traffic inside a node is not of interest",
    "CKV_GCP_62": "a second bucket with logs about this one is the organisation's decision",
    "CKV_GCP_65": "groups for RBAC need an organisation's Workspace domain",
    "CKV_GCP_66": "binary authorization needs an organisation's policy and signed images",
    "CKV_GCP_69": "Autopilot always has the metadata server of workload identity",
    "CKV2_GCP_18": "Autopilot makes the rules of the firewall that its nodes need",
}
"""Checks of checkov that are left out, each with its reason."""

Terraform = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def terraform(tmp_path: Path) -> Terraform:
    """Run terraform in a copy of the modules, with the substitute as its only provider."""
    python = TOOLS / "provider/bin/python"
    if shutil.which("terraform") is None:
        pytest.skip("terraform is not installed")
    if not python.exists():
        pytest.skip("the substitute's framework is not installed; run: .ci/infrastructure")
    program = tmp_path / "mirror" / PROVIDER / "terraform-provider-google_v7.99.0"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{python}" "{ROOT}/tests/terraform/provider.py" "$@"\n')
    program.chmod(0o755)
    config = tmp_path / "terraformrc"
    config.write_text(
        f'provider_installation {{\n  filesystem_mirror {{\n    path = "{tmp_path}/mirror"\n  }}\n'
        "}\ndisable_checkpoint = true\n"
    )
    shutil.copytree(MODULES, tmp_path / "terraform", ignore=shutil.ignore_patterns(".terraform"))
    environment = {**os.environ, "TF_CLI_CONFIG_FILE": str(config), "HOME": str(tmp_path)}

    def run(*words: str, folder: str = ".", status: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["terraform", f"-chdir={tmp_path / 'terraform' / folder}", *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run


def test_files_are_formatted() -> None:
    if shutil.which("terraform") is None:
        pytest.skip("terraform is not installed")
    done = subprocess.run(
        ["terraform", "fmt", "-check", "-recursive", "-diff", MODULES],
        env={**os.environ, "TF_CLI_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_root_plans_what_it_promises(terraform: Terraform) -> None:
    terraform("init", "-backend=false")
    terraform("validate")
    shown = terraform("test", "-no-color").stdout
    assert " 0 failed" in shown
    assert shown.count("... pass") >= 6


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_valid(terraform: Terraform, example: str) -> None:
    terraform("init", "-backend=false", folder=f"examples/{example}")
    terraform("validate", folder=f"examples/{example}")


def test_the_stand_in_refuses_a_misspelt_argument(terraform: Terraform, tmp_path: Path) -> None:
    file = tmp_path / "terraform/modules/cluster/main.tf"
    file.write_text(file.read_text().replace("enable_private_nodes ", "enable_private_node "))
    terraform("init", "-backend=false")
    refused = terraform("validate", "-no-color", status=1).stderr
    assert 'Did you mean "enable_private_nodes"?' in " ".join(refused.split())


@pytest.mark.exhaustive
def test_checkov_finds_nothing_else() -> None:
    checkov = TOOLS / "checkov/bin/checkov"
    if not checkov.exists():
        pytest.skip("checkov is not installed; run: .ci/infrastructure")
    done = subprocess.run(
        [
            checkov,
            "--directory",
            MODULES,
            "--framework",
            "terraform",
            "--skip-download",
            "--output",
            "json",
            "--skip-path",
            "tests",
            "--soft-fail",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    results = json.loads(done.stdout)["results"]
    failed = {each["check_id"]: each["check_name"] for each in results["failed_checks"]}
    assert results["passed_checks"]
    assert {name: text for name, text in failed.items() if name not in SKIPPED} == {}
    assert set(SKIPPED) <= set(failed), "a reason is given for a check that does not fail"
