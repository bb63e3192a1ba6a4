"""Hosts to crawl."""


def host_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].lower()


def hosts(urls: list[str]) -> list[str]:
    """Each host once, in the order in which they come."""
    found: list[str] = []
    for url in urls:
        if host_of(url) not in found:
            found.append(host_of(url))
    return found
