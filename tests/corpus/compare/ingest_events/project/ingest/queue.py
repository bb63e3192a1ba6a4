"""A store of events."""

from threading import RLock


class Store:
    """Events by kind."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.kinds: dict[str, list[int]] = {}

    def add(self, kind: str, value: int) -> None:
        with self.lock:
            self.kinds.setdefault(kind, []).append(value)

    def add_all(self, events: list[tuple[str, int]]) -> None:
        """Adds events in their order."""
        for kind, value in events:
            self.add(kind.strip().lower(), value)

    def total(self, kind: str) -> int:
        with self.lock:
            return sum(self.kinds.get(kind, []))
