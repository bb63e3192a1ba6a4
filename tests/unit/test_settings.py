"""Settings come from the environment and a file; what is wrong is said in one line."""

import os
import subprocess
import sys
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
        ("[models]\nplaner = 'a:b'\n", "unknown setting models.planer, did you mean"),
        ("[models.lab]\nkey = 'x'\n", "unknown setting models.lab.key"),
        ("[models.lab]\ncontext = 'x'\n", "models.lab.context"),
        ("[models.Lab]\nurl = 'x'\n", "models.Lab"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_url_of_a_database_is_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEELYARD_DATABASE_URL", raising=False)  # it outranks the file
    (tmp_path / "config.toml").write_text('database_url = ["postgresql://u:secret@host/db"]\n')
    with pytest.raises(
        SettingsError, match=r"setting database_url: .*; change STEELYARD"
    ) as caught:
        read_settings()
    assert "secret" not in str(caught.value)
    (tmp_path / "config.toml").write_text('database_url = "postgresql://u:secret@host/db"\n')
    assert read_settings().database_url == "postgresql://u:secret@host/db"
    assert "secret" not in repr(read_settings())


def test_a_key_in_place_of_its_variable_is_never_shown(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[models.lab]\nkey_variable = "sk-secret"\n')
    with pytest.raises(SettingsError, match=r"setting models\.lab\.key_variable: ") as caught:
        read_settings()
    assert "secret" not in str(caught.value)


_WITHOUT_CAPABILITIES = """
from pathlib import Path
from steelyard.errors import SettingsError
from steelyard.settings import read_settings
from steelyard.toolchains import language_of
from tests.rights import give_up_capabilities
give_up_capabilities()  # root, too, opens only what its modes allow
try:
    print(read_settings().cache.max_mib, language_of(Path("a.py")))
except SettingsError as error:
    print(error)
"""


def read_without_capabilities(**changes: str) -> str:
    argv = [sys.executable, "-c", _WITHOUT_CAPABILITIES]
    env = {**os.environ, **changes}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_home_that_cannot_be_entered_has_no_settings(tmp_path: Path, depth: int) -> None:
    folder = tmp_path / "home" / ".config" / "steelyard"
    folder.mkdir(parents=True)
    for name in ("config.toml", "languages.toml"):
        (folder / name).write_text("not TOML")
    closed = (folder, *folder.parents)[depth]
    closed.chmod(0)
    home = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": "", "STEELYARD_CONFIG": ""}
    assert read_without_capabilities(**home) == "2048 python\n"
    closed.chmod(0o700)


def test_a_configuration_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.touch(mode=0)
    line = read_without_capabilities(STEELYARD_CONFIG=str(file))
    assert line.startswith("the configuration file cannot be read: ")
    assert str(file) in line
    assert line.endswith("or name another in STEELYARD_CONFIG\n")


def test_secrets_are_files_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "steelyard_database_url").write_text("postgresql://a:b@c/d\n")
    (folder / "steelyard_sandbox__require").write_text("full")
    (folder / "database_password").write_text("of somebody else")
    (tmp_path / "config.toml").write_text('[sandbox]\nrequire = "partial"\n')
    monkeypatch.setenv("STEELYARD_SECRETS", str(folder))
    monkeypatch.delenv("STEELYARD_DATABASE_URL", raising=False)
    settings = read_settings()
    assert settings.database_url == "postgresql://a:b@c/d"
    assert settings.sandbox.require == "full"
    monkeypatch.setenv("STEELYARD_SANDBOX__REQUIRE", "none")
    assert read_settings().sandbox.require == "none"


def test_a_folder_of_secrets_that_is_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (tmp_path / "missing", Path(__file__)):
        monkeypatch.setenv("STEELYARD_SECRETS", str(path))
        with pytest.raises(SettingsError, match=r"^STEELYARD_SECRETS: .*; name a folder of files$"):
            read_settings()
