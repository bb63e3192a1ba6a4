"""What the vendors' own SDKs make of good and bad servers: one typed reply, or one typed error."""

import asyncio
import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from steelyard.errors import ModelError, ModelRefusedError, ModelTransportError
from steelyard.models import ChatTurn, Model, Request, Waits, open_model
from steelyard.settings import ModelEndpoint, ModelSettings
from tests.model_server import (
    Behaviour,
    Exchange,
    ModelServer,
    cuts_at_once,
    cuts_within,
    drips,
    fails,
    holds,
    refuses_temperature,
    says,
    sends,
    streams,
)
from tests.needs import needs

# One worker imports what takes seconds.
pytestmark = [needs("openai", "anthropic"), pytest.mark.xdist_group("vendors")]

WIRES = ["openai", "anthropic"]
MODELS = {"openai": "gpt-4.1", "anthropic": "claude-opus-4"}


@dataclass
class Slept:
    """Waits that take no time, with the clock at a given moment, and no chance."""

    seconds: list[float] = field(default_factory=list)
    moment: datetime = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    @property
    def waits(self) -> Waits:
        return Waits(self.sleep, lambda: 0.0, lambda: self.moment)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-for-anthropic")


@pytest.fixture
def slept() -> Slept:
    return Slept()


def opened(server: ModelServer, wire: str, slept: Slept | None = None, **settings: object) -> Model:
    base_url = server.anthropic if wire == "anthropic" else server.openai
    own = {"url": base_url, "key_variable": f"{wire.upper()}_API_KEY"}
    return open_model(
        f"{wire}:{MODELS[wire]}@{base_url}",
        ModelSettings.model_validate({"test": own} | settings),
        waits=(slept or Slept()).waits,
    )


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def request(wire: str, **changes: object) -> Request:
    plain = Request(
        provider=wire,
        model=MODELS[wire],
        role="coder",
        prompt="coder@1",
        system="You are a coder.",
        messages=(ChatTurn(author="user", text="Write it."),),
        reply_schema={},
        temperature=0.2,
        max_tokens=512,
        seed=7,
    )
    return plain.model_copy(update=changes)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_reply_comes_back_with_what_it_cost(server: ModelServer, wire: str) -> None:
    server.then(says("Hello.", tokens_in=1_000, tokens_out=500, model="the-very-one"))
    prices = {f"{wire}:{MODELS[wire]}": {"input": 1, "output": 4}}
    reply = await opened(server, wire, prices=prices).complete(request(wire))
    assert reply.text == "Hello."
    assert (reply.tokens_in, reply.tokens_out) == (1_000, 500)
    assert reply.model == "the-very-one"
    assert reply.cost_usd == pytest.approx(0.003)
    assert (reply.finish, reply.retries, reply.from_cache) == ("stop", 0, False)
    assert not reply.temperature_refused


async def test_all_that_shapes_a_reply_goes_over_openais_wire(server: ModelServer) -> None:
    talk = (
        ChatTurn(author="user", text="Write it."),
        ChatTurn(author="assistant", text="no"),
        ChatTurn(author="user", text="Again."),
    )
    await opened(server, "openai").complete(request("openai", messages=talk))
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.key == "sk-for-openai"
    assert asked.body["model"] == "gpt-4.1"
    assert [(each["role"], each["content"]) for each in asked.body["messages"]] == [
        ("system", "You are a coder."),
        ("user", "Write it."),
        ("assistant", "no"),
        ("user", "Again."),
    ]
    assert asked.body["temperature"] == 0.2
    assert asked.body["seed"] == 7
    assert asked.body["max_completion_tokens"] == 512


async def test_all_that_shapes_a_reply_goes_over_anthropics_wire(server: ModelServer) -> None:
    await opened(server, "anthropic").complete(request("anthropic"))
    (asked,) = server.asked
    assert asked.path.startswith("/v1/messages")
    assert asked.key == "sk-for-anthropic"
    assert asked.body["model"] == "claude-opus-4"
    assert asked.body["system"] == "You are a coder."
    assert asked.body["messages"][0]["content"][0]["text"] == "Write it."
    assert asked.body["temperature"] == 0.2
    assert asked.body["max_tokens"] == 512
    assert "seed" not in asked.body


