"""Test cases out of the text of a prompt."""

from assayer.judging.prompts._extract import ExtractedTests, FoundCase, extract_tests
from assayer.judging.prompts._samples import Shape

__all__ = ["ExtractedTests", "FoundCase", "Shape", "extract_tests"]
