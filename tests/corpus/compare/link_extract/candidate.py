def links(pages: list[str]) -> list[str]:
    """All links of the pages, fragments cut off, in order."""
    found = []
    find = HREF.findall
    for page in pages:
        for target in find(page):
            found.append(target.partition("#")[0])
    return found
