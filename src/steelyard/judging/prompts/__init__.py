"""Extract test cases from the text of a prompt."""

from steelyard.judging.prompts._extract import ExtractedTests, FoundCase, Notation, extract_tests

__all__ = ["ExtractedTests", "FoundCase", "Notation", "extract_tests"]
