"""A scripted model gives each role its replies in order, and says what is wrong with a script."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import ModelTransportError, ScriptError
from steelyard.models import Reply, ScriptedModel
from tests.unit.models.exchanges import a_request


def script(folder: Path, document: Any) -> Path:
    file = folder / "replies.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


async def texts(model: ScriptedModel, role: str, number: int) -> list[str]:
    return [(await model.complete(a_request(role=role))).text for _ in range(number)]


async def test_each_role_gets_its_replies_in_order(tmp_path: Path) -> None:
    file = script(tmp_path, {"planner": ["one", "two"], "coder": ["three"], "analyst": []})
    model = ScriptedModel(file)
    assert model.name == f"scripted:{file}"
    assert await texts(model, "planner", 1) == ["one"]
    assert await texts(model, "coder", 1) == ["three"]
    assert await texts(model, "planner", 1) == ["two"]
    assert await texts(ScriptedModel(file), "planner", 1) == ["one"]  # each counts for itself


async def test_objects_and_arrays_are_given_as_json(tmp_path: Path) -> None:
    model = ScriptedModel(script(tmp_path, {"coder": [{"n": [1, None, "é"]}, [1, {}], ""]}))
    assert await texts(model, "coder", 3) == ['{"n": [1, null, "é"]}', "[1, {}]", ""]


async def test_programs_stand_in_files_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "slow.cpp").write_text('int main() { return "é"[0]; }\n')
    model = ScriptedModel(
        script(
            tmp_path,
            {
                "coder": [
                    {"code_cpp": {"$file": "programs/slow.cpp"}, "compiler_flags": []},
                    {"parts": [{"deep": {"$file": "./programs/slow.cpp"}}]},
                    {"$file": "programs/../programs/slow.cpp"},
                ]
            },
        )
    )
    code = 'int main() { return "é"[0]; }\n'
    first, second, third = await texts(model, "coder", 3)
    assert json.loads(first) == {"code_cpp": code, "compiler_flags": []}
    assert json.loads(second) == {"parts": [{"deep": code}]}
    assert third == code


async def test_a_scripted_reply_is_free_unless_the_script_says_what_it_cost(
    tmp_path: Path,
) -> None:
    (tmp_path / "answer.txt").write_text("from a file")
    model = ScriptedModel(
        script(
            tmp_path,
            {
                "coder": [
                    "free",
                    {"$reply": {"a": 1}, "$tokens_in": 7, "$tokens_out": 3, "$cost_usd": 0.5},
                    {"$reply": {"$file": "answer.txt"}, "$finish": "length"},
                ]
            },
        )
    )
    free, paid, cut = [await model.complete(a_request()) for _ in range(3)]
    assert (free.tokens_in, free.tokens_out, free.cost_usd, free.from_cache) == (0, 0, 0.0, True)
    assert (paid.tokens_in, paid.tokens_out, paid.cost_usd) == (7, 3, 0.5)
    assert not paid.from_cache
    assert (cut.text, cut.finish, cut.from_cache) == ("from a file", "length", True)
    assert free.model == model.name


async def test_a_fault_is_a_call_that_fails(tmp_path: Path) -> None:
    model = ScriptedModel(script(tmp_path, {"coder": [{"$error": "overloaded"}, "then"]}))
    with pytest.raises(ModelTransportError, match=r"coder\[0\]: overloaded"):
        await model.complete(a_request())
    assert await texts(model, "coder", 1) == ["then"]


async def test_running_out_names_the_role_and_what_there_is(tmp_path: Path) -> None:
    model = ScriptedModel(script(tmp_path, {"coder": ["one"], "planner": []}))
    await texts(model, "coder", 1)
    with pytest.raises(ScriptError, match=r"no reply number 2 for the role coder.*coder 1, plan"):
        await model.complete(a_request())
    with pytest.raises(ScriptError, match="no reply number 1 for the role analyst"):
        await model.complete(a_request(role="analyst"))


async def test_a_resumed_run_goes_on_behind_what_it_has_had(tmp_path: Path) -> None:
    fault = {"$error": "cut"}
    file = script(
        tmp_path, {"planner": ["p0", "p1"], "coder": [fault, "c0", fault, fault, "c1", fault]}
    )
    for paid, follows in ((1, "c1"), (0, None), (2, "")):
        model = ScriptedModel(file)
        model.resume_after({"coder": paid, "planner": 1})
        assert await texts(model, "planner", 1) == ["p1"]
        if follows:
            assert await texts(model, "coder", 1) == [follows]
        else:
            with pytest.raises(ScriptError if paid else ModelTransportError):
                await model.complete(a_request())
    model.resume_after({})
    assert await texts(model, "planner", 1) == ["p0"]
    with pytest.raises(ScriptError, match="has 2 replies for the role coder, and the run"):
        model.resume_after({"coder": 3})
    with pytest.raises(ScriptError, match="analyst"):
        model.resume_after({"analyst": 1})


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("{", ": not JSON"),
        ('{"coder": [NaN]}', "NaN is not in JSON"),
        ('{"coder": [], "coder": ["x"]}', 'the key "coder" appears twice'),
        ("[" * 100_000, "nested too deep"),
        ([], "must be an object"),
        ({"coder": "text"}, "'coder' must be a list"),
        ({"coder": ["fine", 3]}, r"coder\[1\]: a reply must be"),
        ({"coder": [None]}, r"coder\[0\]: a reply must be"),
        ({"coder": [{"$fil": "x"}]}, r"coder\[0\]: '\$fil'"),
        ({"coder": [{"$file": "x", "more": 1}]}, r"'\$file' is not allowed here"),
        ({"coder": [{"$file": 3}]}, r"'\$file' is not allowed here"),
        ({"coder": [{"deep": {"$error": "x"}}]}, r"'\$error' is not allowed here"),
        ({"coder": [{"$error": 3}]}, r"'\$error' is not allowed here"),
        ({"coder": [{"$reply": "x", "$tokens": 3}]}, r"'\$tokens' is not allowed"),
        ({"coder": [{"$reply": "x", "$tokens_in": -3}]}, r"coder\[0\]: \$tokens_in"),
        ({"coder": [{"$reply": "x", "$finish": "bored"}]}, r"\$finish"),
        ({"coder": [{"$reply": {"$reply": "x"}}]}, r"'\$reply' is not allowed here"),
    ],
)
def test_what_is_wrong_with_a_script_is_told_with_its_place(
    tmp_path: Path, document: Any, says: str
) -> None:
    with pytest.raises(ScriptError, match=says) as caught:
        ScriptedModel(script(tmp_path, document))
    assert "replies.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def nested(depth: int) -> str:
    return '{"coder": [' + '{"a":' * depth + "1" + "}" * depth + "]}"


@pytest.mark.parametrize("depth", [100, 400, 900, 990, 5_000])
def test_a_deep_script_is_read_or_refused(tmp_path: Path, depth: int) -> None:
    if depth == 100:
        ScriptedModel(script(tmp_path, nested(depth)))
        return
    with suppress(ScriptError):  # and nothing else; where the bound lies is Python's affair
        ScriptedModel(script(tmp_path, nested(depth)))


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("../secret.txt", "leaves the script's folder"),
        ("sub/../../secret.txt", "leaves the script's folder"),
        ("{folder}/secret.txt", "leaves the script's folder"),
        ("out", "leaves the script's folder"),
        ("outside/secret.txt", "leaves the script's folder"),
        ("absent.cpp", "cannot be read: No such file"),
        ("sub", "cannot be read: Is a directory"),
        ("pipe", "cannot be read: it is not a file"),
        ("loop", "cannot be read"),
        ("latin.txt", "not UTF-8 at byte 1"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_no_file_outside_of_the_scripts_folder_is_read(
    tmp_path: Path, path: str, says: str
) -> None:
    (tmp_path / "secret.txt").write_text("a secret")
    folder = tmp_path / "problem"
    (folder / "sub").mkdir(parents=True)
    (folder / "out").symlink_to(tmp_path / "secret.txt")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "latin.txt").write_bytes(b"a\xff")
    os.mkfifo(folder / "pipe")
    path = path.replace("{folder}", str(tmp_path))
    with pytest.raises(ScriptError, match=says):
        ScriptedModel(script(folder, {"coder": [{"code": {"$file": path}}]}))


async def test_a_link_to_the_scripts_folder_is_no_way_out(tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "fast.cpp").write_text("int main() {}")
    script(folder, {"coder": [{"$file": "fast.cpp"}]})
    (tmp_path / "link").symlink_to(folder)
    model = ScriptedModel(tmp_path / "link" / "replies.json")
    assert await texts(model, "coder", 1) == ["int main() {}"]


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    for file in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(ScriptError, match=r"cannot be read.*give a JSON file"):
            ScriptedModel(file)


async def test_what_utf_8_cannot_hold_is_replaced_in_every_reply(tmp_path: Path) -> None:
    model = ScriptedModel(script(tmp_path, {"coder": ["a \ud800 b", {"n": "\udfff"}]}))
    assert await texts(model, "coder", 2) == ["a ? b", '{"n": "?"}']
    reply = Reply(text="\ud800", model="\udcff")
    assert (reply.text, reply.model) == ("?", "?")
    assert Reply.model_validate_json(reply.model_dump_json()) == reply
