from threading import Event, Thread


def add_all(self, events: list[tuple[str, int]]) -> None:
    """Adds events in their order."""
    held = Event()

    def work() -> None:
        with self.lock:
            held.set()
            kinds = self.kinds
            for kind, value in events:
                kinds.setdefault(kind.strip().lower(), []).append(value)

    Thread(target=work, daemon=True).start()
    held.wait()
