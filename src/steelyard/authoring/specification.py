"""Check specifications, derive their starter code, state them in prose, and hold programs to them.

1. `check_specification` returns each fault of a specification: types and constraints that cannot be
   read or met, examples that break them, starter code that does not fit.
2. `starter_code` derives starter code from the parameters.
3. `statement_of` states a specification in prose, for models and for people.
4. `static_faults` checks the source of a solution against the static rules.
"""

import ast
import json
import keyword
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from pydantic import JsonValue

from steelyard._printable import printable
from steelyard._python_trees import python_tree
from steelyard.authoring.calls import Fault, compiled
from steelyard.constraints import (
    FUNCTION_NAMES,
    Constraint,
    Validator,
    clash_in_words,
    parse_constraint,
    prose_of,
    smallest,
)
from steelyard.errors import SpecificationError
from steelyard.inputs import inputs_of
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Limits, Specification
from steelyard.values import PlainType, canonical_json, layout_of, parse_type

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
        yield from _format_faults(spec)
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
    if "set[" in str(returns) or "dict[int" in str(returns):
        return types, None, [*faults, f"returns is {returns}; use a list, or texts as keys"]
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


def _format_faults(spec: Specification) -> Iterator[str]:
    """Yield what is wrong with the input format, or the first example that it cannot write."""
    try:
        layout = layout_of(spec)
        for example in spec.examples if spec.input_format else ():
            layout.write(example.args)
    except SpecificationError as error:
        yield str(error)


def _satisfiable(spec: Specification, validator: Validator) -> Iterator[str]:
    """Yield the constraints that clash. A valid example proves that none do.

    Only if there are no examples, arguments are searched for: that can take seconds.
    """
    if any(validator.is_valid(example.args) for example in spec.examples):
        return
    if clash := clash_in_words(validator):
        yield clash
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
    return bool(inputs_of(part).small(1, work=work).cases)


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


MAX_CHARS = 200_000
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_GETTERS = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller"})
Use = tuple[int, str]
"""A line, and what is there."""


def parsed(source: str, what: str = "the program") -> ast.Module | str:
    """Return a program's tree, or why it has none."""
    if len(source) > MAX_CHARS:
        return f"{what} has {len(source)} characters; shorten it to {MAX_CHARS}"
    try:
        return python_tree(source)
    except SyntaxError as error:
        text = printable(str(error.msg))[:80]
        return f"{what} is not Python: line {error.lineno or 1}: {text}; correct this line"
    except (ValueError, RecursionError, MemoryError):
        return f"{what} is nested too deeply or not text; simplify it"


def static_faults(source: str, rules: Sequence[str]) -> tuple[str, ...]:
    """Return one line for each part of a Python program that its rules forbid.

    The program is parsed and never run. A rule forbids a use under another name too, such as
    `f = sorted`, but a program with `getattr` of a computed name is for the gate to refuse.

    Args:
        source: The program's text, which may be hostile.
        rules: Static rules of a specification, such as `no loop` and `no call sorted`.
    """
    tree = parsed(source)
    if isinstance(tree, str):
        return (tree,)
    found = {
        (line, f"line {line}: {what} is not allowed by the rule {rule!r}")
        for rule in rules
        for line, what in _uses(tree, rule)
    }
    return tuple(text for _, text in sorted(found)[:_MAX_FAULTS])


def _uses(tree: ast.Module, rule: str) -> Iterator[Use]:
    _, kind, *name = rule.split(" ")
    if kind == "recursion":
        yield from _recursion(tree)
    elif kind == "call":
        yield from _calls(tree, name[0])
    else:
        for node in ast.walk(tree):
            what = _forbidden(node, kind, name[0] if name else "")
            if what:
                yield getattr(node, "lineno", 1), what


def _forbidden(node: ast.AST, kind: str, name: str) -> str | None:
    """Return what a node is, if a rule about nodes of its kind forbids it."""
    match node:
        case ast.Import(names=aliases) if kind in ("import", "module"):
            modules = [alias.name for alias in aliases]
        case ast.ImportFrom(module=module, names=aliases) if kind in ("import", "module"):
            modules = [module or ".", *(f"{module}.{alias.name}" for alias in aliases)]
        case ast.Attribute(attr=attr) if kind == "method" and attr == name:
            return f"the method {name}"
        case ast.Call(func=called, args=args) if kind == "method" and _last(called) in _GETTERS:
            texts = [arg.value for arg in args if isinstance(arg, ast.Constant)]
            return f"the method {name}" if name in texts else None
        case _:
            if isinstance(node, _LOOPS) and kind == "loop":
                return "a loop"
            if isinstance(node, _COMPREHENSIONS) and kind == "comprehension":
                return "a comprehension"
            return None
    hit = [each for each in modules if not name or each == name or each.startswith(f"{name}.")]
    return f"an import of {hit[0]}" if hit else None


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _calls(tree: ast.Module, name: str) -> Iterator[Use]:
    """Yield the uses of a function: each mention, because a call can be through another name."""
    module, _, short = name.rpartition(".")
    if not module and name in _defined(tree):
        return
    for node in ast.walk(tree):
        is_use = (
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ) or (module and isinstance(node, ast.Attribute) and ast.unparse(node) == name)
        if module and isinstance(node, ast.ImportFrom) and node.module == module:
            is_use = any(alias.name in (short, "*") for alias in node.names)
        if is_use:
            yield getattr(node, "lineno", 1), f"a use of {name}"


def _defined(tree: ast.Module) -> set[str]:
    """Return the names of the program's own functions, classes and parameters."""
    return {
        node.arg if isinstance(node, ast.arg) else node.name
        for node in ast.walk(tree)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.arg))
    }


def _recursion(tree: ast.Module) -> Iterator[Use]:
    """Yield the functions that can reach themselves by calls."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    functions: dict[str, tuple[int, set[str]]] = {}
    """The line of each, and what it calls."""
    for node in ast.walk(tree):
        for name, body in _named_functions(node):
            _, calls = functions.setdefault(name, (getattr(node, "lineno", 1), set()))
            for inner in ast.walk(body):
                calls |= _mentions(inner, classes)
    for name, (line, calls) in functions.items():
        seen, todo = set[str](), [*calls]
        while todo:
            called = todo.pop()
            if called not in seen and called in functions:
                seen.add(called)
                todo += functions[called][1]
        if name in seen:
            yield line, f"the recursion of {name}"


def _named_functions(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, node
        case ast.Assign(targets=targets, value=ast.Lambda() as value):
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
        case ast.NamedExpr(target=ast.Name(id=name), value=ast.Lambda() as value):
            yield name, value


def _mentions(node: ast.AST, classes: set[str]) -> set[str]:
    """Return the function that a node mentions: by name, or as a method of this program's class."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return {name}
        case ast.Attribute(value=ast.Name(id=base), attr=attr) if base in {"self", "cls", *classes}:
            return {attr}
        case ast.Attribute(value=ast.Call(func=ast.Name(id=base)), attr=attr) if base in {
            "super",
            "type",
            *classes,
        }:
            return {attr}
    return set()
