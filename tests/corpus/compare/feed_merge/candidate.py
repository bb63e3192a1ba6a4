"""Feeds in one stream."""

from feeds.sources import Source


async def merge(sources: list[Source]) -> list[str]:
    """The links of all feeds, each once, in the order in which they first come."""
    links: list[str] = []
    seen: set[str] = set()
    for source in sources:
        number = 0
        while page := await source.page(number):
            for link in page:
                if link not in seen:
                    seen.add(link)
                    links.append(link)
            number += 1
    return links
