"""Tags of posts."""


def unique_tags(posts_tags: list[str]) -> list[str]:
    """Each tag once, in lower case."""
    unique: list[str] = []
    for tag in posts_tags:
        low = tag.lower()
        if low not in unique:
            unique.append(low)
    return unique


def tag_line(posts_tags: list[str]) -> str:
    return ", ".join(unique_tags(posts_tags))
