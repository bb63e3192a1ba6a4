"""Installing without a clone works, and hints on what to install fit how this copy was installed.

All of it is tried with real installations.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import steelyard

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=os.path.dirname(sys.executable)) or shutil.which("uv")
HINTS = (
    "from steelyard._installation import install_command, rebuild_command\n"
    "print(install_command('solve'))\nprint(rebuild_command())\n"
)

pytestmark = [
    pytest.mark.skipif(UV is None, reason="uv is not installed"),
    pytest.mark.xdist_group("installation"),
]


def run(*argv: str | Path, cwd: Path | None = None, **changes: str) -> str:
    env = {**os.environ, **changes}
    env.pop("VIRTUAL_ENV", None)
    done = subprocess.run(argv, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    if "Failed to fetch" in done.stderr:
        pytest.skip("the package index cannot be reached here")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that are built, in a folder whose name a shell would split."""
    folder = tmp_path_factory.mktemp("my clone")
    for name in ("pyproject.toml", "CMakeLists.txt", "build_backend.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("src", "examples", "deploy"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=skipped)
    return folder


def build(clone: Path, folder: Path, *flags: str) -> Path:
    """Build a source distribution, and a wheel from it, into a folder."""
    assert UV
    argv = (UV, "build", "--quiet", *flags, "--out-dir", folder, clone)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if "Failed to fetch" in done.stderr or "No solution found" in done.stderr:
        pytest.skip("the build backend cannot be fetched here")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def packages(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pure wheel and a source distribution, as an index would have them."""
    pure = ("-C", "wheel.platlib=false", "-C", "cmake.define.STEELYARD_NATIVE=OFF")
    return build(clone, tmp_path_factory.mktemp("packages"), *pure)


@pytest.fixture(scope="module")
def release(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel for this machine, native cell and all, and a source distribution."""
    return build(clone, tmp_path_factory.mktemp("release"))


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder, and its address on the loopback interface."""
    folder = tmp_path_factory.mktemp("served")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    (found,) = packages.glob("*.whl")
    return found


class Environment:
    """An environment without any package, to install into."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.prefix = folder
        assert UV
        run(UV, "venv", "--quiet", "--no-project", "--python", sys.executable, folder)

    def install(self, *what: str | Path, flags: tuple[str, ...] = ("--no-deps",)) -> None:
        assert UV
        python = self.bin / "python"
        run(UV, "pip", "install", "--quiet", *flags, "--python", python, *what)

    def hints(self, *, active: bool = False) -> list[str]:
        """Return how to add an extra and how to build the native cell."""
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}" if active else "/usr/bin:/bin"
        return run(self.bin / "python", "-c", HINTS, PATH=path).splitlines()


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "venv")


@pytest.mark.exhaustive
def test_a_package_of_an_index_is_named(environment: Environment, packages: Path) -> None:
    environment.install("--no-index", "--find-links", packages, "steelyard")
    python = environment.bin / "python"
    add, rebuild = environment.hints()
    assert add == f"uv pip install --python {python} 'steelyard[solve]'"
    assert rebuild == (
        f"uv pip install --python {python} --reinstall-package steelyard --no-binary steelyard"
        " steelyard"
    )


def test_pip_is_named_if_it_belongs_to_the_interpreter(
    environment: Environment, packages: Path
) -> None:
    """The hint is run, too: by a shell, with the packages in place of an index."""
    environment.install("pip")
    environment.install("--no-index", "--find-links", packages, "steelyard")
    assert environment.hints(active=True) == [
        "pip install 'steelyard[solve]'",
        "pip install --force-reinstall --no-deps --no-cache-dir --no-binary steelyard steelyard",
    ]
    add, _ = environment.hints()
    assert add == f"{environment.bin}/python -m pip install 'steelyard[solve]'"
    told = run("sh", "-c", add, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(packages), PIP_NO_DEPS="1")
    assert "steelyard[solve]" in told


