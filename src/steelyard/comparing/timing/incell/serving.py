"""One version in a process of its own: does what the process that times it asks for."""

from __future__ import annotations

import base64
import gc
import hashlib
import json
import os
from collections.abc import Callable
from typing import Any

from steelyard.comparing.recording.incell.sides import Side
from steelyard.project_runs.incell.digests import digest_of
from steelyard.values.incell.snapshot import snapshot


class Served:
    """Answers questions, each a line of JSON, with one line of JSON.

    Args:
        side: The version.
        cases: The side's calls by case, filled as they come.
    """

    def __init__(self, side: Side, cases: list[list[bytes]]) -> None:
        self._side, self._cases = side, cases
        self._first: list[bytes] = []

    def serve(self, reading: int, writing: int) -> None:
        """Does what it is asked, until nobody asks any more."""
        gc.set_threshold(0)
        answers: dict[str, Callable[..., Any]] = {
            "load": self._load,
            "first": self._make_first,
            "show first": self._show_first,
            "traits": self._side.traits,
            "agree": self._side.take_traits,
            "prepare": self._prepare,
            "run": self._side.run_prepared,
            "digest": self._digest,
            "digests": self._side.digests,
            "show": self._show,
        }

        def say(what: Any) -> None:
            data = memoryview(json.dumps(what).encode() + b"\n")
            while data:
                data = data[os.write(writing, data) :]

        say(None)
        with os.fdopen(reading, "rb") as lines:
            for line in lines:
                what, *rest = json.loads(line)
                say(answers[what](*rest))

    def _load(self, case: int, texts: list[str]) -> None:
        self._cases[case] = [base64.b64decode(text) for text in texts]
        self._side.load_calls(case)

    def _make_first(self, case: int) -> list[str]:
        self._first = self._side.choose(case)
        return [digest_of(given).hex() for given in self._first]

    def _show_first(self, place: int) -> str:
        return base64.b64encode(self._first[place]).decode()

    def _prepare(self, case: int, times: int) -> None:
        self._side.prepare(case, times, keeps=True)

    def _digest(self, seed: int) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for each in self._side.digests(seed):
            digest.update(each.encode())
        return digest.hexdigest()

    def _show(self, place: int) -> str:
        given = self._side.given()
        around = snapshot({"stdout": self._side.printed()})
        return base64.b64encode(given[place] if place < len(given) else around).decode()
