"""Every example in the documents runs as it stands, a page's blocks in order, in one shell."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import steelyard
from steelyard.toolchains import CompileCache
from tests.warm_command import Done, WarmCommand

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")), ROOT / "CONTRIBUTING.md")
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"\s*```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block of text right after commands: lines that they print."""
PROMPT = re.compile(r"^\$ (.*)$", re.MULTILINE)
DATA = {"", "text", "json", "yaml", "dockerfile", "toml"}
NOT_RUN = {
    "docs/deploy.md": "needs a container engine, a cluster and an account",
    "docs/how-to/compose.md": "needs a container engine",
    "docs/how-to/container.md": "needs a container engine",
    "docs/how-to/many-machines.md": "needs several machines",
    "docs/how-to/release.md": "publishes a version",
    "docs/how-to/models.md": "needs a key of a vendor",
    "docs/how-to/without-root.md": "changes the machine, as root",
    "docs/reference/raft.md": "needs the extra train, of over a gigabyte",
}
"""Pages with `sh` blocks: commands that no test can run, and why."""
PRELUDE = r"""
git() { mkdir -p steelyard && ln -sfn "$REPOSITORY/examples" steelyard/examples; }
make() { :; }
pip() { :; }
source() { :; }
request() {
    local name out err status
    {
        printf '%q ' "$BLOCK" "$@" "$PWD"
        for name in "${!STEELYARD_@}" "${!XDG_@}"; do printf '%q ' "$name=${!name}"; done
        echo
    } >&"$REQUESTS"
    IFS=' ' read -r status out err <&"$ANSWERS"
    cat "$out"
    cat "$err" >&2
    return "$status"
}
steelyard() {
    if [ "$1" = serve ] && [ $BASHPID != $$ ]; then
        eval "exec $REQUESTS>&- $ANSWERS<&-"
        exec "$STEELYARD" "$@"
    fi
    request "$#" "$@"
}
trap 'kill $(jobs -p) 2>/dev/null' EXIT
"""
"""What installs is what this very test runs inside of. What runs Steelyard is asked of a process
that has it loaded; only a service that runs beside the next commands is a process of its own."""
NEXT = "---- the next block of the page ----"
COMMAND = re.compile(r"^steelyard (?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
LONG = {
    "docs/how-to/author.md": "makes two suites; README makes one",
    "docs/reference/authoring.md": "makes two suites, and repeats a run; README makes one",
    "docs/reference/comparing.md": "compares as README does, and ranks",
    "docs/reference/compat.md": "serves all peers, as the tests of each peer do",
    "docs/reference/profiling.md": "profiles as README and the tutorial do",
    "docs/reference/pytest-suites.md": "makes two suites, as the tests of the command do",
}
"""Pages with whole jobs like one that a shorter page has: their examples are exhaustive tests."""


@dataclass
class Example:
    """A block of a page, with what the page shows of its output and what it printed."""

    line: int
    code: str
    shown: str = ""
    python: bool = False
    done: list[Done] = field(default_factory=list)
    printed: str = ""
    """What all of its commands wrote to their standard output, if nothing took it."""


@dataclass(frozen=True)
class Earlier:
    """A command that another page has run, with all that it left in its folder."""

    done: Done
    out: Path
    err: Path
    left: Path


class Commands:
    """Runs commands of Steelyard; one that several pages have, on examples only, runs once."""

    def __init__(self, warm: WarmCommand, folder: Path) -> None:
        self._warm, self._folder = warm, folder
        self._earlier: dict[tuple[str, ...], Earlier] = {}

    def run(self, arguments: list[str], code: str, cwd: Path, env: dict[str, str]) -> Earlier:
        key = (*arguments, code, *(f"{name}={value}" for name, value in env.items()))
        reads = [each for each in arguments if (cwd / each).exists()]
        shared = reads and all(each.startswith("examples/") for each in reads)
        if shared and key in self._earlier:
            earlier = self._earlier[key]
            shutil.copytree(earlier.left, cwd, dirs_exist_ok=True)
            return earlier
        before = {each.name for each in cwd.iterdir()}
        started = self._warm.start(*arguments, cwd=cwd, code=code, **env)
        left = self._folder / str(started.pid)
        earlier = Earlier(started.wait(), started.out, started.err, left)
        if shared:
            shutil.copytree(cwd, left, ignore=lambda at, _: before if at == str(cwd) else set())
            self._earlier[key] = earlier
        return earlier


def examples(page: Path) -> Iterator[Example]:
    text = page.read_text()
    for match in BLOCK.finditer(text):
        kind, code = match[1], match[2]
        line = text[: match.start()].count("\n") + 1
        name = str(page.relative_to(ROOT))
        if kind == "console":
            kind, code = "bash", "\n".join(PROMPT.findall(code)) + "\n"
        if kind in ("bash", "python"):
            shown = SHOWN.match(text, match.end())
            yield Example(line, code, shown[1] if shown else "", kind == "python")
        elif kind == "sh":
            assert name in NOT_RUN, f"{name}:{line} is not run; use `bash`, or say why in NOT_RUN"
        else:
            assert kind in DATA, f"{name}:{line}: a block of {kind!r}"


def commands_on_examples(page: Path) -> set[str]:
    """Return the commands of a page that read the repository's examples."""
    found = {command for block in examples(page) for command in COMMAND.findall(block.code)}
    return {command for command in found if "examples/" in command}


def pages_with_examples() -> Iterator[ParameterSet]:
    """Yield the pages to run; one worker has those that share a command, which it runs once."""
    pages = [page for page in PAGES if any(True for _ in examples(page))]
    count = Counter(command for page in pages for command in commands_on_examples(page))
    for page in pages:
        name = str(page.relative_to(ROOT))
        marks = [pytest.mark.exhaustive] if name in LONG else []
        if any(count[command] > 1 for command in commands_on_examples(page)):
            marks.append(pytest.mark.xdist_group("docs"))
        yield pytest.param(page, id=name, marks=marks)


@pytest.fixture
def environment(compile_cache: CompileCache) -> dict[str, str]:
    return {"STEELYARD_CACHE__DIR": str(compile_cache.folder), "COLUMNS": "100"}


@pytest.fixture(scope="session")
def commands(warm: WarmCommand, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(warm, tmp_path_factory.mktemp("left"))


@pytest.mark.parametrize("page", list(pages_with_examples()))
def test_the_examples_of_a_page_run_in_order_and_print_what_it_shows(
    page: Path,
    environment: dict[str, str],
    tmp_path: Path,
    commands: Commands,
    request: pytest.FixtureRequest,
) -> None:
    blocks = list(examples(page))
    if any("compare" in block.code.lower() for block in blocks):
        request.getfixturevalue("file_view")
    errors = run_in_one_shell(blocks, environment, tmp_path, commands)
    assert errors == ""
    for block in blocks:
        for done in block.done:
            assert done.status in ((0,) if block.python else (0, 1)), (block.line, done.stderr)
        printed = loose("".join(done.stdout for done in block.done) + block.printed)
        for line in filter(None, map(str.strip, block.shown.splitlines())):
            assert loose(line) in printed, f"line {block.line}: the page shows {line!r}"


def run_in_one_shell(
    blocks: list[Example], environment: dict[str, str], folder: Path, commands: Commands
) -> str:
    """Run all blocks; return what the shell itself wrote to its standard error."""
    (folder / "examples").symlink_to(ROOT / "examples")
    printed = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed below)
    requests, ask = os.pipe()
    hear, answers = os.pipe()
    program = Path(sys.executable).with_name("steelyard")
    script = [
        f"REPOSITORY={shlex.quote(str(ROOT))} STEELYARD={shlex.quote(str(program))}",
        f"REQUESTS={ask} ANSWERS={hear}",
        PRELUDE,
    ]
    for number, block in enumerate(blocks):
        script += [f"BLOCK={number}; echo '{NEXT}'"]
        script += ["request python" if block.python else block.code]
    shell = subprocess.Popen(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env={**os.environ, **environment},
        pass_fds=(ask, hear),
        stdin=subprocess.DEVNULL,
        stdout=printed,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(ask)
    os.close(hear)
    said = []
    with printed, os.fdopen(requests) as lines, os.fdopen(answers, "w") as reply, shell:
        for line in lines:
            number, kind, *words = shlex.split(line)
            block = blocks[int(number)]
            count = 0 if kind == "python" else int(kind)
            arguments, cwd, variables = words[:count], words[count], words[count + 1 :]
            env = environment | dict(each.split("=", 1) for each in variables)
            run = commands.run(arguments, block.code if block.python else "", Path(cwd), env)
            block.done.append(run.done)
            said.append(run.done.stderr)
            with suppress(BrokenPipeError):
                reply.write(f"{run.done.status} {run.out} {run.err}\n")
                reply.flush()
        assert shell.stderr is not None
        errors = shell.stderr.read()
        printed.seek(0)
        for block, text in zip(blocks, printed.read().split(f"{NEXT}\n")[1:], strict=True):
            block.printed = text
    for text in said:
        errors = errors.replace(text, "", 1)
    return errors


def loose(text: str) -> str:
    """The text without what differs from run to run: figures, and the spaces that align them."""
    return re.sub(r"[\s\d.,]+", " ", text)


def test_the_package_is_imported_without_a_warning() -> None:
    names = "steelyard", "steelyard.comparing", "steelyard.profiling", "steelyard.solving"
    code = "".join(f"import {name}\n" for name in names)
    subprocess.run([sys.executable, "-W", "error", "-c", code], timeout=120, check=True)


def test_the_library_reference_has_every_public_name_once() -> None:
    pages = "\n".join(page.read_text() for page in (DOCS / "reference" / "api").glob("*.md"))
    documented = re.findall(r"^::: steelyard\.(\w+)$", pages, re.MULTILINE)
    assert sorted(documented) == sorted(steelyard.__all__), (
        "write `::: steelyard.NAME` into a page of docs/reference/api/"
    )


def test_the_readme_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert links
    for link in links:
        assert (ROOT / link).is_file(), link


def test_the_site_builds_in_strict_mode_and_loads_nothing_from_another_host(
    tmp_path: Path,
) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed; `make docs` installs it")
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    loaded = re.compile(
        r"<(?:script|img|iframe|link(?=[^>]*stylesheet))[^>]*(?:src|href)=\"?https?:"
    )
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md"))) / 2
    for page in pages:
        assert not loaded.search(page.read_text()), page
    commands = (tmp_path / "site/reference/command-line/index.html").read_text()
    assert "--max-cost" in commands
