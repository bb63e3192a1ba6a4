"""Environment variables and the configuration file, read once into `Settings`."""

import os
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    NestedSecretsSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings.exceptions import SettingsError as FolderError

from steelyard._default_models import ANALYST, CODER, PLANNER
from steelyard.errors import SettingsError


def _xdg(variable: str, fallback: str) -> Path:
    # Without a home the path is below a file, so that nothing can be written there.
    home = os.path.expanduser("~")
    home = home if os.path.isabs(home) else os.devnull
    return Path(os.environ.get(variable) or Path(home, fallback)) / "steelyard"


def _own_file(name: str) -> Path:
    """Return the path of a file in the user's configuration folder, which need not exist."""
    file = _xdg("XDG_CONFIG_HOME", ".config") / name
    try:
        os.stat(file)
    except PermissionError:  # the folder is closed: HOME is another user's
        return Path(os.devnull, name)
    except OSError:
        pass
    return file


def user_languages_file() -> Path:
    """Return the path of the user's own language table, which need not exist."""
    return _own_file("languages.toml")


def default_database() -> Path:
    """Return the path of the database file in the user's data folder, which need not exist."""
    return _xdg("XDG_DATA_HOME", ".local/share") / "steelyard.sqlite3"


class SandboxSettings(BaseModel, frozen=True, extra="forbid"):
    """Settings of the sandbox."""

    require: Literal["none", "partial", "full"] = "none"
    """Refuse to run if the isolation is weaker than this level."""
    backend: Literal["auto", "cell", "python-cell", "docker"] = "auto"
    """`auto`: the native cell, or the pure-Python cell if no compiler built the native one."""
    accounting: Literal["auto", "cgroup-v1", "cgroup-v2", "none"] = "auto"
    """Counters of CPU time and memory; `auto` takes the best on this machine."""


class CacheSettings(BaseModel, frozen=True, extra="forbid"):
    """Settings of the caches of compiled results and of replies of language models."""

    dir: Path = Field(default_factory=lambda: _xdg("XDG_CACHE_HOME", ".cache"))
    max_mib: int = Field(default=2_048, ge=16)
    """Limit on the size; the least recently used entries are removed first."""
    max_replies_mib: int = Field(default=256, ge=1)
    """Limit on the size of replies of language models."""


ModelRole = Literal[
    "planner",
    "coder",
    "analyst",
    "generator",
    "attacker",
    "reference",
    "specifier",
    "oracle",
    "optimised",
    "bruteforce",
    "alternative",
    "healer",
    "tester",
    "reviewer",
    "breaker",
]
ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]


class ModelPrice(BaseModel, frozen=True, extra="forbid"):
    """Price of a language model, in US dollars per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class ModelSettings(BaseModel, frozen=True, extra="forbid"):
    """Settings of language models. Keys are not settings: see `steelyard.models`."""

    planner: str = PLANNER
    coder: str = CODER
    analyst: str = ANALYST
    max_tokens: dict[ModelRole, Annotated[int, Field(ge=1, le=1_000_000)]] = Field(
        default_factory=dict
    )
    """Limits on replies by role, thinking included: `{"coder": 64000}`."""
    reasoning_effort: dict[ModelRole, ReasoningEffort] = Field(default_factory=dict)
    """How much reasoning models think, by role: `{"coder": "low"}`; the model's own by default."""
    timeout_s: float = Field(default=180, gt=0, le=86_400)
    """Wall time of one try of a request, in seconds."""
    total_timeout_s: float = Field(default=900, gt=0, le=86_400)
    """Wall time of a request with its retries and the waits between them, in seconds."""
    retries: int = Field(default=5, ge=0, le=100)
    """Number of retries after a temporary failure."""
    concurrency: int = Field(default=4, ge=1, le=1_000)
    """Limit on the requests under way at one provider."""
    max_body_mib: int = Field(default=8, ge=1, le=1_024)
    """Limit on the size of a response."""
    base_urls: dict[str, str] = Field(default_factory=dict)
    """Addresses of providers: `{"openai": "https://gateway.example/v1"}`."""
    prices: dict[str, ModelPrice] = Field(default_factory=dict)
    """Prices by model name, which replace known prices: `{"openai:mine": {"input": 1, ...}}`."""


Peer = Literal["sandboxfusion", "scalebox", "piston", "judge0", "go-judge"]
"""Another judge whose endpoints the service can offer."""
PEERS: tuple[Peer, ...] = get_args(Peer)


