"""The files that callers of go-judge's endpoints leave for later runs, in memory."""

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice

from fastapi import Request

from steelyard.service._auth import Caller
from steelyard.service._problems import Problem
from steelyard.service._rights import may_see
from steelyard.service._shares import has_room

_KEPT_S = 3_600.0
_MOST_BYTES = 256 << 20
_MOST_FILES = 10_000
_LOOKED_AT = 100


@dataclass(slots=True)
class _File:
    owner: str
    name: str
    content: bytes
    used: float = field(default_factory=time.monotonic)


class FileStore:
    """Files by id. A caller reaches its own only; each is kept for an hour after its last use."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._bytes = 0

    def add(self, caller: Caller, name: str, content: bytes) -> str:
        """Keep a file, and return its id.

        Raises:
            Problem: 429 if there is no room.
        """
        self._forget_old()
        owner = caller.owner
        own = [len(file.content) for file in self._files.values() if file.owner == owner]
        room = has_room(sum(own), self._bytes, _MOST_BYTES, len(content))
        if not room or not has_room(len(own), len(self._files), _MOST_FILES):
            raise Problem(
                429,
                "queue-full",
                "Too many files",
                "there is no room for more of this caller's files; delete some",
                headers={"Retry-After": "60"},
            )
        file_id = secrets.token_urlsafe(12)
        self._files[file_id] = _File(owner, name[:300], content)
        self._bytes += len(content)
        return file_id

    def find(self, caller: Caller, file_id: str) -> tuple[str, bytes] | None:
        """Return a file's name and content; None if the caller has no such file."""
        file = self._files.get(file_id)
        if file is None or not may_see(caller, "peer", file.owner):
            return None
        file.used = time.monotonic()
        self._files.move_to_end(file_id)
        return file.name, file.content

    def names(self, caller: Caller) -> dict[str, str]:
        """Return the names of a caller's files, by id."""
        return {
            key: file.name
            for key, file in self._files.items()
            if may_see(caller, "peer", file.owner)
        }

    def remove(self, caller: Caller, file_id: str) -> bool:
        """Forget a file; False if the caller has no such file."""
        if self.find(caller, file_id) is None:
            return False
        self._bytes -= len(self._files.pop(file_id).content)
        return True

    def _forget_old(self) -> None:
        limit = time.monotonic() - _KEPT_S
        for file_id, file in list(islice(self._files.items(), _LOOKED_AT)):
            if file.used > limit:
                return
            self._bytes -= len(file.content)
            del self._files[file_id]


def files_of(request: Request) -> FileStore:
    """Return the files of a request's service."""
    state = request.app.state
    store: FileStore | None = getattr(state, "go_judge_files", None)
    if store is None:
        store = state.go_judge_files = FileStore()
    return store
