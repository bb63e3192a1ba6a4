"""Run in a cell: call a generator module for inputs, and return them as records.

The request is one JSON object on standard input. Each record on what was standard output is a line
of JSON; its `size` is the number of bytes of content after the line. The module's output is
discarded. This file runs on any Python from 3.8 on and imports nothing but the standard library.
"""

from __future__ import annotations

import inspect
import io
import json
import linecache
import os
import signal
import sys
import time
import types
from collections.abc import Callable
from typing import Any, BinaryIO

_BOUNDS = ("n_min", "n_max", "m_min", "m_max", "m_default")
_MOST_CHARS = 300


class _FailedError(Exception):
    """The module's fault, as a record."""

    def __init__(self, what: str, text: str = "", line: int = 0) -> None:
        super().__init__(what)
        self.record = {"kind": "error", "what": what, "text": text[:_MOST_CHARS], "line": line}


class _Ears(io.RawIOBase):
    """Notices that something is printed, and forgets it."""

    heard = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.heard |= bool(bytes(data[:4096]).strip())
        return len(data)


def main() -> None:
    """Answers the request, and ends the process."""
    request = json.loads(sys.stdin.buffer.read())
    out = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    ears = _Ears()
    sys.stdout = io.TextIOWrapper(ears, "utf-8", "replace", write_through=True)
    try:
        _answer(request, out, ears)
    except _FailedError as error:
        _send(out, error.record)
    os._exit(0)  # threads and exit hooks of the module's do not hold it up


def _answer(request: dict[str, Any], out: BinaryIO, ears: _Ears) -> None:
    module = _load(request["name"])
    generate = getattr(module, "generate", None)
    if not callable(generate):
        raise _FailedError("absent")
    takes, needs = _places_of_m(generate)
    valid = getattr(module, "valid", None)
    bounds = {name: _bound(module, name) for name in _BOUNDS}
    _send(
        out,
        {
            "kind": "description",
            "takes_m": bool(takes),
            "needs_m": needs,
            "valid": callable(valid),
            "bounds": bounds,
        },
    )
    if request["valid"] and callable(valid):
        answers = [bool(_guarded(request, valid, n, m)) for n, m in request["valid"]]
        _send(out, {"kind": "valid", "answers": answers})
    encode = _encoder(request["values"]) if request["values"] else None
    if needs and not all(m for _, m in request["points"]):
        raise _FailedError("needs-m")
    if not takes and any(m for _, m in request["points"]):
        raise _FailedError("no-m")
    started, total = time.monotonic(), 0
    for place, (n, m) in enumerate(request["points"]):
        if place and (
            time.monotonic() - started > request["along_s"] or total > request["along_bytes"]
        ):
            break  # what is not cheap is made only when it is asked for
        if place == 1:
            signal.setitimer(signal.ITIMER_REAL, request["along_most_s"])  # ends the process
        ears.heard = False
        content = _content(request, generate, takes, n, m, encode, ears)
        total += len(content)
        head = {"kind": "input", "n": n, "m": m, "size": len(content), "printed": ears.heard}
        _send(out, head, content)


def _send(out: BinaryIO, record: dict[str, Any], content: bytes = b"") -> None:
    out.write(json.dumps(record).encode() + b"\n")
    out.write(content)
    out.flush()


def _load(name: str) -> types.ModuleType:
    module = types.ModuleType("generator")
    module.__file__ = name
    sys.modules["generator"] = module  # dataclasses look themselves up there
    with open(name, "rb") as file:
        source = file.read()
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[name] = (len(source), None, lines, name)
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _FailedError("syntax", str(error.msg), error.lineno or 0) from None
    except ValueError as error:  # a NUL byte
        raise _FailedError("syntax", str(error)) from None
    try:
        exec(code, module.__dict__)  # noqa: S102  (what it is for; in a cell)
    except BaseException as error:  # noqa: BLE001
        raise _raised(error, name, "loading") from None
    return module


def _raised(error: BaseException, name: str, what: str = "raised") -> _FailedError:
    """Return the exception, with the line of the module that it came through last."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = " ".join(str(error).split())
    except BaseException:  # `__str__` is the generator's, and may raise anything  # noqa: BLE001
        text = ""
    kind = type(error).__name__
    return _FailedError(what, f"{kind}: {text}" if text else kind, line)


def _guarded(
    request: dict[str, Any], function: Callable[..., Any], *args: Any, **named: Any
) -> Any:
    try:
        return function(*args, **named)
    except BaseException as error:  # noqa: BLE001
        raise _raised(error, request["name"]) from None


def _places_of_m(generate: Callable[..., Any]) -> tuple[str, bool]:
    """Return how `generate` takes m (`position`, `name` or empty), and whether m is required."""
    try:
        signature = inspect.signature(generate)
    except (TypeError, ValueError):
        return "", False
    for how, args, named in (
        ("position", (1, 1, 1), {}),
        ("name", (1, 1), {"m": 1}),
        ("", (1, 1), {}),
    ):
        try:
            signature.bind(*args, **named)
        except TypeError:
            continue
        try:
            signature.bind(1, 1)
        except TypeError:
            return how, True
        return how, False
    raise _FailedError("signature", str(signature))


def _bound(module: types.ModuleType, name: str) -> int | str | None:
    for written in (name.upper(), name):
        value = getattr(module, written, None)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # 1e6
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int) or (isinstance(value, str) and name == "m_default"):
            return value
        raise _FailedError("bound", f"{written} = {value!r}")
    return None


def _encoder(text: str) -> Callable[[object], str]:
    module = types.ModuleType("values")
    exec(text, module.__dict__)  # noqa: S102  (steelyard.schemas.values)
    encode: Callable[[object], str] = module.__dict__["encode"]
    return encode


def _content(
    request: dict[str, Any],
    generate: Callable[..., Any],
    takes: str,
    n: int,
    m: int,
    encode: Callable[[object], str] | None,
    ears: _Ears,
) -> bytes:
    if not m:
        value = _guarded(request, generate, n, request["seed"])
    elif takes == "position":
        value = _guarded(request, generate, n, request["seed"], m)
    else:
        value = _guarded(request, generate, n, request["seed"], m=m)
    if value is None:
        raise _FailedError("printed" if ears.heard else "nothing")
    if encode is not None:
        return _call(value, encode)
    if isinstance(value, str):
        try:
            value = value.encode()
        except UnicodeEncodeError as error:
            raise _FailedError("unicode", str(error)) from None
    if not isinstance(value, (bytes, bytearray)):
        raise _FailedError("type", type(value).__name__)
    if not value:
        raise _FailedError("printed" if ears.heard else "empty")
    return bytes(value)


def _call(value: Any, encode: Callable[[object], str]) -> bytes:
    """Return a request as the harness reads it (steelyard.toolchains.incell.calls)."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise _FailedError("arguments", "a text that is not JSON") from None
    named: Any = None
    if isinstance(value, dict) and value and value.keys() <= {"args", "kwargs"}:
        value, named = value.get("args") or (), value.get("kwargs") or None
    if not isinstance(value, (list, tuple)) or not isinstance(named, (dict, type(None))):
        raise _FailedError("arguments", type(value).__name__)
    args = list(value)
    try:
        return encode([args, named, 0]).encode()
    except Exception as error:  # noqa: BLE001  (its own class, which this text cannot name)
        raise _FailedError("plain", str(error)) from None


main()
