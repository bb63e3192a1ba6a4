"""A model's name says who is asked and where; what is wrong with one is said in one line."""

import pytest

from steelyard._default_models import ANALYST, CODER, PLANNER
from steelyard.errors import ModelNameError, SettingsError
from steelyard.models import ModelName
from steelyard.models._budget import cost_usd
from steelyard.models._names import endpoint_of
from steelyard.settings import ModelEndpoint, ModelPrice, ModelSettings, read_settings


@pytest.fixture(autouse=True)
def no_outer_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("openai:gpt-4.1", ("openai", "gpt-4.1", None)),
        ("anthropic:claude-opus-4@20250514", ("anthropic", "claude-opus-4@20250514", None)),
        ("ollama:llama3:8b", ("ollama", "llama3:8b", None)),
        ("openai:ft:gpt:x@https://a.example/v1", ("openai", "ft:gpt:x", "https://a.example/v1")),
        ("vllm:org/m@http://[::1]:8000/v1", ("vllm", "org/m", "http://[::1]:8000/v1")),
        ("scripted:a b/replies@http://x.json", ("scripted", "a b/replies@http://x.json", None)),
    ],
)
def test_a_name_has_parts(text: str, parts: tuple[str, str, str | None]) -> None:
    name = ModelName.parse(text)
    assert (name.provider, name.model, name.base_url) == parts
    assert str(name) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpt-4.1",
        "openai:",
        ":gpt",
        "openai: ",
        "OpenAI:gpt",
        "openai:a\x1b[2Jb",
        "openai:@http://a.example",
        "openai:m@http://",
        "openai:m@http://a.example/v1?key=1",
        "openai:m@http://a.example/v1#x",
        "openai:m@http://a.example:port/v1",
        "openai:m@http://a .example/v1",
        "openai:m@http://[::1/v1",
        "scripted:",
    ],
)
def test_what_is_no_name_is_said_in_one_line(text: str) -> None:
    with pytest.raises(ModelNameError) as error:
        ModelName.parse(text)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("name", ["openai:m@https://me:hunter2@a.example/v1", "x//u:hunter2@h"])
def test_a_password_in_a_name_is_not_echoed(name: str) -> None:
    with pytest.raises(ModelNameError) as error:
        ModelName.parse(name)
    assert "hunter2" not in str(error.value)


def test_where_a_model_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ModelSettings()
    plain = ModelName.parse("openai:m")
    assert endpoint_of(plain, settings).base_url == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://b.example/v1/")
    assert endpoint_of(plain, settings).base_url == "https://b.example/v1"
    settings = ModelSettings(endpoints={"openai": ModelEndpoint(url="https://c.example/v1")})
    assert endpoint_of(plain, settings).base_url == "https://c.example/v1"
    named = ModelName.parse("openai:m@https://d.example/v1")
    assert endpoint_of(named, settings).base_url == "https://d.example/v1"


@pytest.mark.parametrize("wrong", ["c.example", "ftp://c.example", "https://u:hunter2@c.example"])
def test_a_wrong_address_in_the_settings_is_told(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ModelName.parse("openai:m")
    with pytest.raises(SettingsError) as error:
        endpoint_of(plain, ModelSettings(endpoints={"openai": ModelEndpoint(url=wrong)}))
    assert "hunter2" not in str(error.value)
    monkeypatch.setenv("OPENAI_BASE_URL", wrong)
    with pytest.raises(SettingsError):
        endpoint_of(plain, ModelSettings())


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://localhost:1", True),
        ("http://127.3.2.1", True),
        ("http://[::1]:8000/v1", True),
        ("http://10.0.0.1", False),
        ("http://localhost.example", False),
        ("http://127.0.0.1.example", False),
    ],
)
def test_what_is_on_this_machine(address: str, loopback: bool) -> None:
    name = ModelName.parse(f"openai:m@{address}")
    assert endpoint_of(name, ModelSettings()).loopback is loopback


