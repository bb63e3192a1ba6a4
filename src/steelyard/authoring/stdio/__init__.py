"""Write a call's arguments and its answer as text, for programs that use standard input."""

from steelyard.authoring.stdio._format import format_of, match_mode_of
from steelyard.authoring.stdio._read import read_value
from steelyard.authoring.stdio._write import text_of_answer, text_of_arguments

__all__ = ["format_of", "match_mode_of", "read_value", "text_of_answer", "text_of_arguments"]
