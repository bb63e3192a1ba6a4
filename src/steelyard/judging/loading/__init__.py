"""Load tests from mappings in memory, a JSON or JSONL file, or a folder."""

from steelyard.judging.loading._load import TestSource, load_json_tests, load_tests

__all__ = ["TestSource", "load_json_tests", "load_tests"]
