def hosts(urls: list[str]) -> list[str]:
    """Each host once, in the order in which they come."""
    return list({host_of(url) for url in urls})
