"""Menus of an application."""


def _walk(menu: dict, prefix: str, paths: list[str] = []) -> list[str]:
    for name, below in menu.items():
        path = f"{prefix}/{name}"
        if below:
            _walk(below, path, paths)
        else:
            paths.append(path)
    return paths


def leaf_paths(menu: dict, prefix: str = "") -> list[str]:
    """The paths of all entries that open no further menu."""
    return list(_walk(menu, prefix))


def count(menu: dict) -> int:
    return len(leaf_paths(menu))
