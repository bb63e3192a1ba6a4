"""Jobs in batches."""

import asyncio


async def crunch(number: int) -> int:
    await asyncio.sleep(0)
    return sum(i * i % 7 for i in range(number % 500))


async def run_all(numbers: list[int], batch: int) -> list[int]:
    """The results of all jobs, in their order, `batch` of them at a time."""
    results: list[int] = []
    for start in range(0, len(numbers), batch):
        part = numbers[start : start + batch]
        results.extend(await asyncio.gather(*(crunch(number) for number in part)))
    return results
