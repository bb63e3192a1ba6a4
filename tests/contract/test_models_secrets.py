"""A key goes over the wire to its provider and nowhere else: no log, error, repr or reply."""

import logging
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from steelyard._installation import install_command
from steelyard.errors import ModelNameError, ModelRefusedError, SettingsError, SteelyardError
from steelyard.models import ChatTurn, Request, Role, Temperature, Waits, ask, open_model
from steelyard.settings import ModelEndpoint, ModelSettings
from tests.model_server import Behaviour, ModelServer, cuts_within, fails, says, sends
from tests.needs import needs

# One worker imports what takes seconds.
pytestmark = [needs("openai", "anthropic"), pytest.mark.xdist_group("vendors")]

KEY = "sk-hunter2-0123456789abcdef"
VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES.values(), "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


async def _no_wait(seconds: float) -> None:
    pass


QUICK = Waits(sleep=_no_wait)


def address(server: ModelServer, wire: str) -> str:
    return server.anthropic if wire == "anthropic" else server.openai


def with_key(server: ModelServer, wire: str, **changes: int) -> ModelSettings:
    """Settings in which the provider's key is the key of this server."""
    own = {"url": address(server, wire), "key_variable": VARIABLES[wire]}
    return ModelSettings.model_validate({"ours": own, **changes})


REQUEST = Request(
    provider="openai",
    model="m",
    role="coder",
    prompt="coder@1",
    system="You are a coder.",
    messages=(ChatTurn(author="user", text="Write it."),),
    reply_schema={},
    temperature=0.2,
    max_tokens=512,
)
ECHOES: dict[str, Behaviour] = {
    "a reply": says(f"Your key is {KEY}.", model=f"model-{KEY}"),
    "a refusal": fails(401, f"Incorrect API key provided: {KEY}"),
    "a long refusal": fails(400, "x" * 260 + KEY + "y" * 400),
    "a failure": fails(500, f"Bearer {KEY}"),
    "another shape": sends(f'["{KEY}"]'.encode()),
    "plain text": sends(KEY.encode(), content_type="text/plain"),
    "broken JSON": sends(b'{"' + KEY.encode()),
    "a cut": cuts_within,
}


@pytest.mark.parametrize("key", ["k", "none", "ollama"])
@pytest.mark.parametrize("wire", VARIABLES)
async def test_a_placeholder_for_a_key_does_not_change_replies(
    server: ModelServer, wire: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLES[wire], key)
    server.then(says("k, none or ollama"))
    settings = with_key(server, wire, retries=0)
    model = open_model(f"{wire}:m@{address(server, wire)}", settings, waits=QUICK)
    reply = await model.complete(REQUEST)
    assert reply.text == "k, none or ollama"


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
@pytest.mark.parametrize("wire", VARIABLES)
async def test_no_echo_of_a_key_is_shown(
    server: ModelServer,
    wire: str,
    echo: Behaviour,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLES[wire], KEY)
    caplog.set_level(logging.DEBUG)
    server.then(echo)
    settings = with_key(server, wire, retries=1)
    model = open_model(f"{wire}:m@{address(server, wire)}", settings, waits=QUICK)
    shown = [repr(model), str(vars(model)), repr(settings), settings.model_dump_json()]
    try:
        reply = await model.complete(REQUEST)
        shown.append(reply.model_dump_json())
    except SteelyardError as error:
        shown += [repr(error), "".join(traceback.format_exception(error)), str(vars(error))]
        shown += [str(each) for each in _behind(error)]
    assert server.asked[0].key == KEY  # it was really in use
    shown += [caplog.text, *capfd.readouterr()]
    # A piece of it would do harm too.
    assert not [text for text in shown if "hunter2" in text or "0123456789" in text]


def _behind(error: BaseException) -> Iterator[BaseException]:
    """All that an error leads to, shown or not."""
    for each in (error.__cause__, error.__context__):
        if each is not None:
            yield each
            yield from _behind(each)


@pytest.mark.parametrize("wire", VARIABLES)
def test_a_missing_key_is_one_line(wire: str) -> None:
    with pytest.raises(SettingsError, match=f"need a key.*{VARIABLES[wire]}") as error:
        open_model(f"{wire}:m", ModelSettings())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["sk-hunter2\nX-Evil: 1", "sk-hünter2", "sk hunter2"])
