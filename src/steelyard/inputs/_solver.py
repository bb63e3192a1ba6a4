"""Find values that satisfy constraints to which small changes do not lead: needs the extra z3."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import z3

from steelyard.constraints import Validator
from steelyard.families import Dice
from steelyard.inputs._meter import visits
from steelyard.inputs._symbolic import Formulas, Text, UnknownFormError
from steelyard.values import PlainType

_MOST_UNKNOWN = 60
_MOST_VISITED = 200
_MOST_WORK = 300_000
"""z3's own count of its work, which is the same on every machine."""
_SHARES_KEPT = (0.7, 0.4, 0.2, 0.0)
"""Shares of the unknowns that are to keep their value, one attempt after the other."""
_FIXED = frozenset({"dict", "set", "union", "none"})
_LOWEST_LETTER, _HIGHEST_LETTER = ord(" "), ord("~")


def solved(
    validator: Validator, kinds: Sequence[PlainType], args: Sequence[Any], dice: Dice
) -> list[Any] | None:
    """Return arguments of the same sizes that are closer to valid, or None.

    The result may break constraints that z3 does not know: the caller checks it.

    Args:
        validator: The constraints.
        kinds: The parameters' types.
        args: Arguments with the lengths that the result is to have.
        dice: What chooses the values to keep.
    """
    if visits(args) > _MOST_VISITED:
        return None
    unknown = _Unknown()
    symbols = [unknown.of(value, kind) for value, kind in zip(args, kinds, strict=True)]
    if not 0 < len(unknown.values) <= _MOST_UNKNOWN:
        return None
    solver = z3.Solver()
    solver.set("rlimit", _MOST_WORK)
    solver.add(*unknown.limits)
    formulas = Formulas(symbols)
    for constraint in validator.constraints:
        # What z3 does not know, or refuses, is left to the validator.
        with suppress(UnknownFormError, z3.Z3Exception, TypeError, ValueError, ArithmeticError):
            solver.add(formulas.of(constraint))
    solver.add(*formulas.side)
    for share in _SHARES_KEPT:
        solver.push()
        solver.add(*(each == value for each, value in unknown.values if dice.chance(share)))
        if solver.check() == z3.sat:
            model = solver.model()
            return list(map(partial(_plain, model), symbols, kinds))
        solver.pop()
    return None


class _Unknown:
    """The unknown numbers, truth values and characters of a call."""

    def __init__(self) -> None:
        self.values: list[tuple[Any, Any]] = []
        """Each unknown, with the value that it has so far."""
        self.limits: list[Any] = []

    def of(self, value: Any, kind: PlainType) -> Any:
        """Return a value with unknowns in it; dicts, sets, unions and None stay as they are."""
        kind = kind.base
        if value is None or kind.kind in _FIXED:
            return value
        if kind.kind == "list":
            return tuple(self.of(item, kind.items[0]) for item in value)
        if kind.kind == "tuple":
            return tuple(map(self.of, value, kind.items))
        if kind.kind == "str":
            return Text(self._character(letter) for letter in value)
        return self._new(value, kind.kind)

    def _new(self, value: Any, kind: str) -> Any:
        make = {"int": z3.Int, "bool": z3.Bool, "float": z3.Real}[kind]
        symbol = make(f"v{len(self.values)}")
        self.values.append((symbol, value))
        return symbol

    def _character(self, letter: str) -> Any:
        symbol = self._new(ord(letter), "int")
        self.limits += [symbol >= _LOWEST_LETTER, symbol <= _HIGHEST_LETTER]
        return symbol


def _plain(model: Any, symbol: Any, kind: PlainType) -> Any:
    """Return a value with its unknowns as a model of z3 gives them."""
    kind = kind.base
    if symbol is None or kind.kind in _FIXED:
        return symbol
    if kind.kind == "list":
        return [_plain(model, item, kind.items[0]) for item in symbol]
    if kind.kind == "tuple":
        return list(map(partial(_plain, model), symbol, kind.items))
    if kind.kind == "str":
        codes = (model.eval(code, model_completion=True).as_long() for code in symbol)
        return "".join(map(chr, codes))
    value = model.eval(symbol, model_completion=True)
    if kind.kind == "bool":
        return str(value) == "True"
    if kind.kind == "int":
        return value.as_long()
    exact = value.approx(20) if hasattr(value, "approx") else value
    return float(exact.as_fraction())
