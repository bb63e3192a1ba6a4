"""Author a problem from a request: all steps, on one journal."""

from steelyard._homes import publish
from steelyard.authoring.pipeline._author import Author, AuthorReplay
from steelyard.authoring.pipeline._head import JOURNAL, AuthorHead, journal_in, read_author_head
from steelyard.authoring.pipeline._story import AuthorStory, StoryStep, read_author_story

__all__ = [
    "JOURNAL",
    "Author",
    "AuthorHead",
    "AuthorReplay",
    "AuthorStory",
    "StoryStep",
    "journal_in",
    "read_author_head",
    "read_author_story",
]

publish(__name__, globals())
