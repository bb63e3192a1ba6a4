"""Send one request by pydantic-ai and the vendors' SDKs, and interpret their errors.

Only `_vendor` imports this module, when a vendor's model is opened: it takes seconds.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic_ai import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelAPIError, ModelQuotaExceededError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings as Sampling

from steelyard._printable import printable
from steelyard.models._client import BoundedClient
from steelyard.models._names import Endpoint
from steelyard.models._replies import shorten
from steelyard.models._request import Finish, Reply, Request, most_tokens_in
from steelyard.models._retries import may_pass

_SIZES = ("n_ctx", "n_prompt_tokens")
"""Where llama.cpp names its context, next to the message."""

_NO_KEY = "none"
"""The key that the SDKs send if none is needed: they require a value."""

_REFUSALS = (400, 413, 422, 500)
"""Statuses of a refusal; llama.cpp sends 500 for a request that is longer than its context."""

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "refusal",
}
Answer = tuple[Reply, int]
"""A reply without its cost, and the number of its request's tokens that the provider had cached."""


class NoAnswerError(Exception):
    """A request that got no usable answer."""

    def __init__(
        self,
        reason: str,
        *,
        passing: bool,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        refusal: str = "",
        most_retries: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing
        """True if the request may succeed when it is sent again."""
        self.status = status
        self.headers = headers or {}
        self.most_retries = most_retries
        """Limit on retries of this fault, besides that of the settings."""
        self.refusal = refusal
        """The provider's message, if it refused the request itself."""

    @property
    def names_temperature(self) -> bool:
        """True if the provider refused the request and mentioned its temperature."""
        return self.status in (400, 422) and "temperature" in self.refusal.lower()


async def send(
    request: Request,
    endpoint: Endpoint,
    key: str | None,
    *,
    temperature: float | None,
    max_tokens: int,
    timeout_s: float,
    max_body_bytes: int,
) -> Answer:
    """Return the provider's answer to one request, tried once.

    Args:
        request: The request; its temperature is ignored.
        endpoint: The provider's endpoint.
        key: The provider's key, if it takes one.
        temperature: None sends none.
        max_tokens: The limit on the reply that is sent, at most the request's.
        timeout_s: The total wall time, from connecting to the body's last byte.
        max_body_bytes: The largest body that is read, after decompression.

    Raises:
        NoAnswerError: if no usable answer came.
    """
    client = BoundedClient(
        base_url=endpoint.base_url,
        key=key,
        max_body_bytes=max_body_bytes,
        timeout_s=timeout_s,
        loopback=endpoint.loopback,
        only_key=None if endpoint.is_vendor else key or _NO_KEY,
    )
    async with client:
        model = _model(request.model, endpoint, key or _NO_KEY, client)
        if temperature is not None and not _takes_temperature(model):
            temperature = None
        try:
            async with asyncio.timeout(timeout_s):
                response = await model_request(
                    model,
                    _messages(request),
                    model_settings=_sampling(request, endpoint, temperature, max_tokens),
                    instrument=False,
                )
        except TimeoutError:
            raise NoAnswerError(f"no answer within {timeout_s:g} s", passing=True) from None
        except Exception as error:  # noqa: BLE001 - an invalid body makes the SDKs raise any error
            if client.body_too_large and client.status is not None:
                return _too_large(request, endpoint, client, max_body_bytes >> 20)
            if client.is_not_json:
                raise _not_json(endpoint, client) from None
            raise _no_answer(error, client.status) from None
    return _answer(request, response, client)


def _model(name: str, endpoint: Endpoint, key: str, client: BoundedClient) -> Model:
    """Return the vendor's model with our HTTP client and without the SDK's own retries."""
    if endpoint.provider.wire == "anthropic":
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - an extra of its own
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
        from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

        anthropic = AsyncAnthropic(
            api_key=key,
            base_url=endpoint.base_url,
            http_client=client,
            timeout=client.timeout,
            max_retries=0,
        )
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=anthropic))
    from openai import AsyncOpenAI  # noqa: PLC0415
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    openai = AsyncOpenAI(
        api_key=key,
        base_url=endpoint.base_url,
        http_client=client,
        timeout=client.timeout,
        max_retries=0,
    )
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=openai))


def _takes_temperature(model: Model) -> bool:
    """Return False for a model that is known to refuse a temperature."""
    known: Mapping[str, Any] = model.profile
    if known.get("anthropic_disallows_sampling_settings", False):
        return False
    if not known.get("openai_supports_reasoning", False):
        return True
    may_not_reason = "none" in (known.get("openai_reasoning_efforts") or ()) or known.get(
        "openai_supports_reasoning_effort_none", False
    )
    return bool(may_not_reason) and not known.get("thinking_enabled_by_default", False)


def _messages(request: Request) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    for number, message in enumerate(request.messages):
        if message.author == "assistant":
            messages.append(ModelResponse(parts=[TextPart(message.text)]))
        elif number == 0:
            system = SystemPromptPart(request.system)
            messages.append(ModelRequest(parts=[system, UserPromptPart(message.text)]))
        else:
            messages.append(ModelRequest(parts=[UserPromptPart(message.text)]))
    return messages


