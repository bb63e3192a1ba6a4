"""System prompts: Jinja2 files, each with its version in the first line."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Plain = str | int | float | bool
"""Values for a template: the project's own, never untrusted text."""

_VERSION = re.compile(r"\{#-? *version: *([\w.-]+) *-?#\}\n")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered system prompt."""

    name: str
    version: str
    text: str
    digest: str
    """The SHA-256 of the template, in hex: it shows an edit without a new version."""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def render(name: str, values: Mapping[str, Plain], folder: Path) -> Prompt:
    """Return the prompt `folder/name.j2` with its values; a missing value is an error.

    Untrusted texts must not be values: see `fenced`.

    Raises:
        ValueError: if the file's first line is not `{# version: 1 #}`.
        jinja2.TemplateError: if the template is wrong, or a value is missing.
    """
    from jinja2 import StrictUndefined  # noqa: PLC0415 - keeps `import steelyard` fast
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    source = (folder / f"{name}.j2").read_text(encoding="utf-8")
    first = _VERSION.match(source)
    if first is None:
        raise ValueError(f"{name}.j2 does not begin with a line such as {{# version: 1 #}}")
    environment = SandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,  # a model reads the text, not a browser
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.from_string(source[first.end() :]).render(values)
    digest = hashlib.sha256(source.encode()).hexdigest()
    return Prompt(name, first[1], text.strip(), digest)
