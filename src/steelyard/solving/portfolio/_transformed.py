"""Apply the transforms to an input, and keep those that follow the format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steelyard.schemas import SolutionLanguage
from steelyard.solving.portfolio._format import Format
from steelyard.solving.portfolio._layout import Item, block_of
from steelyard.solving.portfolio._transforms import TRANSFORMS, Transform

_MOST_CHARS = 16 << 20
_MOST_COLUMNS = 3


@dataclass(frozen=True)
class Transformed:
    """An input that a transform made."""

    name: str
    text: str = ""
    refused: str = ""
    """The property that it would break; empty if it is used."""


def transformed(
    made: str, generated: Sequence[str], form: Format, language: SolutionLanguage
) -> Iterator[Transformed]:
    """Yield the transforms of an input.

    Args:
        made: The input, of the largest size.
        generated: Other inputs of its generator, small ones too.
        form: The format that the samples show.
        language: The program's language.
    """
    lines = [line for line in made.splitlines() if line.strip()] if len(made) < _MOST_CHARS else []
    block = block_of(lines)
    rows = block.rows_in(lines) if block else None
    if block is None or rows is None:
        return
    observed = form.observed(block, [*generated, made])
    columns = range(min(len(rows[0]), _MOST_COLUMNS))
    values = [observed.values(column) for column in columns]
    indexes = form.indexes(block, made)
    for transform in TRANSFORMS:
        if transform.language not in (None, language):
            continue
        for column in columns:
            new = _rows_by(transform, rows, column, values[column])
            if new is None or (indexes and not transform.reorders):
                continue
            name = transform.name + (f" by column {column + 1}" if len(rows[0]) > 1 else "")
            broken = next((each.name for each in observed.required if not each.holds(new)), "")
            if broken:
                yield Transformed(name, refused=broken)
            elif new != rows:
                yield Transformed(name, block.put(lines, new) + "\n")


def _rows_by(
    transform: Transform, rows: Sequence[tuple[Item, ...]], column: int, values: range
) -> list[tuple[Item, ...]] | None:
    """Return the rows after a transform of one column; whole rows are only reordered."""
    if not transform.reorders:
        items = transform.apply([row[column] for row in rows], values)
        if items is None:
            return None
        return [
            (*row[:column], item, *row[column + 1 :]) for row, item in zip(rows, items, strict=True)
        ]
    if len(rows[0]) == 1:
        items = transform.apply([row[0] for row in rows], values)
        return None if items is None else [(item,) for item in items]
    # The ranks of the rows are distinct numbers: their order is the order of the rows.
    ranked = sorted(range(len(rows)), key=lambda index: (rows[index][column], index))
    order = transform.apply(range(len(rows)), values)
    assert order is not None
    return [rows[ranked[rank]] for rank in order if isinstance(rank, int)]
