"""Turn a vague request into a specification, a suite of measured strength, and solutions."""

from steelyard.authoring._options import AuthorOptions
from steelyard.authoring._specify import Specified, require_request, specify

__all__ = ["AuthorOptions", "Specified", "require_request", "specify"]
