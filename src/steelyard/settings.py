"""Environment variables and the configuration file, read once into `Settings`."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from steelyard._default_models import ANALYST, CODER, PLANNER
from steelyard._printable import nearest
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


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class SandboxSettings(_Section):
    """Settings of the sandbox."""

    require: Literal["none", "partial", "full"] = "none"
    """Refuse to run if the isolation is weaker than this level."""
    backend: Literal["auto", "cell", "docker"] = "auto"
    """`auto` and `cell`: cells of this machine; `docker`: cells in containers."""
    accounting: Literal["auto", "cgroup-v1", "cgroup-v2", "none"] = "auto"
    """Counters of CPU time and memory; `auto` takes the best on this machine."""


class CacheSettings(_Section):
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


class ModelPrice(_Section):
    """Price of a language model, in US dollars per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class ModelEndpoint(_Section):
    """A server of language models: the table `[models.NAME]`, for models `NAME:MODEL`."""

    url: str = ""
    """Its address, such as `https://gpu.example/v1`; empty for a provider's usual address."""
    key_variable: Annotated[str, Field(pattern="^[A-Z_][A-Z0-9_]*$")] | None = None
    """The environment variable with its key, which is sent to this address and to no other."""
    context: int | None = Field(default=None, ge=256)
    """Tokens that a request and its reply may have together; None if unknown."""
    price: ModelPrice | None = None
    """The price of its models."""


class ModelSettings(_Section):
    """Settings of language models. Keys are not settings: their variables are."""

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
    """Limit on the requests under way at one address."""
    max_body_mib: int = Field(default=8, ge=1, le=1_024)
    """Limit on the size of a response."""
    prices: dict[str, ModelPrice] = Field(default_factory=dict)
    """Prices by model name, which replace known prices: `{"openai:mine": {"input": 1, ...}}`."""
    endpoints: dict[Annotated[str, Field(pattern="^[a-z][a-z0-9_-]*$")], ModelEndpoint] = Field(
        default_factory=dict
    )
    """Servers by name; in a file each is a table `[models.NAME]`."""

    @model_validator(mode="before")
    @classmethod
    def _read_endpoints(cls, found: Any) -> Any:
        """Collect the tables whose names are no settings."""
        if not isinstance(found, dict):
            return found
        named = {
            name: table
            for name, table in found.items()
            if name not in cls.model_fields and isinstance(table, dict | ModelEndpoint)
        }
        others = {name: value for name, value in found.items() if name not in named}
        return others | {"endpoints": named | found.get("endpoints", {})} if named else found


Peer = Literal["sandboxfusion", "scalebox", "piston", "judge0", "go-judge"]
"""Another judge whose endpoints the service can offer."""
PEERS: tuple[Peer, ...] = get_args(Peer)


class ServiceSettings(_Section):
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


class Settings(_Section):
    """All settings. `STEELYARD_SANDBOX__REQUIRE=full` sets `sandbox.require`, and so on.

    `read_settings` reads the configuration file, the folder of secrets and the environment.
    """

    sandbox: SandboxSettings = Field(default_factory=SandboxSettings.model_construct)
    cache: CacheSettings = Field(default_factory=CacheSettings.model_construct)
    logs: Path = Path("logs")
    """The folder for artefacts of the solve loop."""
    models: ModelSettings = Field(default_factory=ModelSettings.model_construct)
    service: ServiceSettings = Field(default_factory=ServiceSettings.model_construct)
    database_url: str = Field(default="", repr=False)
    """The database of problems: a file, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; the
    file `default_database()` if it is empty."""


