"""A cache that knows how well it does."""


class Cache:
    """Values by key."""

    def __init__(self, values: dict[str, int]) -> None:
        self.values = values
        self.hits = 0
        self.misses = 0

    def get_many(self, keys: list[str]) -> dict[str, int]:
        """The values of the keys that are there."""
        found = {}
        for key in keys:
            if key in self.values:
                self.hits += 1
                found[key] = self.values[key]
            else:
                self.misses += 1
        return found

    @property
    def rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0
