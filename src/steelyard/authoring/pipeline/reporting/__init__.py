"""Reports of authoring: Markdown, HTML and terminal views of the same blocks."""

from steelyard.authoring.pipeline.reporting._html import html_of
from steelyard.authoring.pipeline.reporting._markdown import markdown_of
from steelyard.authoring.pipeline.reporting._terminal import AuthorView

__all__ = ["AuthorView", "html_of", "markdown_of"]
