"""Show runs of the solve loop."""

from steelyard.solving.reporting._json import story_json
from steelyard.solving.reporting._terminal import ReplayView, ResultView, StoryView

__all__ = ["ReplayView", "ResultView", "StoryView", "story_json"]
