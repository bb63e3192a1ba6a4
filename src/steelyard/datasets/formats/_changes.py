"""Columns to add to the rows of a data set, or to a saved page: what no mapping expresses."""

import ast
import base64
import binascii
import pickletools
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.datasets.formats._fields import Fields, one_line, parsed_html, statement_of
from steelyard.datasets.rows import (
    MAX_RATIO,
    MAX_ROW_BYTES,
    RATIO_FLOOR_BYTES,
    RowError,
    decode_json,
)
from steelyard.judging import pairs_of
from steelyard.schemas import sha256_of

Added = Mapping[str, object]
_SITES = ("", "codechef", "codeforces", "hackerearth", "codejam", "atcoder", "aizu")
_DIFFICULTIES = (
    *("", "easy", "medium", "hard", "harder", "hardest", "external"),
    *"ABCDEFGHIJKLMNOPQRSTUV",
)
"""From 7 on they are the letters of Codeforces."""
_WINDOWS = re.compile(r"#\s*include\s*<(?:windows|winsock2?|winternl)\.h>", re.IGNORECASE)
_CHECKER = '''\
"""Run a checker of the form `checker.py input answer output`, which prints a score up to 1."""
import contextlib, io, sys
given, output, answer = sys.argv[1:4]
sys.argv = ["checker.py", given, answer, output]
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    try:
        exec(compile({source!r}, "checker.py", "exec"), {{"__name__": "__main__"}})
    except SystemExit:
        pass
sys.exit(0 if float(printed.getvalue().split()[-1]) >= 1 else 1)
'''


def mbpp(row: Fields) -> Added:
    """The paper's prompt shows the tests, which alone name the function. So does this one."""
    name = "text" if "text" in row.row else "prompt"
    listed = "\n".join(row.texts("test_list"))
    asked = f"{row.text(name)}\nYour code should pass these tests:\n\n{listed}\n"
    return {name: asked, "test": _asserting(row.text_if_any("test"))}


def _asserting(test: str) -> str:
    """Return a test of EvalPlus's table whose function `assertion` asserts what it compared.

    That of Mbpp/737, 787 and 794 ends with `exact_match = ...`, and would accept any program.
    """
    functions, inputs, rest = test.partition("\ninputs = ")
    if "exact_match = " not in functions or re.search(r"\bassert\b", functions):
        return test
    return f"{functions.rstrip()}\n    assert exact_match\n{inputs}{rest}"


def livecodebench(row: Fields) -> Added:
    """Private tests may be packed, and each test names its type."""
    is_call = bool(row.in_json("metadata").within("metadata").row.get("func_name"))
    added = {}
    for name in ("public_test_cases", "private_test_cases"):
        value = row.row.get(name)
        try:
            if isinstance(value, str) and value.strip() and not value.lstrip().startswith("["):
                value = decode_json(unpack_text(value))
            cases = Fields({name: value}).in_json(name).objects(name)
        except RowError as error:
            raise RowError(f'"{name}": {error}') from error
        if {each.text("testtype") for each in cases} - {"functional" if is_call else "stdin"}:
            raise RowError(f'"testtype" in "{name}" contradicts "func_name" in "metadata"')
        added[name] = [each.row for each in cases]
    return added


def taco(row: Fields) -> Added:
    """A row of TACO has no id: a digest of the question is used. Not every date is one."""
    day = row.text_if_any("date")[:10]
    return {
        "id": row.row.get("id") or f"taco-{sha256_of(row.text('question'))[:16]}",
        "date": day if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day) else None,
    }


def codecontests(row: Fields) -> Added:
    """DeepMind's protocol buffer writes names as numbers."""
    for name in ("input_file", "output_file"):
        if row.text_if_any(name):
            raise RowError(f'programs use "{name}" and not standard input and output; leave it out')
    contest = row.number("cf_contest_id")
    return {
        "difficulty": _named(row.number("difficulty"), _DIFFICULTIES),
        "site": _named(row.number("source"), _SITES),
        "cf_contest_id": f"codeforces-{contest:.0f}" if contest else "",
    }


def _named(number: float | None, names: Sequence[str]) -> str:
    index = int(number or 0)
    return names[index] if 0 <= index < len(names) else str(index)


def codecontests_plus(row: Fields) -> Added:
    """Not every row has an id."""
    return {"id": row.row.get("id") or row.row.get("title")}