PASSING = {
    "408": fails(408),
    "409": fails(409),
    "429": fails(429),
    "500": fails(500),
    "529": fails(529),
    "cut at once": cuts_at_once,
    "cut within": cuts_within,
    "another shape": sends(b'{"choices": null, "content": null}'),
    "a list": sends(b"[]"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
@pytest.mark.parametrize("wire", WIRES)
async def test_what_may_pass_is_tried_again(
    server: ModelServer, wire: str, fault: Behaviour, slept: Slept
) -> None:
    server.then(fault, fault, says("At last."))
    reply = await opened(server, wire, slept, retries=2).complete(request(wire))
    assert reply.text == "At last."
    assert reply.retries == 2
    assert slept.seconds == [0.25, 0.5]
    assert len(server.asked) == 3  # and none by the SDK itself


@pytest.mark.parametrize("wire", WIRES)
async def test_tries_end(server: ModelServer, wire: str, slept: Slept) -> None:
    server.then(fails(503, "overloaded,\nsorry"))
    with pytest.raises(ModelTransportError, match="503: overloaded, sorry") as error:
        await opened(server, wire, slept, retries=3).complete(request(wire))
    assert (error.value.tries, error.value.status) == (4, 503)
    assert len(server.asked) == 4


async def test_nobody_there(slept: Slept) -> None:
    with ModelServer() as gone:
        base_url = gone.openai
    model = open_model(f"vllm:m@{base_url}", ModelSettings(retries=1), waits=slept.waits)
    said = rf"2 tries.*ConnectError.*check that a model's server is at {re.escape(base_url)}$"
    with pytest.raises(ModelTransportError, match=said):
        await model.complete(request("openai"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
@pytest.mark.parametrize("wire", WIRES)
async def test_a_refusal_is_final(
    server: ModelServer, wire: str, status: int, slept: Slept
) -> None:
    server.then(fails(status, "you may not"), says("never asked for"))
    with pytest.raises(ModelRefusedError, match=f"{status}: you may not") as error:
        await opened(server, wire, slept).complete(request(wire))
    assert error.value.status == status
    assert len(server.asked) == 1
    assert slept.seconds == []


async def test_a_quota_that_is_used_up_is_a_refusal(server: ModelServer, slept: Slept) -> None:
    server.then(fails(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(ModelRefusedError, match="billing"):
        await opened(server, "openai", slept).complete(request("openai"))
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "86400"}, 120.0),
        ({"Retry-After": "soon"}, 0.25),
        ({"retry-after-ms": "1500"}, 1.5),
    ],
    ids=str,
)
@pytest.mark.parametrize("wire", WIRES)
async def test_retry_after_is_honoured(
    server: ModelServer, wire: str, headers: dict[str, str], wait_s: float, slept: Slept
) -> None:
    server.then(fails(429, headers=headers), says("Thanks."))
    reply = await opened(server, wire, slept).complete(request(wire))
    assert reply.text == "Thanks."
    assert slept.seconds == [wait_s]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_refused_temperature_is_left_out(server: ModelServer, wire: str) -> None:
    server.then(refuses_temperature(says("Without.")))
    model = opened(server, wire)
    first = await model.complete(request(wire))
    assert (first.text, first.temperature_refused, first.retries) == ("Without.", True, 0)
    assert ["temperature" in each.body for each in server.asked] == [True, False]
    second = await model.complete(request(wire))  # it is not asked in vain again
    assert second.temperature_refused
    assert len(server.asked) == 3
    third = await model.complete(request(wire, temperature=None))
    assert not third.temperature_refused


async def test_a_refusal_that_always_names_the_temperature_ends(server: ModelServer) -> None:
    server.then(fails(400, "the temperature is wrong"))
    with pytest.raises(ModelRefusedError):
        await opened(server, "openai").complete(request("openai"))
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("wire", "name"), [("openai", "gpt-5"), ("openai", "o3"), ("anthropic", "claude-opus-4-8")]
)
async def test_a_reasoning_model_gets_no_temperature(
    server: ModelServer, wire: str, name: str
) -> None:
    base_url = server.anthropic if wire == "anthropic" else server.openai
    model = open_model(f"{wire}:{name}@{base_url}", ModelSettings())
    reply = await model.complete(request(wire, model=name))
    assert reply.temperature_refused
    assert ["temperature" in each.body for each in server.asked] == [False]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_body_beyond_the_bound_is_a_bad_reply_that_costs_the_most(
    server: ModelServer, wire: str, slept: Slept
) -> None:
    server.then(sends(b'{"text": "' + b"x" * (10 << 20) + b'"}'))
    reply = await opened(server, wire, slept, max_body_mib=1).complete(request(wire))
    assert (reply.finish, reply.tokens_out) == ("too-large", 512)
    assert "larger than 1 MiB" in reply.text
    assert len(server.asked) == 1


def with_body(status: int, body: bytes) -> Behaviour:
    return lambda exchange: exchange.send(status, body)


@pytest.mark.parametrize(("status", "asked"), [(400, 1), (503, 3)])
async def test_a_failure_with_a_body_beyond_the_bound_is_a_failure(
    server: ModelServer, slept: Slept, status: int, asked: int
) -> None:
    server.then(with_body(status, b"x" * (2 << 20)))
    with pytest.raises(ModelError, match=f"HTTP {status}, with a body larger than 1 MiB"):
        await opened(server, "openai", slept, max_body_mib=1, retries=2).complete(request("openai"))
    assert len(server.asked) == asked


async def test_a_large_page_that_is_no_json_is_no_model_s(server: ModelServer) -> None:
    server.then(sends(b"<html>" + b"x" * (2 << 20), content_type="text/html"))
    said = f"{server.openai} sent more than 1 MiB that are not JSON; check the model's name and the"
    with pytest.raises(ModelRefusedError, match=re.escape(said)):
        await opened(server, "openai", max_body_mib=1).complete(request("openai"))
    assert len(server.asked) == 1


async def test_a_small_body_that_unpacks_to_a_large_one_is_not_read(server: ModelServer) -> None:
    packed = gzip.compress(b" " * (10 << 20))
    server.then(sends(packed, headers={"Content-Encoding": "gzip"}))
    reply = await opened(server, "openai", max_body_mib=1).complete(request("openai"))
    assert reply.finish == "too-large"


async def test_a_packed_body_is_read(server: ModelServer) -> None:
    body = b'{"error": {"message": "packed", "type": "x", "param": null, "code": null}}'

    def packed(exchange: object) -> None:
        exchange.send(400, gzip.compress(body), {"Content-Encoding": "gzip"})  # type: ignore[attr-defined]

    server.then(packed)
    with pytest.raises(ModelRefusedError, match="packed"):
        await opened(server, "openai").complete(request("openai"))


@pytest.mark.parametrize("wire", WIRES)
async def test_no_redirect_is_followed(server: ModelServer, wire: str) -> None:
    with ModelServer() as elsewhere:
        server.then(fails(307, headers={"Location": f"{elsewhere.url}/v1/messages"}))
        with pytest.raises(ModelRefusedError, match="redirect"):
            await opened(server, wire).complete(request(wire))
        assert elsewhere.asked == []


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("finish", ["stop", "length", "refusal"])
async def test_how_a_reply_ended_is_told(server: ModelServer, wire: str, finish: str) -> None:
    server.then(says("Hm.", finish=finish, tokens_out=512))
    assert (await opened(server, wire).complete(request(wire))).finish == finish


async def test_a_refusal_in_words_is_kept(server: ModelServer) -> None:
    server.then(says("", refusal="I would rather not."))
    reply = await opened(server, "openai").complete(request("openai"))
    assert (reply.text, reply.finish) == ("I would rather not.", "refusal")


@pytest.mark.parametrize("wire", WIRES)
async def test_an_empty_reply_is_a_reply(server: ModelServer, wire: str) -> None:
    server.then(says(""))
    assert (await opened(server, wire).complete(request(wire))).text == ""


async def test_text_that_utf8_cannot_hold_is_mended(server: ModelServer) -> None:
    server.then(says("a \ud800 b"))
    reply = await opened(server, "openai").complete(request("openai"))
    assert reply.text == "a ? b"
    assert reply.model_validate_json(reply.model_dump_json()) == reply


async def test_a_server_that_counts_no_tokens_is_counted_for(server: ModelServer) -> None:
    server.then(says("x" * 400, tokens_in=0, tokens_out=0))
    reply = await opened(server, "openai").complete(request("openai"))
    assert reply.tokens_out == 100
    assert reply.tokens_in > 0


async def test_a_slow_body_ends_with_the_time_of_one_try(server: ModelServer, slept: Slept) -> None:
    server.then(drips, says("In time."))
    model = opened(server, "openai", slept, timeout_s=0.5, retries=100)
    reply = await model.complete(request("openai"))
    assert reply.text == "In time."
    assert reply.retries >= 1


async def test_all_tries_end_with_the_time_in_all(server: ModelServer) -> None:
    server.then(drips)
    model = opened(server, "openai", total_timeout_s=0.2)
    with pytest.raises(ModelTransportError, match=r"within 0\.2 s"):
        await model.complete(request("openai"))


async def test_no_more_requests_are_under_way_than_allowed(server: ModelServer) -> None:
    server.then(holds)
    models = [opened(server, "openai", concurrency=2) for _ in range(3)]
    tasks = [asyncio.create_task(each.complete(request("openai"))) for each in models * 2]
    await until(lambda: server.under_way >= 2)
    await asyncio.sleep(0.05)  # time for one too many to come
    server.released.set()
    await asyncio.gather(*tasks)
    assert len(server.asked) == 6
    assert server.most_under_way == 2


@pytest.mark.parametrize("wire", WIRES)
async def test_cancelled_means_hung_up(server: ModelServer, wire: str) -> None:
    server.then(holds)
    task = asyncio.create_task(opened(server, wire).complete(request(wire)))
    await until(lambda: server.under_way)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: server.hung_up)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_cancelled_request_gives_its_slot_back(server: ModelServer) -> None:
    server.then(holds, says("Next."))
    model = opened(server, "openai", concurrency=1)
    task = asyncio.create_task(model.complete(request("openai")))
    await until(lambda: server.under_way)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await model.complete(request("openai"))).text == "Next."


