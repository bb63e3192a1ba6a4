"""Read constraints in a closed language, and derive everything from them: checks, shapes, prose."""

from steelyard.constraints._bounds import Bound, bounds_of
from steelyard.constraints._clashes import clash_in_words, clash_of, smallest
from steelyard.constraints._domain import Domain, hull
from steelyard.constraints._doubts import doubts_of, partly_read
from steelyard.constraints._facts import Line, Link
from steelyard.constraints._language import language_of_calls, predicate_calls
from steelyard.constraints._notation import plain_notation
from steelyard.constraints._operations import FUNCTION_NAMES
from steelyard.constraints._parse import parse_constraint
from steelyard.constraints._prose import number, prose_of
from steelyard.constraints._shapes import Graph, Shape, Shapes, shape_of
from steelyard.constraints._tree import (
    Apply,
    Chain,
    Choice,
    Const,
    Constraint,
    Display,
    Item,
    Logic,
    Loop,
    Many,
    Name,
    Node,
    Part,
    Target,
    children,
    walk,
)
from steelyard.constraints._validator import Validator, Work

__all__ = [
    "FUNCTION_NAMES",
    "Apply",
    "Bound",
    "Chain",
    "Choice",
    "Const",
    "Constraint",
    "Display",
    "Domain",
    "Graph",
    "Item",
    "Line",
    "Link",
    "Logic",
    "Loop",
    "Many",
    "Name",
    "Node",
    "Part",
    "Shape",
    "Shapes",
    "Target",
    "Validator",
    "Work",
    "bounds_of",
    "children",
    "clash_in_words",
    "clash_of",
    "doubts_of",
    "hull",
    "language_of_calls",
    "number",
    "parse_constraint",
    "partly_read",
    "plain_notation",
    "predicate_calls",
    "prose_of",
    "shape_of",
    "smallest",
    "walk",
]
