"""The workflows are valid, and what they use cannot change under them."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
_USES = re.compile(r"^ *(?:- )?uses: (.*)$", re.MULTILINE)
_PINNED = re.compile(r"[\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

pytestmark = pytest.mark.skipif(not FILES, reason="a source distribution has no .github folder")


def program(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed; make setup WITH=workflows")
    return found


def faults_of(*argv: str | Path) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    actionlint = program("actionlint")
    assert faults_of(actionlint, *FILES) == ""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(FILES[0].read_text().replace("matrix.python }}", "matrix.pithon }}"))
    assert "pithon" in faults_of(actionlint, wrong)


def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    zizmor = program("zizmor")
    assert faults_of(zizmor, "--offline", "--quiet", *FILES) == ""
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(FILES[0].read_text().replace("persist-credentials: false", "fetch-depth: 1"))
    assert "artipacked" in faults_of(zizmor, "--offline", "--quiet", wrong)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_actions_are_pinned_and_jobs_end(file: Path) -> None:
    text = file.read_text()
    assert [each for each in _USES.findall(text) if not _PINNED.fullmatch(each)] == []
    workflow: dict[str, Any] = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def test_an_action_has_one_version() -> None:
    pins = {pin for file in FILES for pin in _USES.findall(file.read_text())}
    assert len({pin.partition("@")[0] for pin in pins}) == len(pins)


def test_every_python_that_the_package_names_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {each.rpartition(" ")[2] for each in project["classifiers"] if ":: 3." in each}
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert named <= set(jobs["test"]["strategy"]["matrix"]["python"])
    assert set(jobs["dependencies"]["strategy"]["matrix"]["versions"]) == {"lowest", "highest"}


def test_each_variant_of_the_image_is_tried_and_published() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["image"]
    built, pushed = (
        step["with"] for step in job["steps"] if "build-push-action" in step.get("uses", "")
    )
    recipe = (ROOT / pushed["file"]).read_text()
    variants = set(re.findall(r"^ +(\w+)\) more=", recipe, re.MULTILINE))
    assert variants == {each["variant"] for each in job["strategy"]["matrix"]["include"]}
    arguments = {line.partition("=")[0] for line in pushed["build-args"].splitlines()}
    assert arguments <= set(re.findall(r"^ARG (\w+)", recipe, re.MULTILINE))
    same = ("context", "file", "build-args")
    assert [built[name] for name in same] == [pushed[name] for name in same]
    assert (built["load"], pushed["push"]) == (True, True)
    words = [step.get("run", step.get("with", {})) for step in job["steps"]]
    tried = words.index(f".ci/try_image {built['tags']}")
    assert words.index(built) < tried < words.index(pushed)
