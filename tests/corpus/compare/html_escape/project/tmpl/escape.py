"""Escaping for templates."""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escape_html(text: str) -> str:
    """The text as it may stand in HTML, also in attributes."""
    escaped = ""
    for character in text:
        if character in ENTITIES:
            escaped += ENTITIES[character]
        else:
            escaped += character
    return escaped
