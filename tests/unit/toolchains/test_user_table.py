"""The user's `languages.toml`: rows are added or replaced, and each fault is one clear line."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.errors import SettingsError
from steelyard.settings import user_languages_file
from steelyard.toolchains._languages import LanguageTable, shipped_table, with_user_rows

ROW = """
[[language]]
name = "shell"
title = "Shell"
aliases = ["sh"]
extensions = [".sh"]
source = "main.sh"
probe = ":"
run = ["{compiler}", "{source}"]
run_view = ["@libraries"]

  [[language.compiler]]
  name = "dash"
  executables = ["dash"]
  package = "dash"
  diagnostics = "text"
  view = ["@libraries"]
"""


FACTS = """
final_print = "echo {line}"

  [language.syntax]
  tokens = ["#[^\\n]*"]
  spans = { "'" = "'" }

  [language.peers]
  judge0 = { 46 = "dash" }
  code_contests = 46
"""
IN_EVERY_ROOM = """
from steelyard import code_of_reply, judge
from steelyard.datasets.formats._columns import programs_in
from steelyard.judging import FORMS, Source
from steelyard.service.compat._fusion import toolchain_for
from steelyard.service.compat._judge0_submission import offered_languages
from steelyard.service.compat._piston import _runtimes

program = "read n  # ```\\necho $((n * n))"
reply = f"Here:\\n\\n```sh\\n{program}\\n```\\nDone."
assert code_of_reply(reply).strip() == program
assert judge(reply, [{"input": "12", "expected": "144"}], language="shell").success
assert [each.name for each in offered_languages() if each.id == 46] == ["Shell (0.5.12)"]
(runtime,) = (each.shown for each in _runtimes() if "sh" in each.names)
assert (runtime["language"], runtime["aliases"]) == ("shell", ["sh"])
assert toolchain_for("sh").language == "shell"
(written,) = programs_in("solutions", {"language": [46], "solution": [program]})
assert written["language"] == "shell"
task = FORMS["multipl-e"].fields(Source("[ $? = 0 ]", prompt="f() {", language="sh"))
assert task["language"] == "shell" and task["ending"].startswith("[ $? = 0 ]\\necho passed ")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "languages.toml"


def merged(file: Path, text: str) -> LanguageTable:
    file.write_text(text)
    return with_user_rows(shipped_table(), file)


def test_no_file_changes_nothing(file: Path) -> None:
    assert with_user_rows(shipped_table(), file) == shipped_table()


def test_the_file_is_in_the_users_configuration_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_languages_file() == tmp_path / "steelyard" / "languages.toml"


def test_a_new_row_comes_last_and_names_its_file(file: Path) -> None:
    table = merged(file, ROW)
    assert table.languages[:-1] == shipped_table().languages
    assert table.row("SH").title == "Shell"
    assert table.files == {"shell": str(file)}


def test_a_row_alone_brings_a_language_to_every_room(tmp_path: Path) -> None:
    version = """version = ["-c", "echo dash 0.5.12"]\n  diagnostics"""
    row = ROW.replace("\n\n  [[", f"{FACTS}\n  [[").replace("diagnostics", version)
    row = row.replace('["@libraries"]', '["@libraries", "/bin", "/usr/bin"]')
    (tmp_path / "steelyard").mkdir()
    (tmp_path / "steelyard" / "languages.toml").write_text(row)
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", IN_EVERY_ROOM], env=environment, check=True)


def test_a_row_that_replaces_another_keeps_the_facts_of_its_language(file: Path) -> None:
    text = ROW.replace('"shell"', '"go"').replace('"sh"', '"golang"').replace('".sh"', '".go"')
    replaced, row = shipped_table().row("go"), merged(file, text).row("go")
    assert (row.syntax, row.peers, row.counts) == (replaced.syntax, replaced.peers, replaced.counts)


def test_a_known_name_replaces_the_row_in_its_position(file: Path) -> None:
    text = ROW.replace('"shell"', '"go"').replace('"sh"', '"golang"').replace('".sh"', '".go"')
    table = merged(file, text)
    before = [row.name for row in shipped_table().languages]
    assert [row.name for row in table.languages] == before
    assert table.row("go").title == "Shell"
    assert table.files == {"go": str(file)}


def test_own_lists_of_paths_can_be_used(file: Path) -> None:
    table = merged(file, '[views]\nmine = ["/opt/x"]\n' + ROW.replace("@libraries", "@mine"))
    assert table.paths(table.row("shell").run_view) == ("/opt/x",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('source = "main.sh"', "", "language 'shell', source: field required"),
        ('name = "shell"', "", "language number 1, name: field required"),
        ('diagnostics = "text"', 'diagnostics = "x"', "diagnostics: input should be .*'x'"),
        ('title = "Shell"', 'title = "Shell"\nsize = 3', "size: extra inputs are not permitted"),
        ('aliases = ["sh"]', 'aliases = ["py"]', "aliases: 'py' belongs to 'python'"),
        ('extensions = [".sh"]', 'extensions = [".c"]', "extensions: '.c' belongs to 'c'"),
        ('extensions = [".sh"]', 'extensions = ["sh"]', "'sh' is not an ending such as '.pas'"),
        ('name = "shell"', 'name = "Shell"', "write the name and the aliases in lower case"),
        ('"{compiler}", "{source}"', '"{tool}"', "run: {tool} is not a placeholder; use one of"),
        ("@libraries", "@libs", "run_view: there is no list '@libs'; use one of @libraries"),
        ("[[language]]", "[language", "is not TOML"),
        ("[[language]]", '[views]\nnative = ["/"]\n[[language]]', "views, native: this list is"),
        ("[[language]]", f"{ROW}\n[[language]]", "language 'shell': it is defined twice"),
        ('diagnostics = "text"', 'diagnostics = "text"\ngiven = {a = "b"}', "given: 'b' is not a"),
    ],
)
def test_a_fault_is_one_line_with_file_key_and_what_to_do(
    file: Path, old: str, new: str, message: str
) -> None:
    assert old in ROW
    with pytest.raises(SettingsError) as raised:
        merged(file, ROW.replace(old, new))
    line = str(raised.value)
    assert line.startswith(f"{file}: ")
    assert re.search(message.replace("{", r"\{").replace("[", r"\["), line), line
    assert line.endswith("; fix the file, or remove it to use the built-in languages only")
    assert "\n" not in line


def test_a_file_that_cannot_be_read_is_a_fault(file: Path) -> None:
    file.mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        with_user_rows(shipped_table(), file)
