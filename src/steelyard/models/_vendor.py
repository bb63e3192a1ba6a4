"""Open a model by its name; call a vendor's model, with keys, retries, time-outs and costs."""

import asyncio
import json
import threading
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from weakref import WeakKeyDictionary

from steelyard._installation import install_command
from steelyard._printable import printable
from steelyard.errors import (
    ModelNameError,
    ModelRefusedError,
    ModelTransportError,
)
from steelyard.models._budget import cost_usd
from steelyard.models._names import SCRIPTED, Endpoint, ModelName, endpoint_key, endpoint_of
from steelyard.models._replies import shorten
from steelyard.models._request import Model, Reply, Request
from steelyard.models._retries import (
    LARGER_CONTEXT,
    Waits,
    is_about_length,
    reply_room,
    stated_room,
)
from steelyard.models._scripted import ScriptedModel
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


class VendorModel:
    """A model of OpenAI, of Anthropic, or of any server with OpenAI's API.

    It holds no key: the key is read from the environment for each request.
    """

    def __init__(
        self, name: ModelName, settings: ModelSettings, waits: Waits | None = None
    ) -> None:
        """Prepare the model; nothing is sent yet.

        Raises:
            ModelNameError: if the provider's package is not installed.
            SettingsError: if the key is missing, or an address cannot be used.
        """
        self._name = name
        self._settings = settings
        self._waits = waits or Waits()
        self._endpoint = endpoint_of(name, settings)
        self._takes_temperature = True
        _check_installed(self._endpoint)
        endpoint_key(self._endpoint)

    @property
    def name(self) -> str:
        """The name that opens this model."""
        return str(self._name)

    def __repr__(self) -> str:
        return f"VendorModel({self.name!r})"

    async def complete(self, request: Request) -> Reply:
        """Return the model's reply; temporary failures are retried within the total time.

        Raises:
            ModelTransportError: if no try that the settings allow gets an answer.
            ModelRefusedError: if the provider refuses the request itself.
            SettingsError: if the key is missing from the environment.
        """
        await asyncio.to_thread(_load, self._endpoint.provider.wire)
        limit_s = self._settings.total_timeout_s
        tries = _Tries()
        async with _slots(self._endpoint.base_url, self._settings.concurrency):
            started = time.monotonic()
            try:
                async with asyncio.timeout(limit_s):
                    reply = await self._insist(request, tries)
            except TimeoutError:
                last = f"; the last failure: {tries.last}" if tries.last else ""
                raise ModelTransportError(
                    f"{self.name} gave no answer within {limit_s:g} s in {tries.sent} tries{last}; "
                    "try again later, or allow more with STEELYARD_MODELS__TOTAL_TIMEOUT_S",
                    tries=tries.sent,
                ) from None
            return reply.model_copy(update={"seconds": time.monotonic() - started})

    async def _insist(self, request: Request, tries: "_Tries") -> Reply:
        from steelyard.models._wire import NoAnswerError, send  # noqa: PLC0415

        context, limit = self._endpoint.context, request.most_tokens_out
        if context is not None:
            limit = min(limit, reply_room(context, request))
        shortened = False
        while True:
            key = endpoint_key(self._endpoint)
            temperature = request.temperature if self._takes_temperature else None
            tries.sent += 1
            try:
                reply, cached = await send(
                    request,
                    self._endpoint,
                    key,
                    temperature=temperature,
                    max_tokens=limit,
                    timeout_s=self._settings.timeout_s,
                    max_body_bytes=self._settings.max_body_mib << 20,
                )
            except NoAnswerError as failure:
                tries.last = failure.reason
                if failure.names_temperature and temperature is not None:
                    self._takes_temperature = False
                    continue
                room = None if shortened else stated_room(failure.refusal, request, limit)
                if room is not None:
                    shortened, limit = True, room
                    continue
                tries.failed += 1
                too_long = is_about_length(failure.refusal)
                if too_long or not failure.passing:
                    advice = _shorter(request) if too_long else self._advice(failure.status)
                    raise ModelRefusedError(
                        f"{self.name} refused the request: {tries.last}; {advice}",
                        status=failure.status,
                        tries=tries.sent,
                    ) from None
                most = failure.most_retries
                if tries.failed > min(self._settings.retries, 100 if most is None else most):
                    url = shorten(printable(self._endpoint.base_url), 400)
                    check = (
                        "" if failure.status else f", or check that a model's server is at {url}"
                    )
                    raise ModelTransportError(
                        f"{self.name} gave no answer in {tries.sent} tries; the last failure: "
                        f"{tries.last}; try again later{check}",
                        status=failure.status,
                        tries=tries.sent,
                    ) from None
                pause_s = self._waits.seconds(tries.failed, failure.headers)
            else:
                cost = cost_usd(
                    self._name, self._settings, reply.tokens_in, reply.tokens_out, cached
                )
                return reply.model_copy(update={"cost_usd": cost, "retries": tries.failed})
            await self._waits.sleep(pause_s)

    def _advice(self, status: int | None) -> str:
        """Return advice for a refusal."""
        if status in (401, 403) and self._endpoint.key_variable is None:
            return (
                "no key was sent, as none belongs to this address; set its url and key_variable in "
                "the settings: [models.NAME]"
            )
        if status in (401, 403):
            return f"check the key in {self._endpoint.key_variable}"
        if status in (402, 429):
            return "check the account's quota and billing"
        if status is not None and (status < 400 or status == 404):
            return "check the model's name and the address"
        return "fix the request, or use another model"


class _Tries:
    """The tries of a request so far."""

    def __init__(self) -> None:
        self.sent = 0
        self.failed = 0
        self.last = ""


def _load(wire: str) -> None:
    """Import the modules that a request needs, which takes seconds the first time."""
    for module in ("steelyard.models._wire", f"pydantic_ai.models.{wire}"):
        import_module(module)


def _check_installed(endpoint: Endpoint) -> None:
    extra = endpoint.provider.wire
    if find_spec("pydantic_ai") is None or find_spec(extra) is None:
        raise ModelNameError(
            f"{endpoint.provider.name} models need their Python package; "
            f"run: {install_command(extra)}"
        )


def _shorter(request: Request) -> str:
    """Return advice for a request that does not fit into the server's context."""
    example = json.dumps({request.role: 4096})
    return (
        f"give the server a larger context ({LARGER_CONTEXT}), or lower the limit on replies: "
        f"STEELYARD_MODELS__MAX_TOKENS='{example}'"
    )


_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]] = (
    WeakKeyDictionary()
)
_lock = threading.Lock()


def _slots(address: str, limit: int) -> asyncio.Semaphore:
    """Return the address's slots of the running event loop."""
    with _lock:
        return _by_loop.setdefault(asyncio.get_running_loop(), {}).setdefault(
            (address, limit), asyncio.Semaphore(limit)
        )
