async def run_all(numbers: list[int], batch: int) -> list[int]:
    """The results of all jobs, in their order, `batch` of them at a time.

    Those of one batch are waited for together.
    """
    outcomes: list[int] = []
    for first in range(0, len(numbers), batch):
        group = numbers[first : first + batch]
        outcomes.extend(await asyncio.gather(*(crunch(number) for number in group)))
    return outcomes
