"""Rendering with `{name}` fields."""

from tmpl.escape import escape_html


def render(template: str, **fields: object) -> str:
    return template.format(**{name: escape_html(str(value)) for name, value in fields.items()})
