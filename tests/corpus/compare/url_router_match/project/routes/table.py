"""From paths to handlers."""


class Router:
    """Routes such as `/users/{id}/posts`, tried in the order in which they came."""

    def __init__(self) -> None:
        self.routes: list[tuple[str, str]] = []

    def add(self, pattern: str, handler: str) -> None:
        self.routes.append((pattern, handler))

    def match(self, path: str) -> tuple[str, dict[str, str]] | None:
        """The first route's handler and fields; None where there is none."""
        for pattern, handler in self.routes:
            wanted = pattern.strip("/").split("/")
            given = path.strip("/").split("/")
            fields = {}
            fits = len(wanted) == len(given)
            for i in range(min(len(wanted), len(given))):
                if wanted[i].startswith("{") and wanted[i].endswith("}"):
                    fields[wanted[i][1:-1]] = given[i]
                elif wanted[i] != given[i]:
                    fits = False
            if fits:
                return handler, fields
        return None
