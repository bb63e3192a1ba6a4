"""Plain values: their types, their JSON, and one text form for programs that use standard input."""

from steelyard.plain._json import canonical_json, digest_of
from steelyard.plain._text_format import format_of, match_mode_of
from steelyard.plain._text_read import read_arguments, read_value
from steelyard.plain._text_write import text_of_answer, text_of_arguments
from steelyard.plain._trees import plain_of
from steelyard.plain._types import MAX_DEPTH, Kind, PlainType, parse_type

__all__ = [
    "MAX_DEPTH",
    "Kind",
    "PlainType",
    "canonical_json",
    "digest_of",
    "format_of",
    "match_mode_of",
    "parse_type",
    "plain_of",
    "read_arguments",
    "read_value",
    "text_of_answer",
    "text_of_arguments",
]
