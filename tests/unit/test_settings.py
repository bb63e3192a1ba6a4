"""Settings come from the environment and a file; what is wrong is said in one line."""

from pathlib import Path

import pytest

from steelyard.errors import SettingsError
from steelyard.settings import read_settings


@pytest.fixture(autouse=True)
def no_outer_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEELYARD_CONFIG", str(tmp_path / "config.toml"))
    for name in ("STEELYARD_SANDBOX__REQUIRE", "STEELYARD_CACHE__DIR", "STEELYARD_CACHE__MAX_MIB"):
        monkeypatch.delenv(name, raising=False)


def test_defaults_need_nothing() -> None:
    settings = read_settings()
    assert settings.sandbox.require == "none"
    assert settings.cache.max_mib == 2_048


def test_the_environment_goes_before_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(
        '[sandbox]\nrequire = "partial"\naccounting = "none"\n[cache]\nmax_mib = 64\n'
    )
    monkeypatch.setenv("STEELYARD_SANDBOX__REQUIRE", "full")
    settings = read_settings()
    assert settings.sandbox.require == "full"
    assert settings.sandbox.accounting == "none"
    assert settings.cache.max_mib == 64


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[sandbox]\nrequire = "strong"\n', "sandbox.require"),
        ("[sandbox]\nbackend = 3\n", "sandbox.backend"),
        ("[cache]\nmax_mib = 1\n", "cache.max_mib"),
        ("[speed]\nfast = true\n", "speed"),
        ("[sandbox\n", "configuration file"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