def read_settings() -> Settings:
    """Read the settings from the environment and the configuration file.

    The file is `$STEELYARD_CONFIG`, or `steelyard/config.toml` in the user's configuration folder.
    `$STEELYARD_SECRETS` is a folder with a file for each setting that others must not see, such as
    `steelyard_database_url`. The environment overrides the secrets, and these the file.

    Raises:
        SettingsError: if a setting is invalid; the message names it.
    """
    found = _of_file(Path(os.environ.get("STEELYARD_CONFIG") or _own_file("config.toml")))
    folder = os.environ.get("STEELYARD_SECRETS")
    for variables in ([_secrets(Path(folder))] if folder else []) + [os.environ]:
        _add_variables(found, variables)
    if not found:  # nothing to validate, so that no validator is built
        return Settings.model_construct()
    try:
        return Settings(**found)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"] if part != "endpoints")
        variable = _PREFIX + name.upper().replace(".", "__")
        where = f"{variable} or the configuration file"
        if first["type"] == "extra_forbidden":
            raise SettingsError(
                f"unknown setting {name}{nearest(name, _names(Settings))}; remove it from {where}"
            ) from error
        secret = name == "database_url" or name.endswith(".key_variable")  # it may hold one
        got = "" if secret else f", got {first['input']!r}"
        raise SettingsError(
            f"setting {name}: {first['msg'].lower()}{got}; change {where}"
        ) from error


_PREFIX = "STEELYARD_"


def _of_file(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return tomllib.load(opened)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingsError(
            f"the configuration file cannot be read: {error}; make it readable, or name another "
            "in STEELYARD_CONFIG"
        ) from error
    except ValueError as error:
        raise SettingsError(
            f"the configuration file {file} is not TOML: {error}; correct this line"
        ) from error


def _secrets(folder: Path) -> dict[str, str]:
    """Return the texts of the files in a folder by their names; hidden files are others'."""
    try:
        files = [file for file in folder.iterdir() if file.name[0] != "." and file.is_file()]
        return {
            file.name: file.read_text("utf-8").strip()
            for file in files
            if file.name.upper().startswith(_PREFIX)
        }
    except (OSError, ValueError) as error:
        raise SettingsError(f"STEELYARD_SECRETS: {error}; name a folder of files") from error


def _add_variables(found: dict[str, Any], variables: Mapping[str, str]) -> None:
    """Add what variables set, such as `STEELYARD_CACHE__DIR`, to settings by section and name."""
    for variable in sorted(variables):  # a section before its parts
        if not variable.upper().startswith(_PREFIX):
            continue
        *sections, name = variable[len(_PREFIX) :].lower().split("__")
        if (sections or [name])[0] not in Settings.model_fields:
            continue  # a variable for another purpose, such as STEELYARD_CONFIG
        here: Any = found
        kind: Any = Settings
        for section in sections:
            kind = _kind_of(kind, section)
            here = here.setdefault(section, {})
            if not isinstance(here, dict):
                raise SettingsError(f"{variable}: {section} has no parts; set {section} alone")
        value = _value_of(variable, variables[variable], _kind_of(kind, name))
        before = here.get(name)
        merged = isinstance(before, dict) and isinstance(value, dict)
        here[name] = {**before, **value} if merged else value


def _kind_of(kind: Any, name: str) -> Any:
    """Return the type of a section's field or of a dict's values."""
    if _is_section(kind):
        if name not in kind.model_fields:
            return ModelEndpoint if kind is ModelSettings else str
        annotation = kind.model_fields[name].annotation
        return next((each for each in get_args(annotation) if _is_section(each)), annotation)
    return get_args(kind)[-1] if get_origin(kind) is dict else str


def _value_of(variable: str, text: str, kind: Any) -> Any:
    """Return a variable's value: JSON if the setting has parts, its text if not."""
    if not _is_section(kind) and get_origin(kind) not in (dict, tuple):
        return text
    if kind is ModelEndpoint and not text.lstrip().startswith("{"):
        return text  # the name of no setting
    try:
        return json.loads(text)
    except ValueError as error:
        shape = '["one", "two"]' if get_origin(kind) is tuple else '{"name": "value"}'
        raise SettingsError(f"{variable} is not JSON: {error}; write {shape}") from error


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _names(section: type[BaseModel]) -> Iterable[str]:
    """Yield the full names of all settings."""
    for name, field in section.model_fields.items():
        kind = field.annotation
        yield name
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from (f"{name}.{each}" for each in _names(kind))


@cache
def current_settings() -> Settings:
    """Return the settings of this process, which are read at first use."""
    return read_settings()
