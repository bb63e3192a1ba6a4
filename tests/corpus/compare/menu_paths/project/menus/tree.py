"""Menus of an application."""


def leaf_paths(menu: dict, prefix: str = "") -> list[str]:
    """The paths of all entries that open no further menu."""
    paths: list[str] = []
    for name, below in menu.items():
        path = f"{prefix}/{name}"
        if below:
            paths = paths + leaf_paths(below, path)
        else:
            paths = paths + [path]
    return paths


def count(menu: dict) -> int:
    return len(leaf_paths(menu))
