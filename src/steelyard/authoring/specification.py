"""Check specifications, derive their starter code, and state them in prose."""

import ast
import json
import keyword
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from pydantic import JsonValue

from steelyard.authoring.calls import Fault, compiled
from steelyard.authoring.static_rules import parsed, static_faults
from steelyard.constraints import (
    FUNCTION_NAMES,
    Constraint,
    Validator,
    clash_of,
    parse_constraint,
    prose_of,
    smallest,
)
from steelyard.errors import SpecificationError
from steelyard.inputs import make_inputs
from steelyard.plain import PlainType, canonical_json, parse_type
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Limits, Specification

_MAX_FAULTS = 20
_BUDGET = 4_000_000  # a statement's examples are small, and constraints may be hostile
_MOST_SEARCHES = 5
_SEARCH_WORK, _NARROWING_WORK = 60_000_000, 20_000_000  # 30 million nodes take about a second
_WORDS = frozenset({"self", "map", "math", "isinstance"})


def check_specification(spec: Specification, *, pool: CellPool | None = None) -> tuple[str, ...]:
    """Return one line for each fault of a specification; nothing if it is sound.

    Types must be readable, constraints readable and satisfiable, examples valid, and the starter
    code must pass the gate and match the parameters. A line ends with what to do, so that it can
    be sent back to the author.

    Args:
        spec: The specification; its texts may be hostile.
        pool: Where the starter code is checked; None for the pool that the process shares.

    Raises:
        InfrastructureError: if the machine failed.
    """
    return tuple(dict.fromkeys(islice(_faults(spec, pool or shared_pool()), _MAX_FAULTS)))


def require_sound(spec: Specification, *, pool: CellPool | None = None) -> None:
    """Refuse a specification that has a fault.

    Raises:
        SpecificationError: with the first fault and the number of others.
        InfrastructureError: if the machine failed.
    """
    faults = check_specification(spec, pool=pool)
    if faults:
        others = f" (and {len(faults) - 1} other faults)" if len(faults) > 1 else ""
        raise SpecificationError(f"the specification has a fault: {faults[0]}{others}")


def _faults(spec: Specification, pool: CellPool) -> Iterator[str]:
    for parameter in spec.parameters:
        if keyword.iskeyword(parameter.name) or parameter.name in FUNCTION_NAMES | _WORDS:
            yield f"the parameter {parameter.name!r} has the name of a Python word; rename it"
    types, returns, faults = _types(spec)
    yield from faults
    constraints: list[Constraint] = []
    if len(types) == len(spec.parameters):
        for text in spec.constraints:
            try:
                constraints.append(parse_constraint(text, types))
            except SpecificationError as error:
                yield str(error)
        validator = Validator(types, tuple(constraints), budget=_BUDGET)
        found = [*_example_faults(spec, validator)]
        yield from found
        if len(constraints) == len(spec.constraints):
            yield from _satisfiable(spec, validator)
    if returns is not None:
        yield from _answer_faults(spec, returns)
    yield from starter_faults(spec, pool)


def _types(
    spec: Specification,
) -> tuple[dict[str, PlainType], PlainType | None, list[str]]:
    """Return the types of the parameters and of the answer as far as they can be read."""
    types: dict[str, PlainType] = {}
    faults: list[str] = []
    for parameter in spec.parameters:
        try:
            types[parameter.name] = parse_type(parameter.type)
        except SpecificationError as error:
            faults.append(f"the parameter {parameter.name}: {error}")
    try:
        returns = parse_type(spec.returns)
    except SpecificationError as error:
        return types, None, [*faults, f"returns: {error}"]
    return types, returns, faults


def _example_faults(spec: Specification, validator: Validator) -> Iterator[str]:
    answers: dict[str, str] = {}
    for number, example in enumerate(spec.examples, 1):
        faults = [
            f"{name}: {fault}"
            for (name, kind), value in zip(validator.types.items(), example.args, strict=True)
            if (fault := kind.fault_of(value)) is not None
        ]
        for fault in faults:
            yield f"example {number}: {fault}; change the example or the type"
        if not faults:
            for text in validator.broken(example.args):
                yield f"example {number} breaks the constraint {text!r}; change one of them"
        try:
            args, answer = canonical_json([*example.args]), canonical_json(example.expected)
        except SpecificationError as error:
            yield f"example {number}: {error}"
            continue
        if answers.setdefault(args, answer) != answer:
            yield f"example {number} repeats arguments with another answer; remove it"


