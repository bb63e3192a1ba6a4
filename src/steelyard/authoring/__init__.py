"""Turn a vague request into a specification, a suite of measured strength, and solutions."""

from steelyard._homes import publish
from steelyard.authoring._meaning import meaning_of
from steelyard.authoring._options import NO_MODEL, AuthorOptions
from steelyard.authoring._specify import Specified, Specifier, require_models, require_request

__all__ = [
    "NO_MODEL",
    "AuthorOptions",
    "Specified",
    "Specifier",
    "meaning_of",
    "require_models",
    "require_request",
]

publish(__name__, globals())