async def test_no_proxy_is_asked_for_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as gone:
        nowhere = gone.url
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, nowhere)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    server.then(says("Hello."))
    reply = await opened(server, "openai", retries=0).complete(request("openai"))
    assert reply.text == "Hello."


# ------------------------------------------------------------------------------ other servers


@pytest.mark.parametrize(
    ("body", "asked"), [(b"<html>Sign in</html>", 1), (b"", 1), (b'{"id": "x", ', 2)]
)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_success_that_is_no_json_is_not_paid_for_again_and_again(
    server: ModelServer, wire: str, body: bytes, asked: int, slept: Slept
) -> None:
    server.then(sends(body, content_type="text/html"))
    with pytest.raises(ModelError, match="not JSON"):
        await opened(server, wire, slept, retries=5).complete(request(wire))
    assert len(server.asked) == asked


@pytest.mark.parametrize("wire", WIRES)
async def test_a_server_that_only_streams_is_read(server: ModelServer, wire: str) -> None:
    server.then(streams("Hello, ", "world."))
    reply = await opened(server, wire).complete(request(wire))
    assert (reply.text, reply.finish) == ("Hello, world.", "stop")
    assert (reply.tokens_in, reply.tokens_out) == (100, 20)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_server_that_requires_a_stream_is_asked_for_one(
    server: ModelServer, wire: str
) -> None:
    refuse = fails(400, "this server supports stream=true only")
    server.then(refuse, streams("Hello."))
    reply = await opened(server, wire).complete(request(wire))
    assert reply.text == "Hello."
    assert [each.body.get("stream", False) for each in server.asked] == [False, True]