def test_a_file_is_named_as_long_as_it_is_there_and_then_the_packages_of_an_extra(
    environment: Environment, wheel: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(wheel, tmp_path)
    environment.install(copy)
    add, rebuild = environment.hints()
    assert add.endswith(f" 'steelyard[solve] @ {Path(copy).as_uri()}'")
    assert rebuild.endswith(" steelyard")  # from the index: a wheel cannot be built again
    Path(copy).unlink()
    add, _ = environment.hints()
    assert "steelyard" not in add
    assert add.endswith(" 'cryptography>=46' 'pydantic-ai-slim[anthropic,openai]>=2.60'")


def test_a_url_is_named(environment: Environment, wheel: Path, served: tuple[Path, str]) -> None:
    folder, address = served
    shutil.copy(wheel, folder)
    environment.install(f"steelyard @ {address}/{wheel.name}")
    add, _ = environment.hints()
    assert add.endswith(f" 'steelyard[solve] @ {address}/{wheel.name}'")


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("by", ["file", "URL"])
def test_without_a_clone_it_is_installed_and_judges_and_an_extra_can_be_added(
    environment: Environment,
    release: Path,
    served: tuple[Path, str],
    tmp_path: Path,
    kind: str,
    by: str,
) -> None:
    (package,) = release.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    folder, address = served
    shutil.copy(package, folder)
    url = package.as_uri() if by == "file" else f"{address}/{package.name}"
    environment.install(f"steelyard @ {url}", flags=())
    (tmp_path / "square.py").write_text("print(int(input()) ** 2)\n")
    (tmp_path / "tests.jsonl").write_text('{"input": "5", "expected": "25"}\n')
    steelyard = environment.bin / "steelyard"
    judged = run(steelyard, "judge", "square.py", "--tests", "tests.jsonl", cwd=tmp_path)
    assert "passed  1 of 1 tests" in judged
    hint = "from steelyard._installation import install_command as f; print(f('docker'))"
    command = run(environment.bin / "python", "-c", hint).strip()
    assert f"steelyard[docker] @ {url}" in command
    assert UV
    run("sh", "-c", command, PATH=f"{os.path.dirname(UV)}:{os.environ['PATH']}")
    run(environment.bin / "python", "-c", "import docker")


@pytest.mark.exhaustive
@pytest.mark.usefixtures("packages")  # skipped if they cannot be built
@pytest.mark.parametrize("editable", [False, True], ids=["folder", "editable"])
def test_a_clone_is_named(environment: Environment, clone: Path, editable: bool) -> None:
    flags = ["-e"] if editable else []
    environment.install(*flags, clone)
    add, rebuild = environment.hints()
    at = f"uv pip install --python {environment.bin}/python "
    target = " ".join([*flags, "'.[solve]'"])
    assert add == f"cd '{clone}' && {at}{target}"
    assert rebuild == f"cd '{clone}' && {at}--reinstall-package steelyard {' '.join([*flags, '.'])}"


@pytest.mark.parametrize(
    ("mark", "add", "rebuild"),
    [
        (
            "uv-receipt.toml",
            "uv tool install --force 'steelyard[solve]'",
            "uv tool install --reinstall --no-binary-package steelyard steelyard",
        ),
        (
            "pipx_metadata.json",
            "pipx install --force 'steelyard[solve]'",
            "pipx install --force --pip-args='--no-cache-dir --no-binary steelyard' steelyard",
        ),
    ],
)
def test_a_tool_of_its_own_environment_is_named(
    environment: Environment, packages: Path, mark: str, add: str, rebuild: str
) -> None:
    environment.install("--no-index", "--find-links", packages, "steelyard")
    (environment.prefix / mark).touch()
    assert environment.hints() == [add, rebuild]


def test_the_packages_hold_what_they_promise(packages: Path, wheel: Path) -> None:
    assert wheel.name == f"steelyard-{steelyard.__version__}-py3-none-any.whl"
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "steelyard/py.typed" in names
    assert "steelyard/toolchains/languages.toml" in names
    examples = {
        f"steelyard/_examples/{path.relative_to(ROOT / 'examples')}"
        for path in (ROOT / "examples").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert examples <= names  # the C programs too, which `steelyard demo` judges
    assert not [name for name in names if name.endswith((".so", "/_cell", ".pyc"))]
    assert not [name for name in names - examples if name.endswith(".c")]
    (source,) = packages.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"CMakeLists.txt", "src/steelyard/sandbox/cell.c", "LICENSE", "README.md"} <= inside


@pytest.mark.exhaustive
@pytest.mark.usefixtures("packages")  # skipped if they cannot be built
def test_without_a_c_compiler_zig_builds_the_cell(clone: Path, tmp_path: Path) -> None:
    assert UV
    flags = ("--quiet", "--python", sys.executable, "--wheel", "--out-dir", tmp_path)
    run(UV, "build", *flags, clone, PATH=str(tmp_path))
    (wheel,) = tmp_path.glob("*-linux_*.whl")
    cell = Path(zipfile.ZipFile(wheel).extract("steelyard/sandbox/_cell", tmp_path))
    assert b"/ld-musl" not in cell.read_bytes()  # static
    cell.chmod(0o755)
    run(cell)  # without a pool's socket it ends at once


@pytest.mark.exhaustive
def test_an_installation_without_a_cell_says_what_to_do(
    environment: Environment, wheel: Path
) -> None:
    environment.install(wheel, flags=())
    done = subprocess.run(
        [environment.bin / "steelyard", "doctor"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "native cell" in done.stdout
    assert "--no-binary steelyard steelyard\n" in done.stdout  # not that wheel again


@pytest.mark.exhaustive
@pytest.mark.usefixtures("packages")  # skipped if they cannot be built
def test_without_the_compiler_that_is_named_a_pure_wheel_is_built(
    clone: Path, tmp_path: Path
) -> None:
    assert UV
    run(UV, "build", "--quiet", "--wheel", "--out-dir", tmp_path, clone, CC="/nonexistent")
    assert [path.suffixes[-1] for path in tmp_path.glob("*-py3-none-any.whl")] == [".whl"]
    assert not list(tmp_path.glob("*linux*"))


@pytest.mark.exhaustive
@pytest.mark.usefixtures("packages")  # skipped if they cannot be built
def test_a_broken_cell_is_an_error_and_no_pure_wheel(clone: Path, tmp_path: Path) -> None:
    if not (shutil.which("cc") or shutil.which("gcc")):
        pytest.skip("no C compiler is installed")
    broken = shutil.copytree(clone, tmp_path / "broken", ignore=shutil.ignore_patterns("build"))
    with (broken / "src/steelyard/sandbox/cell.c").open("a") as cell:
        cell.write("\nint broken\n")
    out = tmp_path / "out"
    assert UV
    argv = (UV, "build", "--wheel", "--out-dir", out, broken)
    done = subprocess.run(argv, capture_output=True, check=False)
    assert done.returncode != 0
    assert b"the native cell did not compile" in done.stderr
    assert not list(out.glob("*.whl"))
