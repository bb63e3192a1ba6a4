def match(self, path: str) -> tuple[str, dict[str, str]] | None:
    """The first route's handler and fields; None where there is none."""
    given = path.strip("/").split("/")
    size = len(given)
    for pattern, handler in self.routes:
        wanted = pattern.strip("/").split("/")
        if len(wanted) != size:
            continue
        fields = {}
        for name, value in zip(wanted, given):
            if name == value and not (name.startswith("{") and name.endswith("}")):
                continue
            if name.startswith("{") and name.endswith("}"):
                fields[name[1:-1]] = value
            else:
                break
        else:
            return handler, fields
    return None
