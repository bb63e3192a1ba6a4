"""Show what was understood of a specification: its constraints in words, its bounds, ten inputs."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from steelyard.constraints import Validator, number, partly_read, prose_of, shape_of
from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.reports import Block, Heading, Table, cut, table
from steelyard.schemas import Specification
from steelyard.values import canonical_json

_SMALLEST, _LARGEST, _INVALID = 5, 2, 3
_MOST_SMALLEST, _MADE, _TRIED, _WORK, _LARGE_WORK = 60, 30, 9, 20_000_000, 60_000_000
_MOST_CHARS = 70


def meaning_of(spec: Specification) -> Iterator[Block]:
    """Yield what was understood, for the reader who wrote the specification.

    Each constraint in words, and whether only a part of it was read; the bounds of every number
    and length; five small inputs, two large ones, and three that just break a constraint.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    validator = Validator.of(spec)
    partly = partly_read(validator)
    yield Heading("Constraints, as they were read")
    yield table(
        {
            "constraint": cut(each.text, _MOST_CHARS),
            "in words": prose_of(each),
            "": "read in part: inputs for it are found by trying" if each in partly else "",
        }
        for each in validator.constraints
    )
    yield from _bounds(validator)
    yield Heading("Inputs")
    yield _inputs(spec)


def _bounds(validator: Validator) -> Iterator[Block]:
    rows = [
        {"value": name, "from": number(domain.low), "to": number(domain.high)}
        for name, domain in shape_of(validator).quantities.items()
        if domain and domain.is_finite and not {"*", "/"} & {*name}
    ]
    if rows:
        yield Heading("Bounds")
        yield table(rows)


def _inputs(spec: Specification) -> Table:
    inputs = inputs_of(spec)
    made = [args_of(case.input) for case in inputs.small(_MADE, work=_WORK).cases]
    tiny = inputs.smallest(_MOST_SMALLEST)[0]
    smallest = dict.fromkeys(map(_text, [*tiny, *sorted(made, key=lambda args: len(_text(args)))]))
    large = islice(inputs.large(bases=made, work=_LARGE_WORK), _LARGEST)
    broken = {text: args for args, text in inputs.near_invalid(made, _TRIED)}
    rows = [
        *(("small", text, "") for text in islice(smallest, _SMALLEST)),
        *(("large", _text(args_of(each.input)), _sizes(args_of(each.input))) for each in large),
        *(
            ("not valid", _text(args), f"breaks {cut(text, _MOST_CHARS)}")
            for text, args in islice(broken.items(), _INVALID)
        ),
    ]
    return table(
        {"": kind, "input": cut(text, _MOST_CHARS), "note": note} for kind, text, note in rows
    )


def _text(args: Sequence[Any]) -> str:
    return canonical_json(list(args))


def _sizes(args: Sequence[Any]) -> str:
    sizes = [len(each) for each in args if isinstance(each, list | str | dict)]
    return f"lengths {', '.join(f'{size:,}' for size in sizes)}" if sizes else ""
