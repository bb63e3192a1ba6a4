"""Author a problem from a request: all steps, on one journal."""

from steelyard._homes import publish
from steelyard.authoring.pipeline._author import Author
from steelyard.authoring.pipeline._job import JOB, AuthorRequest
from steelyard.authoring.pipeline._results_folder import (
    JOURNAL,
    AuthorHead,
    AuthorStory,
    journal_in,
    read_author_story,
)
from steelyard.authoring.pipeline._view import view

__all__ = [
    "JOB",
    "JOURNAL",
    "Author",
    "AuthorHead",
    "AuthorRequest",
    "AuthorStory",
    "journal_in",
    "read_author_story",
    "view",
]

publish(__name__, globals())