async def test_a_stream_that_breaks_off_is_a_cut_reply(server: ModelServer) -> None:
    server.then(streams("Hello, ", ends=False))
    reply = await opened(server, "openai").complete(request("openai"))
    assert (reply.text, reply.finish) == ("Hello, ", "length")


async def test_reasoning_effort_is_sent(server: ModelServer) -> None:
    server.then(says("Yes."))
    model = open_model(f"openai:gpt-5@{server.openai}", ModelSettings())
    await model.complete(request("openai", model="gpt-5", reasoning_effort="low"))
    assert server.asked[0].body["reasoning_effort"] == "low"


async def test_what_a_budget_leaves_is_the_limit_that_is_sent(server: ModelServer) -> None:
    server.then(says("Yes."))
    await opened(server, "anthropic").complete(request("anthropic", affordable_tokens=77))
    assert server.asked[0].body["max_tokens"] == 77


# ------------------------------------------------------------------------------- short contexts


def vllm(context: int, tokens_in: int) -> Behaviour:
    """Refuse what does not fit into the context, in vLLM's words."""

    def behave(exchange: Exchange) -> None:
        asked = exchange.asked.body["max_completion_tokens"]
        if asked + tokens_in > context:
            fails(
                400,
                f"'max_tokens' or 'max_completion_tokens' is too large: {asked}. This model's "
                f"maximum context length is {context} tokens and your request has {tokens_in} "
                f"input tokens ({asked} > {context} - {tokens_in}).",
            )(exchange)
        else:
            says("Hello.", tokens_in=tokens_in)(exchange)

    return behave


