"""Author a problem from a request: all steps, on one journal."""

from steelyard._homes import publish
from steelyard.authoring.pipeline._author import Author
from steelyard.authoring.pipeline._folder import (
    JOURNAL,
    AuthorHead,
    AuthorStory,
    journal_in,
    read_author_story,
)

__all__ = [
    "JOURNAL",
    "Author",
    "AuthorHead",
    "AuthorStory",
    "journal_in",
    "read_author_story",
]

publish(__name__, globals())
