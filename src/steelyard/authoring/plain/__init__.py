"""Read the types of arguments, check values against them, and write values in one fixed way."""

from steelyard.authoring.plain._json import canonical_json, digest_of
from steelyard.authoring.plain._types import MAX_DEPTH, Kind, PlainType, parse_type

__all__ = ["MAX_DEPTH", "Kind", "PlainType", "canonical_json", "digest_of", "parse_type"]
