"""Every backend that this machine can run, and a program that does one thing to a limit."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.errors import InfrastructureError
from steelyard.sandbox import Blob, CellPool, Command
from steelyard.settings import SandboxSettings
from tests.http_server import Service, a_token, running_service

BACKENDS = [
    SandboxSettings(backend="cell"),
    SandboxSettings(backend="cell", accounting="none"),
]


def _name(settings: SandboxSettings) -> str:
    return f"{settings.backend}-{settings.accounting}"


@pytest.fixture(scope="session", params=BACKENDS, ids=_name)
def backend(request: pytest.FixtureRequest) -> SandboxSettings:
    """Each backend, with and without control groups."""
    settings: SandboxSettings = request.param
    try:
        CellPool(1, settings=settings).close()
    except InfrastructureError as error:
        pytest.skip(f"{_name(settings)}: {error}")
    return settings


@pytest.fixture(scope="session")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker, a file for the log and a key, asked by an administrator."""
    folder = tmp_path_factory.mktemp("jobs")
    token = a_token(folder, "admin")
    options = ("--workers", "1", "--log-file", str(folder / "service.log"))
    environment = {"CACHE_ENCRYPT_KEY": "ab" * 32}
    with running_service(folder, *options, environment=environment, token=token) as service:
        yield service


@pytest.fixture(scope="session")
def cells(backend: SandboxSettings) -> Iterator[CellPool]:
    """One pool for each backend, which all of a worker's tests share."""
    with CellPool(1, settings=backend) as pool:
        yield pool


@pytest.fixture(scope="session")
def namespaces(cells: CellPool) -> None:
    """Skip a test of what only namespaces give; test_sandbox_without_namespaces.py has the rest."""
    if not cells.isolation.namespaces:
        pytest.skip(f"no namespaces here: {'; '.join(cells.isolation.missing)}")


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Command]:
    """Makes commands of programs/probe.c."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: the probe cannot be built")
    source = Path(__file__).with_name("programs") / "probe.c"
    built = tmp_path_factory.mktemp("probe") / "probe"
    subprocess.run([compiler, "-O1", "-static", "-o", built, source], check=True)
    executable = Blob.from_file(built)

    def command(*arguments: object, **options: object) -> Command:
        argv = ("probe", *map(str, arguments))
        return Command(argv, executable=executable, **options)

    return command


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk without room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        with (folder / "filler").open("wb") as filler:
            filler.write(b"x" * (1 << 20))
        yield folder
    finally:
        subprocess.run(("umount", folder), check=True)
