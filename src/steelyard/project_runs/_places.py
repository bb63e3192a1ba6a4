"""Where cells are shown folders that lie where they have folders of their own."""

import dataclasses

from steelyard.sandbox import CellPool, Mount, View

_OWN = ("/tmp", "/w", "/dev/shm")  # noqa: S108 - a cell's own, whatever the host has there
_ELSEWHERE = "/shown"


class Places:
    """A view that any pool's cells can have, and where each path of the host is in it.

    Args:
        view: The view, with each mount at its own place.
        pool: Whose cells.
    """

    def __init__(self, view: View, pool: CellPool) -> None:
        self._moved: dict[str, str] = {}
        if pool.isolation.filesystem == "view":
            for mount in view.mounts:
                if not mount.target and f"{mount.source}/".startswith(tuple(f"{p}/" for p in _OWN)):
                    self._moved[mount.source] = f"{_ELSEWHERE}/{len(self._moved)}"
        mounts = tuple(
            Mount(mount.source, self._moved.get(mount.source, mount.target))
            for mount in view.mounts
        )
        self.view = dataclasses.replace(view, mounts=mounts)

    def of(self, path: str) -> str:
        """Where a path of the host is in a cell."""
        for source, target in self._moved.items():
            if path == source or path.startswith(f"{source}/"):
                return f"{target}{path[len(source) :]}"
        return path
