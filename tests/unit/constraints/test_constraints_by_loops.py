"""Two readings of each line agree: the language, and loops in Python that were written by hand."""

import importlib.util
import random
import re
from pathlib import Path
from typing import Any

import pytest

from steelyard.constraints import Validator, parse_constraint
from steelyard.values import PlainType, parse_type

CORPUS = Path(__file__).parents[2] / "corpus/constraints/loops.py"
TRIES = 400


def readings() -> list[Any]:
    spec = importlib.util.spec_from_file_location("constraint_loops", CORPUS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.READINGS)


class Values:
    """Random values near valid ones and near the numbers and letters of a line."""

    def __init__(self, text: str, seed: int) -> None:
        self.dice = random.Random(seed)
        text = text.translate({ord("·"): "*", ord("⁵"): "^5"})
        text = re.sub(r"\\(cdot|times)", "*", text).replace("^", "**")
        plain = re.sub(r"\\,|[{}]|(?<=\d)[ ,](?=000)", "", text)
        found = re.findall(r"\b[1-9]\d*(?: ?\*{1,2} ?\d+)*", plain)
        numbers = [int(eval(each)) for each in found]
        self.numbers = [*range(-2, 5), *numbers, *(-each for each in numbers)]
        quoted = "".join(re.findall(r"'([^']*)'", text))
        self.letters = [*"abczA0 .", *quoted]

    def fresh(self, kind: PlainType) -> Any:
        """Return a value of a type."""
        pick = self.dice.choice
        match kind.kind:
            case "int":
                return pick(self.numbers) + pick((-1, 0, 0, 1))
            case "float":
                return pick(self.numbers) + pick((-0.5, 0.0, 0.25))
            case "bool":
                return pick((True, False))
            case "str":
                return "".join(pick(self.letters) for _ in range(self.size()))
            case "optional":
                return None if self.dice.random() < 0.3 else self.fresh(kind.items[0])
            case "list":
                return [self.fresh(kind.items[0]) for _ in range(self.size())]
            case "tuple":
                return [self.fresh(each) for each in kind.items]
            case "set":
                return list(dict.fromkeys(self.fresh(kind.items[0]) for _ in range(self.size())))
            case "union":
                return self.fresh(pick(kind.items))
            case "dict" if kind.key.kind == "int":
                keys = [str(self.fresh(kind.key)) for _ in range(self.size())]
                return {key: self.fresh(kind.items[0]) for key in keys}
        names = ["".join(pick("ab1") for _ in range(self.size())) for _ in range(self.size())]
        return {name: self.fresh(kind.items[0]) for name in names}

    def size(self) -> int:
        return self.dice.choice((0, 1, 1, 2, 2, 3, 4, 9))

    def changed(self, value: Any, kind: PlainType) -> Any:
        """Return a value with one small change."""
        dice, kind = self.dice, kind.base
        if kind.kind == "int" and value is not None and dice.random() < 0.5:
            return value + dice.choice((-1, 1))
        if not value or kind.kind not in ("list", "tuple", "str") or dice.random() < 0.1:
            return self.fresh(kind)
        items, at = list(value), dice.randrange(len(value))
        item = parse_type("str") if kind.kind == "str" else kind.items[at % len(kind.items)]
        way = dice.randrange(5) if kind.kind != "tuple" else 0
        if way == 0:
            letter = kind.kind == "str"
            items[at] = dice.choice(self.letters) if letter else self.changed(items[at], item)
        elif way == 1:
            del items[at]
        elif way == 2:
            items.insert(at, items[dice.randrange(len(items))])
        elif way == 3:
            items.append(dice.choice(self.letters) if kind.kind == "str" else self.fresh(item))
        else:
            other = dice.randrange(len(items))
            items[at], items[other] = items[other], items[at]
        return "".join(items) if kind.kind == "str" else items

    def arguments(self, good: list[Any], kinds: list[PlainType]) -> list[Any]:
        """Return arguments: mostly valid ones with a few changes."""
        if self.dice.random() < 0.25:
            return [self.fresh(kind) for kind in kinds]
        args = list(good)
        for _ in range(self.dice.choice((0, 1, 1, 2, 3))):
            at = self.dice.randrange(len(args))
            args[at] = self.changed(args[at], kinds[at])
        return args


@pytest.mark.parametrize("line", readings(), ids=lambda line: line.text)
def test_a_line_means_what_its_loops_mean(line: Any) -> None:
    types = {name: parse_type(kind) for name, kind in line.parameters.items()}
    checked = Validator(types, (parse_constraint(line.text, types),))
    values = Values(line.text, seed=len(line.text))
    assert checked.is_valid(line.good)
    seen = set()
    for _ in range(TRIES):
        args = values.arguments(line.good, [*types.values()])
        wanted = line.holds(*args)
        assert checked.is_valid(args) is wanted, args
        assert (checked.distance(args) == 0) is wanted, args
        seen.add(wanted)
    assert seen == {True, False}, "all values agree: nothing was compared"