def _satisfiable(spec: Specification, validator: Validator) -> Iterator[str]:
    """Yield the constraints that clash. A valid example proves that none do.

    Only if there are no examples, arguments are searched for: that can take seconds.
    """
    if any(validator.is_valid(example.args) for example in spec.examples):
        return
    clash = clash_of(validator)
    if len(clash) == 1:
        yield f"no arguments meet the constraint {clash[0]!r}; relax or remove it"
    elif clash:
        listed = "; ".join(repr(text) for text in clash)
        yield f"no arguments meet these constraints together: {listed}; change one of them"
    elif not spec.examples and not _is_met(spec, spec.constraints, _SEARCH_WORK):
        least = smallest(
            spec.constraints,
            lambda rest: not _is_met(spec, rest, _NARROWING_WORK),
            _MOST_SEARCHES,
        )
        listed = "; ".join(repr(text) for text in least)
        yield (
            f"no arguments were found that meet these constraints together: {listed}; change one "
            "of them, or add an example that meets them"
        )


def _is_met(spec: Specification, constraints: Sequence[str], work: int) -> bool:
    """Return whether a search finds arguments that meet some constraints."""
    part = spec.model_copy(update={"constraints": tuple(constraints)})
    return bool(make_inputs(part, seed=0, count=1, work=work))


def _answer_faults(spec: Specification, returns: PlainType) -> Iterator[str]:
    if spec.output_type == "in-place" and str(returns) != _normal(spec.parameters[0].type):
        yield (
            f"output_type is in-place, so returns must be the type of {spec.parameters[0].name}, "
            f"{spec.parameters[0].type}; got {returns}"
        )
    if spec.match_mode == "unordered" and returns.base.kind not in ("list", "tuple"):
        yield f"match_mode unordered needs a list as answer, and returns is {returns}; use exact"
    for number, example in enumerate(spec.examples, 1):
        fault = returns.fault_of(example.expected)
        if fault is not None:
            yield f"example {number}: expected: {fault}; change the example or returns"


def _normal(text: str) -> str:
    try:
        return str(parse_type(text))
    except SpecificationError:
        return text


def starter_code(spec: Specification) -> str:
    """Return the specification's starter code, derived from its parameters if it has none."""
    if spec.starter_code.strip():
        return spec.starter_code
    listed = "".join(f", {each.name}: {each.type.strip()}" for each in spec.parameters)
    returns = "None" if spec.output_type == "in-place" else spec.returns.strip()
    return f"class Solution:\n    def solve(self{listed}) -> {returns}:\n        pass\n"


def starter_faults(spec: Specification, pool: CellPool) -> Iterator[str]:
    """Yield what is wrong with a specification's own starter code.

    Raises:
        InfrastructureError: if the machine failed.
    """
    if not spec.starter_code.strip():
        return
    tree = parsed(spec.starter_code, "starter_code")
    if isinstance(tree, str):
        yield tree
        return
    solve = _solve(tree)
    if isinstance(solve, str):
        yield solve
        return
    yield from _signature_faults(spec, solve)
    found = compiled(
        spec.starter_code,
        "class:Solution.solve",
        pool=pool,
        limits=Limits(),
        parameters=len(spec.parameters),
        imports=True,
    )
    if isinstance(found, Fault):
        yield f"starter_code does not pass the gate: {found.text}; remove that"
    for fault in static_faults(spec.starter_code, spec.static_rules):
        yield f"starter_code breaks a static rule: {fault}; remove that"


def _solve(tree: ast.Module) -> ast.FunctionDef | str:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found = [node for node in classes if node.name == "Solution"]
    if not found:
        return "starter_code has no class Solution; write class Solution with a method solve"
    methods = [
        node
        for node in found[-1].body
        if isinstance(node, ast.FunctionDef) and node.name == "solve"
    ]
    if not methods:
        return "the class Solution of starter_code has no method solve; write def solve(self, ...)"
    return methods[-1]


def _signature_faults(spec: Specification, solve: ast.FunctionDef) -> Iterator[str]:
    args = solve.args
    names = [each.arg for each in (*args.posonlyargs, *args.args)]
    wanted = [each.name for each in spec.parameters]
    if names[:1] != ["self"] or names[1:] != wanted or args.vararg or args.kwarg or args.kwonlyargs:
        got = ", ".join(names) or "nothing"
        yield (
            f"solve in starter_code takes ({got[:200]}) and the parameters are "
            f"(self, {', '.join(wanted)}); use the same names in the same order"
        )
        return
    for arg, parameter in zip(args.args[1:], spec.parameters, strict=False):
        kind = _type(arg.annotation)
        if kind is not None and str(kind) != _normal(parameter.type):
            yield (
                f"{parameter.name} is {kind} in starter_code and {parameter.type} in the "
                "parameters; use one type"
            )
    kind = _type(solve.returns)
    if kind is not None and kind.kind != "none" and str(kind) != _normal(spec.returns):
        yield f"solve returns {kind} in starter_code, and returns is {spec.returns}; use one type"


def _type(annotation: ast.expr | None) -> PlainType | None:
    """Return the type of an annotation, None if it is missing or not a type of plain values."""
    if annotation is None:
        return None
    try:
        return parse_type(ast.unparse(annotation))
    except (SpecificationError, RecursionError):
        return None


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
