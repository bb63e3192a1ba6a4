"""Connect to the container engine of this machine, and report its failures in one line each."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from steelyard._installation import install_command
from steelyard.errors import CellError

if TYPE_CHECKING:
    from docker import DockerClient

_DEFAULT = "unix:///var/run/docker.sock"
_TIMEOUT_S = 60


@contextmanager
def engine() -> "Iterator[DockerClient]":
    """Open a connection to the engine, and close it at the end.

    Raises:
        CellError: if the SDK is not installed, no engine on this machine answers, or the
            engine refuses a request within the block.
    """
    host = os.environ.get("DOCKER_HOST") or _DEFAULT
    if not host.startswith("unix://"):
        raise CellError(
            f"the docker backend cannot use DOCKER_HOST={host}: a cell receives open files, so the "
            "engine must be on this machine; set DOCKER_HOST to its unix:// socket"
        )
    try:
        import docker  # noqa: PLC0415  (an extra, and slow to import)
        from docker.errors import APIError, DockerException  # noqa: PLC0415
        from requests import RequestException  # noqa: PLC0415
    except ImportError as error:
        raise CellError(
            f"the docker backend needs its Python package; run: {install_command('docker')}"
        ) from error
    try:
        _knock(host.removeprefix("unix://"))
        client = docker.from_env(version="auto", timeout=_TIMEOUT_S)
    except (DockerException, RequestException, OSError) as error:
        raise CellError(
            f"the docker engine at {host} does not answer ({_line(error)}); "
            "start it, set DOCKER_HOST, or set sandbox.backend to auto"
        ) from error
    try:
        yield client
    except (DockerException, RequestException) as error:
        reason = error.explanation if isinstance(error, APIError) else error
        raise CellError(
            f"the docker engine refused: {_line(reason)}; fix that, or set sandbox.backend to auto"
        ) from error
    finally:
        client.close()


def _knock(path: str) -> None:
    """Raise OSError if nothing listens; the SDK would say less, and leak the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_TIMEOUT_S)
        probe.connect(path)


def _line(text: object) -> str:
    """Return a message as one line, short enough for an error."""
    return " ".join(str(text).split())[:300]