def _sampling(
    request: Request, endpoint: Endpoint, temperature: float | None, max_tokens: int
) -> Sampling:
    sampling = Sampling(max_tokens=max_tokens)
    if temperature is not None:
        sampling["temperature"] = temperature
    if request.reasoning_effort is not None:
        if endpoint.provider.wire == "openai":
            sampling["openai_reasoning_effort"] = request.reasoning_effort  # type: ignore[typeddict-unknown-key]
        else:
            sampling["anthropic_effort"] = request.reasoning_effort  # type: ignore[typeddict-unknown-key]
    if request.seed is not None and endpoint.provider.wire == "openai":
        sampling["seed"] = request.seed
    return sampling


def _no_answer(error: Exception, status: int | None) -> NoAnswerError:
    if status is not None and 300 <= status < 400:
        return NoAnswerError(
            f"HTTP {status}, a redirect, which is not followed", passing=False, status=status
        )
    if isinstance(error, ModelHTTPError):
        text = _error_text(error.body)
        reason = f"HTTP {error.status_code}" + (f": {text}" if text else "")
        passing = may_pass(error.status_code) and not isinstance(error, ModelQuotaExceededError)
        return NoAnswerError(
            reason,
            passing=passing,
            status=error.status_code,
            headers=error.headers or {},
            refusal=text if error.status_code in _REFUSALS else "",
        )
    if isinstance(error, ModelAPIError | UnexpectedModelBehavior):
        message = error.message.partition("\n")[0]  # the rest is about the SDK's own classes
        below = error.__cause__ and error.__cause__.__cause__
        return NoAnswerError(
            _line(f"{message} ({type(below).__name__})" if below else message), passing=True
        )
    return NoAnswerError(
        f"a response that cannot be read ({type(error).__name__}: {_line(str(error))})",
        passing=True,
    )


def _not_json(endpoint: Endpoint, client: BoundedClient) -> NoAnswerError:
    """Return the error for a success that is not JSON: a page, or a reply that was cut."""
    page = client.body_begins not in (b"{", b"[")
    return NoAnswerError(
        f"{_line(endpoint.base_url)} sent a reply that is not JSON",
        passing=not page,
        status=client.status,
        most_retries=1,
    )


def _error_text(body: object) -> str:
    """Return the provider's message from an error's body."""
    for _ in range(2):
        if isinstance(body, dict):
            sizes = ", ".join(f"{key} {body[key]}" for key in _SIZES if key in body)
            body = body.get("error") or body.get("message") or body
            if sizes and isinstance(body, str):
                body = f"{body} ({sizes})"
    return _line(body if isinstance(body, str) else "" if body is None else str(body))


def _line(text: str) -> str:
    return shorten(printable(" ".join(text[:10_000].split())), 400)


def _answer(request: Request, response: ModelResponse, client: BoundedClient) -> Answer:
    text = response.text or ""
    details = response.provider_details or {}
    if not text and isinstance(refusal := details.get("refusal"), str):
        text = refusal
    usage = response.usage
    finish: Finish = _FINISHES.get(response.finish_reason or "stop", "other")
    tokens_in, tokens_out = max(0, usage.input_tokens), max(0, usage.output_tokens)
    # Where nothing was counted, an empty reply was not cut at its own limit either.
    is_cut_short = tokens_out < request.most_tokens_out and (tokens_out or not text)
    if not tokens_in and not tokens_out:  # some servers count nothing
        asked = len(request.system) + sum(len(each.text) for each in request.messages)
        tokens_in, tokens_out = _estimated(asked), _estimated(len(text))
    reply = Reply(
        text=text,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        model=shorten(response.model_name or request.model, 200),
        finish="context" if finish == "length" and is_cut_short else finish,
        temperature_refused=_refused_temperature(request, client),
    )
    return reply, min(tokens_in, max(0, usage.cache_read_tokens))


def _too_large(request: Request, endpoint: Endpoint, client: BoundedClient, mib: int) -> Answer:
    """Return an answer for a response that was too large, or raise by its status.

    Its cost is in the part that was not read, so the worst case is counted.
    """
    status = client.status or 0
    if status >= 300:
        raise NoAnswerError(
            f"HTTP {status}, with a body larger than {mib} MiB",
            passing=may_pass(status),
            status=status,
        ) from None
    if client.body_begins not in (b"{", b""):
        raise NoAnswerError(
            f"{_line(endpoint.base_url)} sent more than {mib} MiB that are not JSON",
            passing=False,
            status=status,
        ) from None
    reply = Reply(
        text=f"(a response larger than {mib} MiB, which was not read)",
        tokens_in=most_tokens_in(request),
        tokens_out=request.most_tokens_out,
        model=request.model,
        finish="too-large",
        temperature_refused=_refused_temperature(request, client),
    )
    return reply, 0


def _refused_temperature(request: Request, client: BoundedClient) -> bool:
    return request.temperature is not None and not client.temperature_sent


def _estimated(chars: int) -> int:
    """Return the estimated tokens of a text: about four characters each, in English and in code."""
    return -(-chars // 4)