def codeforces(row: Fields) -> Added:
    """A generated checker prints a score; official tests repeat the examples."""
    if row.text_if_any("interaction_format"):
        raise RowError("the task is interactive: its programs talk to a judge; leave it out")
    mode = row.text_if_any("input_mode")
    if mode not in ("", "stdio"):
        raise RowError(f'"input_mode" is {one_line(mode)!r}; only stdio is supported')
    examples, official = (
        [{"input": given, "output": expected} for given, expected in pairs_of(row.row.get(name))]
        for name in ("examples", "official_tests")
    )
    source = row.text_if_any("generated_checker")
    checker = {"source": _CHECKER.format(source=source), "language": "python"} if source else None
    return {
        "official_tests": [each for each in official if each not in examples],
        "generated_checker": checker,
    }


def bigobench(row: Fields) -> Added:
    """Return the columns of a problem, or of a solution in a test set, whose class is asked for.

    A problem has several solutions in a test set: the id of the solution is part of the task's.
    """
    described, name = row, "description"
    if isinstance(row.row.get(name), dict):
        described, name = row.within(name), "text"
    programs = [each.text("solution_code") for each in row.objects("correct_solution_list")]
    programs += filter(None, [row.text_if_any("solution_code")])
    time, memory = (  # the labels are written o(n)
        re.sub(r"^o\(", "O(", row.line(f"{kind}_complexity_inferred")) for kind in ("time", "space")
    )
    classes = {"time_complexity": time, "memory_complexity": memory}
    problem, solution = row.identifier("problem_id"), row.line("solution_id")
    return {
        **classes,
        "id": f"{problem}/{solution}" if solution else problem,
        "description": statement_of(described.text(name)),
        "solutions": [{"code": code, "language": "python", **classes} for code in programs],
    }


def halo_forge_tier(row: Fields) -> Added:
    """Return the columns of a tier, whose programs are C++ and print some text."""
    solution = row.text_if_any("solution")
    if _WINDOWS.search(solution):
        raise RowError(
            "its programs need Windows, and cannot run here; to judge only if they compile, as "
            "MinGW does, use the format halo-forge-windows"
        )
    return windows_tier(row)


def windows_tier(row: Fields) -> Added:
    """Return the columns of a tier, also if its programs can only be compiled."""
    tests = []
    for case in row.objects("test_cases"):
        if case.text("type") != "output_contains":
            kind = one_line(case.text("type"))
            raise RowError(f'a case of type "{kind}" is not supported; only output_contains is')
        tests.append({"input": "", "output": case.text("value")})
    return {"test_cases": tests, "language": "cpp"}


def kodcode(row: Fields) -> Added:
    """A second solution is by a model, which may be wrong."""
    label = "right" if row.line("r1_correctness") == "True" else "wrong"
    second = {"code": row.text_if_any("r1_solution"), "label": label}
    return {"solution": [{"code": row.text("solution")}, second]}


def acecode(row: Fields) -> Added:
    """Programs of models come with the share of tests that they pass."""
    return {
        "inferences": [
            {
                "code": each.text("completion"),
                "label": "right" if each.row.get("pass_rate") == 1 else "wrong",
            }
            for each in row.objects("inferences")
        ]
    }


def cruxeval_o(row: Fields) -> Added:
    """Return the columns of the question which value a call returns."""
    call, answer = f"f({row.text_if_any('input')})", row.text("output")
    asked = f"{row.text('code')}\n\nassert {call} == ??"
    return {
        "question": f"{asked}\n\nWrite the Python literal that makes the assertion true.\n",
        "answer": f"def answer():\n    return (\n{answer}\n)\n",
    }


def cruxeval_i(row: Fields) -> Added:
    """Return the columns of the question for which arguments a call returns a value."""
    asked = f"{row.text('code')}\n\nassert f(??) == {row.text('output')}"
    given = f"(lambda *args, **named: (args, named))(\n{row.text_if_any('input')}\n)"
    return {
        "question": f"{asked}\n\nWrite a call of f that makes the assertion true.\n",
        "answer": f"def answer():\n    return {given}\n",
        "name": "f",
    }


def open_r1(row: Fields) -> Added:
    """Tests are in a mapping, which may be written as Python does. It is read, never evaluated."""
    name = "verification_info"
    value = row.row.get(name)
    if not isinstance(value, str):
        return {}
    try:
        return {name: decode_json(value)}
    except RowError as error:
        try:
            return {name: ast.literal_eval(value)}
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            raise RowError(f'"{name}": {error}') from error