def test_a_key_that_no_header_can_carry_is_not_echoed(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as error:
        open_model("openai:m", ModelSettings())
    assert "nter2" not in str(error.value)


async def test_a_server_on_this_machine_needs_no_key(server: ModelServer) -> None:
    server.then(says("Hello."))
    for name in (f"openai:m@{server.openai}", f"anthropic:m@{server.anthropic}"):
        assert (await open_model(name, ModelSettings()).complete(REQUEST)).text == "Hello."


@pytest.mark.parametrize("provider", ["vllm", "ollama"])
async def test_a_server_of_ones_own_gets_no_key(
    server: ModelServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = ModelSettings(endpoints={provider: ModelEndpoint(url=server.openai)})
    reply = await open_model(f"{provider}:llama3:8b", settings).complete(REQUEST)
    assert KEY not in str(server.asked)
    assert server.asked[0].body["model"] == "m"
    assert reply.cost_usd == 0


LIBRARIES = {
    "OPENAI_ORG_ID": "org-of-ours",
    "OPENAI_PROJECT_ID": "project-of-ours",
    "OPENAI_ADMIN_KEY": "admin-of-ours",
    "OPENAI_CUSTOM_HEADERS": "X-Team: team-of-ours\nAuthorization: Bearer token-of-ours",
    "ANTHROPIC_AUTH_TOKEN": "auth-of-ours",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Team: team-of-ours\nAuthorization: Bearer token-of-ours",
}
"""What the vendors' libraries read from the environment besides the key."""


@pytest.mark.parametrize(
    "name",
    [
        "openai:m@{openai}",
        "anthropic:m@{anthropic}",
        "vllm:m@{openai}",
        "ollama:m@{openai}",
        "lab:m",
    ],
)
async def test_an_address_gets_its_own_key_and_nothing_else(
    server: ModelServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in {**dict.fromkeys(VARIABLES.values(), KEY), **LIBRARIES}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("LAB_KEY", "key-of-the-lab")
    name = name.format(openai=server.openai, anthropic=server.anthropic)
    url = server.anthropic if name.startswith("anthropic") else server.openai
    for own_key, sent in ((None, "none"), ("LAB_KEY", "key-of-the-lab")):
        lab = ModelEndpoint(url=f"{url}/", key_variable=own_key)
        model = open_model(name, ModelSettings(endpoints={"lab": lab}), waits=QUICK)
        await model.complete(REQUEST)
        headers = server.asked[-1].headers
        assert "ours" not in str(headers)
        assert KEY not in str(headers)
        authorization = headers.get("authorization", "").removeprefix("Bearer ")
        assert headers.get("x-api-key", authorization) == sent


async def test_the_address_of_the_environment_gets_the_key_of_the_environment(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-ours")
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai)
    await open_model("openai:m", ModelSettings()).complete(REQUEST)
    assert server.asked[0].key == KEY
    assert server.asked[0].headers["openai-organization"] == "org-of-ours"


async def test_a_refused_request_without_a_key_names_the_setting(server: ModelServer) -> None:
    server.then(fails(401, "who are you?"))
    with pytest.raises(ModelRefusedError, match=r"no key was sent.*\[models\.NAME\]"):
        await open_model(f"openai:m@{server.openai}", ModelSettings()).complete(REQUEST)


def test_a_key_never_crosses_a_network_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in (
        "openai:m@http://gateway.example/v1",
        "gateway:m",
        "openai:m@http://api.openai.com",
    ):
        own = ModelEndpoint(url="http://gateway.example/v1", key_variable="OPENAI_API_KEY")
        with pytest.raises(SettingsError, match="unencrypted") as error:
            open_model(name, ModelSettings(endpoints={"gateway": own}))
        assert KEY not in str(error.value)
    own = ModelEndpoint(url="https://gateway.example/v1", key_variable="OPENAI_API_KEY")
    open_model("gateway:m", ModelSettings(endpoints={"gateway": own}))


async def test_an_environment_without_the_key_later_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = open_model("openai:m", ModelSettings())
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(SettingsError, match="need a key"):
        await model.complete(REQUEST)


@pytest.mark.parametrize("gone", ["pydantic_ai", "openai"])
def test_a_missing_extra_is_one_line(gone: str) -> None:
    script = (
        f"import sys; sys.modules[{gone!r}] = None\n"
        "from steelyard.errors import SteelyardError\n"
        "from steelyard.models import open_model\n"
        "from steelyard.settings import ModelSettings\n"
        "try: open_model('openai:gpt-4.1', ModelSettings())\n"
        "except SteelyardError as error: print(type(error).__name__, error)\n"
    )
    told = _printed(script)
    assert told.startswith(ModelNameError.__name__)
    assert told.endswith(f"run: {install_command('openai')}\n")
    assert told.count("\n") == 1


def test_the_face_imports_no_sdk() -> None:
    script = (
        "import sys, steelyard.models\n"
        "heavy = {'pydantic_ai', 'openai', 'anthropic', 'jinja2', 'cryptography', 'httpx2',"
        " 'genai_prices'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    told = _printed(script)
    assert told == "[]\n"


def _printed(script: str) -> str:
    argv = [sys.executable, "-c", script]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


class Sum(BaseModel):
    total: int


@pytest.mark.parametrize("wire", VARIABLES)
async def test_no_key_is_in_what_is_kept_of_a_talk(
    server: ModelServer, wire: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLES[wire], KEY)
    (tmp_path / "adder.j2").write_text("{# version: 1 #}\nYou add.")
    role = Role("adder", "adder", Sum, Temperature(start=0.0), max_tokens=64, folder=tmp_path)
    server.then(says(f"My key is {KEY}"), says(""), says('```json\n{"total": 3}\n```'))
    model = open_model(f"{wire}:m@{address(server, wire)}", with_key(server, wire))
    kept: list[str] = []
    answer = await ask(
        model,
        role,
        {},
        {"numbers": "1 2"},
        on_exchange=lambda *pair: kept.extend(each.model_dump_json() for each in pair),
    )
    assert answer.value == Sum(total=3)
    assert (answer.repairs, len(kept), len(server.asked)) == (2, 6, 3)
    assert {each.key for each in server.asked} == {KEY}
    assert not [text for text in kept if "hunter2" in text]