def test_a_provider_that_nobody_knows_is_named() -> None:
    lab = {"lab": ModelEndpoint(url="https://lab.example/v1")}
    assert endpoint_of(ModelName.parse("lab:m"), ModelSettings(endpoints=lab)).base_url == (
        "https://lab.example/v1"
    )
    with pytest.raises(ModelNameError, match=r"nobody:gpt.*vllm, lab, scripted.*\[models\.NAME\]"):
        endpoint_of(ModelName.parse("nobody:gpt"), ModelSettings(endpoints=lab))
    with pytest.raises(SettingsError, match=r"models\.lab\.url"):
        endpoint_of(ModelName.parse("lab:m"), ModelSettings(endpoints={"lab": ModelEndpoint()}))


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("", "OPENAI_API_KEY"),
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://eu.api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://api.openai.com.example/v1", None),
        ("https://xapi.openai.com/v1", None),
        ("https://openai.com/v1", None),
        ("http://127.0.0.1:8080/v1", None),
        ("https://env.example/v1/", "OPENAI_API_KEY"),
        ("https://env.example/v2", None),
        ("https://LAB.example:443/v1", "LAB_KEY"),
        ("https://lab.example/", None),
        ("https://lab.example:8443/v1", None),
        ("https://open.example/v1", None),
    ],
)
def test_a_key_belongs_to_an_address(
    address: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://env.example/v1")
    settings = ModelSettings(
        endpoints={
            "lab": ModelEndpoint(url="https://lab.example/v1/", key_variable="LAB_KEY"),
            "open": ModelEndpoint(url="https://open.example/v1"),
        }
    )
    name = ModelName.parse(f"openai:m@{address}" if address else "openai:m")
    assert endpoint_of(name, settings).key_variable == key
    monkeypatch.delenv("OPENAI_BASE_URL")
    moved = {"openai": ModelEndpoint(url="https://gateway.example/v1")}
    plain = endpoint_of(ModelName.parse("openai:m"), ModelSettings(endpoints=moved))
    assert plain.key_variable is None


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("openai:gpt-4.1@http://127.0.0.1:8080/v1", 0.0),
        ("lab:m", 3.0),
        ("vllm:m@https://lab.example/v1", 3.0),
        ("vllm:m@https://keyed.example/v1", None),
        ("vllm:m@https://open.example/v1", 0.0),
        ("ollama:m", 0.0),
        ("local:m", 3.0),
        ("scripted:file", 0.0),
    ],
)
def test_a_server_on_this_machine_is_free_unless_priced(name: str, cost: float | None) -> None:
    price = ModelPrice(input=1, output=2)
    settings = ModelSettings(
        endpoints={
            "lab": ModelEndpoint(url="https://lab.example/v1", key_variable="K", price=price),
            "keyed": ModelEndpoint(url="https://keyed.example/v1", key_variable="K"),
            "local": ModelEndpoint(url="http://localhost:9/v1", price=price),
        }
    )
    assert cost_usd(ModelName.parse(name), settings, 1_000_000, 1_000_000) == cost


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEELYARD_CONFIG", "/nowhere")
    assert read_settings().models.planner == PLANNER
    assert read_settings().models.coder == CODER
    assert read_settings().models.analyst == ANALYST
    monkeypatch.setenv("STEELYARD_MODELS__PLANNER", "ollama:llama3")
    monkeypatch.setenv("STEELYARD_MODELS__OPENAI", '{"url": "http://127.0.0.1:1/v1"}')
    monkeypatch.setenv("STEELYARD_MODELS__LAB__URL", "https://lab.example/v1")
    monkeypatch.setenv("STEELYARD_MODELS__LAB__KEY_VARIABLE", "LAB_KEY")
    monkeypatch.setenv("STEELYARD_MODELS__LAB__CONTEXT", "8192")
    monkeypatch.setenv("STEELYARD_MODELS__LAB__PRICE", '{"input": 1, "output": 2}')
    monkeypatch.setenv("STEELYARD_MODELS__PRICES", '{"openai:m": {"input": 1, "output": 2}}')
    models = read_settings().models
    assert models.planner == "ollama:llama3"
    price = ModelPrice(input=1, output=2)
    assert models.endpoints == {
        "openai": ModelEndpoint(url="http://127.0.0.1:1/v1"),
        "lab": ModelEndpoint(
            url="https://lab.example/v1", key_variable="LAB_KEY", context=8192, price=price
        ),
    }
    assert models.prices["openai:m"].output == 2
