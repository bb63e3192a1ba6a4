"""The tree of what the arguments of a specification may be."""

from steelyard.inputs.nodes._edges import neighbours
from steelyard.inputs.nodes._lists import Mapping, Row, Sequence
from steelyard.inputs.nodes._node import MOST_LISTED, Changes, Node, changed_args
from steelyard.inputs.nodes._scalars import Nothing, Number, Truth, Union
from steelyard.inputs.nodes._sized import Sized
from steelyard.inputs.nodes._style import MOST_INNER, Style, Window
from steelyard.inputs.nodes._texts import Text
from steelyard.inputs.nodes._tree import Usual, lengths_of, numbers_of, tree_of, usual_of

__all__ = [
    "MOST_INNER",
    "MOST_LISTED",
    "Changes",
    "Mapping",
    "Node",
    "Nothing",
    "Number",
    "Row",
    "Sequence",
    "Sized",
    "Style",
    "Text",
    "Truth",
    "Union",
    "Usual",
    "Window",
    "changed_args",
    "lengths_of",
    "neighbours",
    "numbers_of",
    "tree_of",
    "usual_of",
]
