def flatten(tree: dict, prefix: str = "") -> dict[str, object]:
    """The leaves by their dotted names; empty branches have none."""
    flat: dict[str, object] = {}

    def walk(branch: dict, prefix: str) -> None:
        for key, value in branch.items():
            name = f"{prefix}.{key}" if prefix else str(key)
            if isinstance(value, dict):
                walk(value, name)
            else:
                flat[name] = value

    walk(tree, prefix)
    return flat
