"""Links of web pages."""

import re

HREF = re.compile(r"<a\s[^>]*?href\s*=\s*\"([^\"]*)\"", re.IGNORECASE)


def links(pages: list[str]) -> list[str]:
    """All links of the pages, fragments cut off, in order."""
    found = []
    for page in pages:
        for target in HREF.findall(page):
            found.append(target.partition("#")[0])
    return found