_TEXT = frozenset({"BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "UNICODE"})
_FRAMING = frozenset({"PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"})
"""What a pickle of one text consists of, apart from the text. None of it is executed."""


def unpack_text(packed: str) -> str:
    """Return the text in base64 over zlib over a pickle, without unpickling anything.

    LiveCodeBench packs its private tests so.

    Raises:
        RowError: if it is anything but one text, is damaged, or expands too much.
    """
    try:
        data = _inflated(base64.b64decode(packed, validate=True))
    except (binascii.Error, ValueError) as error:
        raise RowError(f"packed tests are not base64 ({error}); get the row again") from error
    except zlib.error as error:
        raise RowError(f"packed tests are damaged ({error}); get the row again") from error
    return _pickled_text(data)


def _inflated(packed: bytes) -> bytes:
    limit = min(MAX_ROW_BYTES, max(RATIO_FLOOR_BYTES, MAX_RATIO * len(packed)))
    inflater = zlib.decompressobj()
    data = inflater.decompress(packed, limit)
    if inflater.unconsumed_tail:
        raise RowError(
            f"packed tests expand to over {limit >> 20} MiB, as a decompression bomb does"
        )
    if not inflater.eof:
        raise RowError("packed tests end too early; get the row again")
    return data


def _pickled_text(data: bytes) -> str:
    text: str | None = None
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name in _TEXT and text is None:
                text = str(argument)
            elif opcode.name not in _FRAMING:
                raise RowError(
                    f"packed tests are a pickle with {opcode.name}, which may run code; "
                    "only a pickled text is read"
                )
    except RowError:
        raise
    except (ValueError, OverflowError) as error:
        raise RowError(f"packed tests are not a pickle ({error}); get the row again") from error
    if text is None:
        raise RowError("packed tests are a pickle without text; get the row again")
    return text


_KIND = re.compile(r"\b(time|space) complexity\b")
_EXAMPLES = re.compile(r"^Examples?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^(Input|Output|Note|Explanation)\s*$", re.MULTILINE)


def page_columns(row: Fields) -> Mapping[str, object]:
    """Return the columns of a saved page. Its id is the problem's name with the class."""
    tree = parsed_html(row.text("page"), "its only field is a page of HTML")
    name = _shown(tree, "problemName").removeprefix("Problem:").strip()
    statement = _shown(tree, "problemDescription")
    solution = _shown(tree, "humanSolution")
    if not (name and statement and solution):
        raise RowError(
            "not a page of BigO(Bench)'s explorer that shows a problem; open it, wait for the "
            "problem, and save it (pages of Codeforces: steelyard datasets fetch codeforces "
            "--pages)"
        )
    found = _KIND.search(_shown(tree, "explanationQuery"))
    stated = _shown(tree, "complexity").rpartition(":")[2].strip()
    kind = f"{found[1]}_complexity_inferred" if found else ""
    shown = {
        "problem_id": name,
        "problem_name": name,
        "solution_id": f"{found[1]} {stated}" if found else stated,
        "description": statement,
        "solution_code": solution,
        "tests": {"public_tests": _examples(statement)},
        **({kind: stated} if kind else {}),
    }
    added = bigobench(Fields(shown))
    return {**shown, **added, "id": " ".join(str(added["id"]).split())}


def _shown(tree: Any, element: str) -> str:
    node = tree.css_first(f"#{element}")
    return str(node.text()).strip() if node is not None else ""


def _examples(statement: str) -> list[dict[str, str]]:
    """Return the examples below the last heading `Examples`: inputs and outputs in turn.

    Raises:
        RowError: if they have another form.
    """
    _, *parts = _HEADING.split(_EXAMPLES.split(statement)[-1])
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    shown = [(heading, text) for heading, text in pairs if heading in ("Input", "Output")]
    headings = [heading for heading, _ in shown]
    if not shown or headings != ["Input", "Output"] * (len(shown) // 2):
        raise RowError("the page shows no examples of inputs and outputs; import the JSON instead")
    texts = [f"{text.strip(chr(10))}\n" for _, text in shown]
    return [
        {"input": given, "output": expected}
        for given, expected in zip(texts[::2], texts[1::2], strict=True)
    ]
