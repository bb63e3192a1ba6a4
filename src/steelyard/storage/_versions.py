"""The revisions of the tables."""

REVISIONS = ("0001", "0002", "0003", "0004", "0005")
"""In order; a test compares them with the migrations."""
HEAD = REVISIONS[-1]
VERSION_TABLE = "steelyard_version"
