"""Where in a value something stands: `result[3].price`."""

from dataclasses import dataclass

_MOST_LABELS = 24
_MOST_CHARS = 400


@dataclass(slots=True, eq=False)
class Path:
    """A step below another place."""

    parent: "Path | None"
    label: str
    depth: int = 0

    def to(self, label: str) -> "Path":
        """The place one step below."""
        return Path(self, label, self.depth + 1)

    def __str__(self) -> str:
        labels: list[str] = []
        at: Path | None = self
        while at is not None:
            labels.append(at.label)
            at = at.parent
        labels.reverse()
        if len(labels) > _MOST_LABELS:
            half = _MOST_LABELS // 2
            left_out = len(labels) - 2 * half
            labels[half:-half] = [f"...({left_out} steps)..."]
        text = "".join(labels)
        if len(text) > _MOST_CHARS:
            half = _MOST_CHARS // 2
            text = f"{text[:half]}...{text[-half:]}"
        return text

    @property
    def root(self) -> str:
        """The name of the root that it lies in."""
        at = self
        while at.parent is not None:
            at = at.parent
        return at.label
