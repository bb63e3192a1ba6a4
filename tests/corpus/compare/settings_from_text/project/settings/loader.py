"""Settings in `KEY = value` lines."""


class Settings:
    """Names and their values, all text."""

    def __init__(self, values: dict[str, str]) -> None:
        self.values = values

    @classmethod
    def from_text(cls, text: str) -> "Settings":
        """Reads settings; a later line wins, `#` starts a comment.

        Raises:
            ValueError: A line has no equals sign.
        """
        values = {}
        while text:
            line, _, text = text.partition("\n")
            line = line.partition("#")[0]
            line = line.strip()
            if len(line) == 0:
                continue
            if "=" not in line:
                raise ValueError(f"not a setting: {line}")
            key = line[: line.index("=")].strip()
            value = line[line.index("=") + 1 :].strip()
            values = {**values, key: value}
        return cls(values)

    def get(self, key: str, default: str = "") -> str:
        return self.values.get(key, default)
