"""The default models are ones that can be asked, as far as the installed tables know."""

from datetime import timedelta

import pytest

from steelyard._default_models import ANALYST, CHECKED, CODER, DEFAULTS, PLANNER, DefaultModel
from steelyard.models import ModelName
from steelyard.models._budget import cost_usd
from steelyard.settings import ModelSettings

MONTHS = timedelta(days=180)


def test_the_settings_take_their_defaults_from_the_table() -> None:
    settings = ModelSettings()
    assert (settings.planner, settings.coder, settings.analyst) == (PLANNER, CODER, ANALYST)
    assert {PLANNER, CODER, ANALYST} == {each.name for each in DEFAULTS}


@pytest.mark.parametrize("default", DEFAULTS, ids=lambda each: each.name)
def test_a_default_is_a_model_of_today(default: DefaultModel) -> None:
    from anthropic.resources.messages.messages import DEPRECATED_MODELS  # slow to import

    name = ModelName.parse(default.name)
    assert name.model not in DEPRECATED_MODELS
    assert cost_usd(name, ModelSettings(), 1_000, 1_000)  # so that its cost can be bounded
    assert default.released <= CHECKED < default.released + MONTHS
    assert default.gone < CHECKED + MONTHS  # why it replaced the one before
    assert default.source.startswith("https://")
