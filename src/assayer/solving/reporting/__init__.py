"""How runs of the solve loop are shown."""

from assayer.solving.reporting._json import story_json
from assayer.solving.reporting._terminal import ReplayView, ResultView, StoryView

__all__ = ["ReplayView", "ResultView", "StoryView", "story_json"]
