"""State a specification in prose, for models and for people."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from steelyard.authoring.specification._starter import starter_code
from steelyard.constraints import parse_constraint, prose_of
from steelyard.plain import PlainType, parse_type
from steelyard.schemas import Specification

_MATCHES = {
    "exact": "",
    "numeric": "Numbers in the result may be off by a relative or absolute error of 1e-6.",
    "unordered": "The items of the result may be in any order.",
}
_RESULTS = {
    "value": "A tuple in the result equals a list with the same items.",
    "exact": "The types in the result count: a list is not a tuple.",
    "in-place": "The method changes its first argument; what it returns is ignored.",
}


def statement_of(spec: Specification, *, calls: bool = True) -> str:
    """Return the problem as a text: description, constraints, examples, rules.

    Args:
        spec: A specification without faults.
        calls: State the signature of `solve` and what counts as its result.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    types = {each.name: parse_type(each.type) for each in spec.parameters}
    parts = [spec.title, spec.description]
    if calls:
        parts.append(starter_code(spec).rstrip())
    if spec.constraints:
        listed = [f"- {_clause(text, types)}" for text in spec.constraints]
        parts.append("\n".join(["Constraints:", *listed]))
    for number, example in enumerate(spec.examples, start=1):
        names = (each.name for each in spec.parameters)
        given = ", ".join(
            f"{name} = {_json(value)}" for name, value in zip(names, example.args, strict=True)
        )
        why = f"\n{example.explanation}" if example.explanation else ""
        parts.append(f"Example {number}: {given}\nResult: {_json(example.expected)}{why}")
    rules = [_MATCHES[spec.match_mode], _RESULTS[spec.output_type] if calls else ""]
    rules += [f"Rule: {each}." for each in spec.static_rules] if calls else []
    parts.append("\n".join(filter(None, rules)))
    return "\n\n".join(filter(None, parts))


def _clause(text: str, types: Mapping[str, PlainType]) -> str:
    prose = prose_of(parse_constraint(text, types))
    return f"{prose} (`{text}`)" if prose != text else f"`{text}`"


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
