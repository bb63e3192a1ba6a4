"""Open a model by its name."""

from pathlib import Path

from steelyard.models._model import Model
from steelyard.models._names import SCRIPTED, ModelName
from steelyard.models._retries import Waits
from steelyard.models._scripted import ScriptedModel
from steelyard.models._vendor import VendorModel
from steelyard.settings import ModelSettings, current_settings


def open_model(
    name: str, settings: ModelSettings | None = None, *, waits: Waits | None = None
) -> Model:
    """Return the model of this name, ready for requests; nothing is sent yet.

    Args:
        name: `openai:MODEL`, `anthropic:MODEL`, `ollama:MODEL` or `vllm:MODEL`, with `@URL` after
            it for a server at another address, `NAME:MODEL` for an endpoint of the settings, or
            `scripted:FILE`.
        settings: Addresses, time-outs, retries, prices; None for the process's settings.
        waits: The waits between retries.

    Raises:
        ModelNameError: if the name cannot be read, or its provider's package is not installed.
        SettingsError: if the provider's key is missing, or an address cannot be used.
        ScriptError: if the script cannot be used.
    """
    parsed = ModelName.parse(name)
    if parsed.provider == SCRIPTED:
        return ScriptedModel(Path(parsed.model))
    return VendorModel(parsed, settings or current_settings().models, waits)
