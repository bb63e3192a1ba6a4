"""Extract test cases from the text of a prompt."""

from steelyard.judging.prompts._extract import ExtractedTests, FoundCase, extract_tests
from steelyard.judging.prompts._samples import Shape

__all__ = ["ExtractedTests", "FoundCase", "Shape", "extract_tests"]
