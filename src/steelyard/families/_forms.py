"""Families of forms: rows, pairs, columns, dicts and numbers of another type."""

from typing import Any

from steelyard.families._dice import Dice
from steelyard.families._table import family


@family("form", lambda items, width: 2 * len(items))
def rows(items: list[Any] | str, width: int) -> list[Any]:
    """The items in rows of one length."""
    return [items[i : i + width] for i in range(0, len(items), width)] if width > 0 else []


@family("form", lambda *columns: 2 * sum(len(column) for column in columns))
def columns(*columns: list[Any]) -> list[list[Any]]:
    """Rows that take one item from each column."""
    return [list(row) for row in zip(*columns, strict=False)]


@family("form", lambda table, column: 2 * sum(len(row) + 1 for row in table))
def widened(table: list[Any], column: list[Any]) -> list[list[Any]]:
    """Each row with one more item, such as the weights of edges."""
    return [[*row, item] for row, item in zip(table, column, strict=False)]


@family("form", lambda keys, values: 2 * len(values) + sum(map(len, keys)))
def keyed(keys: list[str], values: list[Any]) -> dict[str, Any]:
    """A dict."""
    return dict(zip(keys, values, strict=False))


@family("form")
def divided(values: list[int], by: int) -> list[float]:
    """Numbers with a fraction."""
    return [value / by for value in values]


@family("form")
def truths(values: list[int]) -> list[bool]:
    """1 is True, 0 is False."""
    return [bool(value) for value in values]


@family("form")
def gaps(items: list[Any], share: float, seed: int = 0) -> list[Any]:
    """None in the place of some items."""
    dice = Dice(seed)
    return [None if dice.chance(share) else item for item in items]


@family("form", lambda items, _, item: len(items) + (len(item) if isinstance(item, str) else 1))
def put(items: list[Any] | str, index: int, item: Any) -> list[Any] | str:
    """The same with another item at an index."""
    if isinstance(items, str) and not isinstance(item, str):
        raise ValueError("only a text can be put into a text")
    if not -len(items) <= index < len(items):
        raise ValueError(f"there is no item {index}")
    index %= len(items)
    if isinstance(items, str):
        return f"{items[:index]}{item}{items[index + 1 :]}"
    return [*items[:index], item, *items[index + 1 :]]


@family("form", lambda parts: sum(map(len, parts)))
def joined(parts: list[str]) -> str:
    """The texts as one."""
    return "".join(parts)


@family("form", lambda items, n, *_: abs(n))
def drawn(items: list[Any], n: int, seed: int = 0) -> list[Any]:
    """Any of the items, n times."""
    dice = Dice(seed)
    return [dice.pick(items) for _ in range(n)] if items else []


@family("form", lambda items, n, *_: len(items))
def sampled(items: list[Any], n: int, seed: int = 0) -> list[Any]:
    """Some of the items, n at most, in the order that they have."""
    ranks = sorted(Dice(seed).sample(0, len(items) - 1, max(0, min(n, len(items)))))
    return [items[rank] for rank in ranks]


@family("form")
def chosen(ranks: list[int], choices: list[Any]) -> list[Any]:
    """The choices with these ranks."""
    return [choices[rank] for rank in ranks]


@family("form")
def stepped(ranks: list[int], start: int, step: int) -> list[int]:
    """Numbers that lie whole steps from the start."""
    return [start + step * rank for rank in ranks]


@family("form", lambda items, n: abs(n))
def mirrored(items: list[Any], n: int) -> list[Any]:
    """The items and then the same backwards, n in all."""
    return [*items, *items[: n // 2][::-1]]


@family("form")
def letters(text: str) -> list[str]:
    """The characters of a text."""
    return list(text)


@family("form", lambda ranks, lows, widths: 2 * len(ranks) * (1 + len(lows)))
def unranked(ranks: list[int], lows: list[int], widths: list[int]) -> list[list[int]]:
    """The rows with these ranks among all rows; `widths` values from `lows` on in each column."""
    rows = []
    for rank in ranks:
        row, left = [], rank
        for low, width in zip(lows, widths, strict=True):
            row.append(low + left % width)
            left //= width
        rows.append(row)
    return rows


@family("form", lambda table, *_: 2 * sum(len(row) + 1 for row in table))
def ascending_rows(table: list[Any], step: int) -> list[list[Any]]:
    """Each row sorted; with a step of 1 neighbours that are equal are set apart."""
    rows = []
    for row in table:
        ranked = sorted(row)
        for at in range(1, len(ranked)):
            if step and ranked[at] <= ranked[at - 1]:
                ranked[at] = ranked[at - 1] + step
        rows.append(ranked)
    return rows
