"""Plain values: their types, their JSON, and one text form for programs that use standard input.

`values.snapshots` compares what live objects looked like; `values.incell` takes those snapshots.
"""

from steelyard.values._answers import canonical_json, digest_of, plain_items, plain_of
from steelyard.values._layout import format_of, layout_of, text_of_arguments
from steelyard.values._text import match_mode_of, text_of_answer
from steelyard.values._types import MAX_DEPTH, Kind, PlainType, parse_type

__all__ = [
    "MAX_DEPTH",
    "Kind",
    "PlainType",
    "canonical_json",
    "digest_of",
    "format_of",
    "layout_of",
    "match_mode_of",
    "parse_type",
    "plain_items",
    "plain_of",
    "text_of_answer",
    "text_of_arguments",
]
