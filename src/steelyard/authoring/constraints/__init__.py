"""Read constraints in a closed language, and derive everything from them: checks, shapes, prose."""

from steelyard.authoring.constraints._bounds import Bound, bounds_of
from steelyard.authoring.constraints._clashes import clash_of, smallest
from steelyard.authoring.constraints._domain import Domain
from steelyard.authoring.constraints._facts import Line, Link
from steelyard.authoring.constraints._operations import FUNCTION_NAMES
from steelyard.authoring.constraints._parse import parse_constraint
from steelyard.authoring.constraints._prose import prose_of
from steelyard.authoring.constraints._shapes import Graph, Shape, Shapes, shape_of
from steelyard.authoring.constraints._tree import (
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
from steelyard.authoring.constraints._validator import Validator

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
    "bounds_of",
    "children",
    "clash_of",
    "parse_constraint",
    "prose_of",
    "shape_of",
    "smallest",
    "walk",
]
