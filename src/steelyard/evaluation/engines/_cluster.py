"""Connect to a Ray cluster, or start one on this machine that only this user can reach."""

import importlib
import importlib.util
import os
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from steelyard._installation import install_command
from steelyard.errors import InfrastructureError, UsageError

_CONNECT_S = 5.0
_LOOPBACK = "127.0.0.1"
_STORE_BYTES = 256 << 20
"""Memory for what crosses between processes; calls hold texts and blobs of tests."""
_MODE, _TOKEN = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"


@cache
def _own_token() -> str:
    """Return the token of clusters that this process starts; Ray reads one once a process."""
    return secrets.token_hex(32)


@contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """Give the module `ray`, connected to a cluster.

    Args:
        address: `HOST:PORT` of the cluster's head; None starts Ray on this machine, for loopback
            connections only.

    Raises:
        UsageError: if Ray is not installed, or the token of the cluster is missing.
        InfrastructureError: if no cluster answers, or it refuses the token.
    """
    if importlib.util.find_spec("ray") is None:
        raise UsageError(f"the engine ray needs the package ray; run {install_command('ray')}")
    changes = {_MODE: os.environ.get(_MODE, "token"), "RAY_USAGE_STATS_ENABLED": "0"}
    if address is None:
        changes |= {
            _MODE: "token",
            _TOKEN: os.environ.get(_TOKEN) or _own_token(),
            # Ray then binds every port to loopback; without it, all ports are open to the network.
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        }
    else:
        _check_address(address)
        _check_token()
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        ray = importlib.import_module("ray")
        if ray.is_initialized():
            yield ray  # the caller's connection, which is the caller's to end
            return
        with (
            TemporaryDirectory(prefix="steelyard-ray-", ignore_cleanup_errors=True) as folder,
            _quiet(),
        ):
            with _own_signals():
                _start(ray, address, folder)
            try:
                yield ray
            finally:
                ray.shutdown()
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Ray's notes on lost nodes off standard output, which holds the caller's JSON.

    Ray prints them even with `log_to_driver=False`; the engine reports each lost node itself.
    """
    worker = importlib.import_module("ray._private.worker")
    before = worker.print_to_stdstream
    worker.print_to_stdstream = lambda *_, **__: None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        worker.print_to_stdstream = before  # type: ignore[attr-defined]


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep the caller's handlers: Ray's own one dumps a stack on SIGTERM and aborts the process."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can set handlers
        return
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # it was not set by Python
                signal.signal(number, handler)


def _check_address(address: str) -> None:
    """Connect once: Ray itself would wait for a minute and print many lines."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host:
        raise UsageError(
            f"the address of a cluster is HOST:PORT, got {address!r}; name one such as head:10001"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise InfrastructureError(
            f"no Ray cluster answers at {address} ({error}); start one with `ray start --head`, "
            "or fix the address"
        ) from error


def _check_token() -> None:
    """Refuse to connect without a token, unless the environment turns authentication off."""
    if os.environ.get(_MODE, "token") != "token":
        return
    path = os.environ.get(f"{_TOKEN}_PATH") or "~/.ray/auth_token"
    if not os.environ.get(_TOKEN) and not Path(path).expanduser().is_file():
        raise UsageError(
            f"the token of the cluster is missing; set {_TOKEN} or {_TOKEN}_PATH, or set "
            f"{_MODE}=disabled if the cluster needs none"
        )


def _start(ray: Any, address: str | None, folder: str) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}
    if address is None:
        options |= {
            "address": "local",
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
            "_node_ip_address": _LOOPBACK,
            "_temp_dir": folder,
        }
    else:
        options["address"] = address
    try:
        if address is not None:
            # With a wrong token, `init` waits for ever; this client reports it at once.
            importlib.import_module("ray._raylet").GcsClient(address=address)
        ray.init(**options)
    except Exception as error:  # a start that takes too long is a bare Exception
        line = str(error).split("\n")[0].split(". ")[0].rstrip(".") or type(error).__name__
        raise InfrastructureError(
            f"Ray cannot connect to {address or 'this machine'}: {line}; check the cluster with "
            "`ray status`, and its token"
        ) from error
    if address is None and ray.nodes()[0]["NodeManagerAddress"] != _LOOPBACK:
        ray.shutdown()
        raise InfrastructureError(
            "Ray was imported before, and would listen beyond loopback; set "
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0 before it is imported"
        )
