"""How tests come in: from mappings in memory, a JSON or JSONL file, or a folder."""

from assayer.judging.loading._load import TestSource, load_tests

__all__ = ["TestSource", "load_tests"]
