def unique_tags(posts_tags: list[str]) -> list[str]:
    """Each tag once, in lower case."""
    return sorted({tag.lower() for tag in posts_tags})
