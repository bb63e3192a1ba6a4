"""Nested configuration."""


def flatten(tree: dict, prefix: str = "") -> dict[str, object]:
    """The leaves by their dotted names; empty branches have none."""
    flat: dict[str, object] = {}
    for key, value in tree.items():
        name = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, dict):
            flat = {**flat, **flatten(value, name)}
        else:
            flat = {**flat, name: value}
    return flat


def lookup(tree: dict, name: str, default: object = None) -> object:
    return flatten(tree).get(name, default)