def llama_cpp(context: int, tokens_in: int, status: int = 400) -> Behaviour:
    error = {
        "code": status,
        "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens_in,
        "n_ctx": context,
        "message": "the request exceeds the available context size.",
    }
    return lambda exchange: exchange.send(status, {"error": error})


def limits_sent(server: ModelServer) -> list[int]:
    return [each.body["max_completion_tokens"] for each in server.asked]


async def test_a_short_context_gets_one_retry_with_its_own_number(
    server: ModelServer, slept: Slept
) -> None:
    long = request("openai", max_tokens=32_192, messages=(ChatTurn(author="user", text="x" * 999),))
    server.then(vllm(32_768, 992))
    reply = await opened(server, "openai", slept).complete(long)
    assert (reply.text, reply.retries, slept.seconds) == ("Hello.", 0, [])
    assert limits_sent(server) == [32_192, 31_776]
    server.asked.clear()
    server.then(llama_cpp(4_096, 500), says("Hello."))
    assert (await opened(server, "openai", slept).complete(long)).text == "Hello."
    assert limits_sent(server) == [32_192, 3_596]


@pytest.mark.parametrize(
    ("refuse", "asked"),
    [
        (fails(400, "max_tokens is too large: 32192. The maximum context length is 8192."), 2),
        (llama_cpp(512, 600), 1),
        (llama_cpp(512, 600, status=500), 1),
    ],
)
async def test_a_request_that_never_fits_names_the_settings(
    server: ModelServer, refuse: Behaviour, asked: int, slept: Slept
) -> None:
    long = request("openai", max_tokens=32_192, messages=(ChatTurn(author="user", text="x" * 999),))
    server.then(refuse)
    said = r"--ctx-size in llama\.cpp.*STEELYARD_MODELS__MAX_TOKENS='\{\"coder\": 4096\}'"
    with pytest.raises(ModelRefusedError, match=said) as caught:
        await opened(server, "openai", slept, retries=5).complete(long)
    assert len(server.asked) == asked
    assert "another model" not in str(caught.value)


async def test_a_context_in_the_settings_is_kept_from_the_first_request(
    server: ModelServer,
) -> None:
    server.then(vllm(8_192, 30))
    settings = ModelSettings(endpoints={"lab": ModelEndpoint(url=server.openai, context=8_192)})
    model = open_model("lab:m", settings)
    assert (await model.complete(request("openai", max_tokens=32_192))).text == "Hello."
    assert len(server.asked) == 1


@pytest.mark.parametrize("wire", WIRES)
async def test_a_reply_that_the_server_s_context_cut_is_not_cut_at_its_limit(
    server: ModelServer, wire: str
) -> None:
    for tokens_in, tokens_out in ((3_000, 300), (4_096, 0), (0, 0)):  # some servers count nothing
        server.then(says("", finish="length", tokens_in=tokens_in, tokens_out=tokens_out))
        assert (await opened(server, wire).complete(request(wire))).finish == "context"
