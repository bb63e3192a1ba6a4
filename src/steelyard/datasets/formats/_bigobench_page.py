"""A page of BigO(Bench)'s sample explorer, as a browser saves it: one problem with one solution.

The page shows fields of the data set's test sets, and of the tests only the statement's examples.
"""

import re
from collections.abc import Mapping
from typing import Any

from steelyard.datasets.formats._changes import bigobench
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._html import parsed_html
from steelyard.datasets.rows import RowError

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
