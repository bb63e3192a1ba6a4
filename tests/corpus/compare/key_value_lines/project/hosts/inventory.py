"""Inventories such as `web1 port=22 user=deploy`."""


def variables(line: str) -> dict[str, str]:
    """The variables of one host's line; words without an equals sign are none."""
    found = {}
    for word in line.split(" "):
        name, equals, value = word.partition("=")
        if equals:
            found[name] = value
    return found


def host(line: str) -> str:
    return line.split(" ")[0]