class ServiceSettings(BaseModel, frozen=True, extra="forbid"):
    """Settings of the service."""

    compat: tuple[Peer, ...] = ()
    """Judges whose endpoints are offered too, for their own clients."""
    mcp: bool = False
    """Offer the tools for agents at `/mcp`."""
    callbacks: bool = False
    """Send results of Judge0 submissions to their `callback_url`, at public addresses only."""
    cells: int | None = Field(default=None, ge=1, le=1_024)
    """Number of cells for requests that are answered at once; None for one per core."""
    most_waiting: int = Field(default=256, ge=0, le=100_000)
    """Limit on the requests that wait for a cell, one half for one caller; more are refused."""
    most_waiting_long: int = Field(default=16, ge=0, le=100_000)
    """Limit on the profiles and comparisons that wait for their turn."""
    workers: int = Field(default=1, ge=0, le=1_024)
    """Number of processes of `steelyard serve` that run jobs, one job at a time each."""
    worker_cells: int = Field(default=1, ge=1, le=1_024)
    """Number of cells of each worker."""
    max_jobs: int = Field(default=100_000, ge=1, le=10_000_000)
    """Limit on the jobs that wait or run; more are refused with 429."""
    max_jobs_per_token: int = Field(default=10_000, ge=1, le=10_000_000)
    """Limit on the jobs of one token that wait or run."""
    max_job_s: float = Field(default=3_600, gt=0, le=604_800)
    """Limit on the time of one job, in seconds."""
    max_job_attempts: int = Field(default=10, ge=1, le=1_000)
    """How often a job is begun again after its worker died, before it fails."""
    max_job_cost_usd: float | None = Field(default=1.0, ge=0, allow_inf_nan=False)
    """Limit on what one job may spend on models, in US dollars; None needs no known prices."""
    max_job_tokens: int = Field(default=1_000_000, ge=0)
    """Limit on the models' tokens of one job."""
    models: tuple[str, ...] = ()
    """Further models that a request may name; those of `models` are always allowed."""
    evaluations: Path | None = None
    """Folder of folders that `steelyard evaluate` wrote, to be shown on pages; None for none."""
    keep_jobs_days: float = Field(default=30, gt=0, le=36_500)
    """Jobs that ended longer ago are deleted."""
    requests_per_minute: int = Field(default=6_000, ge=1, le=10_000_000)
    """Limit on the requests of one token, unless the token has its own."""
    concurrency: int = Field(default=64, ge=1, le=100_000)
    """Limit on the requests under way of one token, unless the token has its own."""
    max_connections: int = Field(default=1_024, ge=1, le=100_000)
    """Limit on open connections; more are closed at once."""
    header_timeout_s: float = Field(default=10, gt=0, le=3_600)
    """Time in which the head of a request must be complete, in seconds."""
    body_timeout_s: float = Field(default=30, gt=0, le=3_600)
    """Time in which the body of a request must be complete, in seconds."""
    max_body_mib: int = Field(default=32, ge=1, le=4_096)
    """Limit on the body of a request."""
    max_source_kib: int = Field(default=1_024, ge=1, le=65_536)
    """Limit on the source text of one program."""
    max_tests: int = Field(default=10_000, ge=1, le=1_000_000)
    """Limit on the tests of one program."""
    max_batch: int = Field(default=10_000, ge=1, le=1_000_000)
    """Limit on the programs of one batch."""
    max_output_mib: int = Field(default=64, ge=1, le=4_096)
    """Limit that a request may set on a program's output."""
    max_memory_mib: int = Field(default=4_096, ge=16, le=1_048_576)
    """Limit that a request may set on a program's memory."""
    max_time_s: float = Field(default=60, gt=0, le=86_400)
    """Limit that a request may set on the time of one run of a program, in seconds."""
    max_request_s: float = Field(default=300, gt=0, le=86_400)
    """Limit on the work for one request that is answered at once, in seconds."""


class Settings(BaseSettings):
    """All settings. `STEELYARD_SANDBOX__REQUIRE=full` sets `sandbox.require`, and so on.

    The file is `$STEELYARD_CONFIG`, or `steelyard/config.toml` in the user's configuration folder;
    the environment overrides the file. `$STEELYARD_SECRETS` is a folder with a file for each
    setting that others must not see, such as `steelyard_database_url`; the environment overrides
    it.
    """

    model_config = SettingsConfigDict(
        env_prefix="STEELYARD_", env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    sandbox: SandboxSettings = SandboxSettings()
    cache: CacheSettings = Field(default_factory=CacheSettings)
    logs: Path = Path("logs")
    """The folder for artefacts of the solve loop."""
    models: ModelSettings = ModelSettings()
    service: ServiceSettings = ServiceSettings()
    database_url: str = Field(default="", repr=False)
    """The database of problems: a file, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; the
    file `default_database()` if it is empty."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources in order: the environment before the files."""
        folder = os.environ.get("STEELYARD_SECRETS")
        file = Path(os.environ.get("STEELYARD_CONFIG") or _own_file("config.toml"))
        toml = TomlConfigSettingsSource(settings_cls, file)
        if not folder:
            return init_settings, env_settings, toml
        secrets = NestedSecretsSettingsSource(
            file_secret_settings, secrets_dir=folder, secrets_dir_missing="error"
        )
        return init_settings, env_settings, secrets, toml


def read_settings() -> Settings:
    """Read the settings from the environment and the configuration file.

    Raises:
        SettingsError: if a setting is invalid; the message names it.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        got = "" if name == "database_url" else f" (got {first['input']!r})"  # it has a password
        raise SettingsError(
            f"setting {name}: {first['msg'].lower()}{got}; "
            f"fix STEELYARD_{name.upper().replace('.', '__')} or the configuration file"
        ) from error
    except FolderError as error:
        raise SettingsError(f"STEELYARD_SECRETS: {error}; name a folder of files") from error
    except ValueError as error:  # a file that is not TOML
        raise SettingsError(f"the configuration file is not TOML: {error}; fix it") from error
    except OSError as error:
        raise SettingsError(f"the configuration file cannot be read: {error}; fix it") from error


@cache
def current_settings() -> Settings:
    """Return the settings of this process, which are read at first use."""
    return read_settings()
