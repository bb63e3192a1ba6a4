"""Where entries come from."""

import asyncio


class Source:
    """A feed that hands out its links page by page."""

    def __init__(self, pages: list[list[str]]) -> None:
        self.pages = pages

    async def page(self, number: int) -> list[str]:
        await asyncio.sleep(0)
        return self.pages[number] if number < len(self.pages) else []
