"""Derive starter code from the parameters, and check starter code against them."""

import ast
from collections.abc import Iterator

from steelyard.authoring.calls import Fault, compiled
from steelyard.authoring.specification._static_rules import parsed, static_faults
from steelyard.errors import SpecificationError
from steelyard.plain import PlainType, parse_type
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification


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


def _normal(text: str) -> str:
    try:
        return str(parse_type(text))
    except SpecificationError:
        return text
