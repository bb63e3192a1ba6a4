"""Names for generated code."""

import re

HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """`HTTPServerName` as `http_server_name`."""
    return HUMP.sub("_", name).replace("-", "_").lower()


def module_of(class_names: list[str]) -> str:
    return "\n".join(f"from .{snake_case(name)} import {name}" for name in class_names)
