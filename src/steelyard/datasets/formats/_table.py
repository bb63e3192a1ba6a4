"""All formats, the more special first."""

from collections.abc import Mapping

from steelyard.datasets.formats._apps import read_apps, read_taco
from steelyard.datasets.formats._bigobench import read_bigobench
from steelyard.datasets.formats._bigobench_page import read_bigobench_page
from steelyard.datasets.formats._codecontests import (
    read_codecontests,
    read_codecontests_o,
    read_codecontests_plus,
)
from steelyard.datasets.formats._codeforces import read_codeforces
from steelyard.datasets.formats._evalplus import read_evalplus
from steelyard.datasets.formats._format import Format, TestedOn
from steelyard.datasets.formats._halo_forge import read_halo_forge, read_halo_forge_tier
from steelyard.datasets.formats._humaneval import read_humaneval
from steelyard.datasets.formats._livecodebench import read_livecodebench
from steelyard.datasets.formats._mbpp import read_mbpp
from steelyard.datasets.formats._swiftsolve import read_swiftsolve, read_swiftsolve_file
from steelyard.errors import DatasetError

__all__ = ["FORMATS", "format_of", "format_with"]

_HUB = "https://huggingface.co/datasets/"
_REAL: TestedOn = "real rows"
_DOCUMENTED: TestedOn = "rows built from the documented fields"


def _with_inputs_in_its_test(row: Mapping[str, object]) -> bool:
    """Return True for a table of EvalPlus, which has HumanEval's columns."""
    test = row.get("test")
    return isinstance(test, str) and "inputs = [" in test and "results = [" in test


FORMATS: tuple[Format, ...] = (
    Format("steelyard", "id prompt tests schema_version", lambda row: dict(row.row), "", "", _REAL),
    Format(
        "evalplus", "task_id prompt canonical_solution entry_point base_input plus_input",
        read_evalplus, "Apache-2.0", "https://github.com/evalplus/evalplus", _DOCUMENTED,
    ),
    Format(
        "evalplus", "task_id prompt entry_point canonical_solution test", read_humaneval,
        "Apache-2.0", f"{_HUB}evalplus/humanevalplus", _DOCUMENTED, _with_inputs_in_its_test,
    ),
    Format(
        "humaneval", "task_id prompt entry_point canonical_solution test", read_humaneval,
        "MIT", "https://github.com/openai/human-eval", _REAL,
    ),
    Format(
        "evalplus", "task_id prompt code test_list test", read_mbpp,
        "Apache-2.0", f"{_HUB}evalplus/mbppplus", _DOCUMENTED,
    ),
    Format(
        "mbpp", "task_id text code test_list", read_mbpp,
        "CC-BY-4.0", f"{_HUB}google-research-datasets/mbpp", _DOCUMENTED,
    ),
    Format(
        "mbpp", "task_id prompt code test_list test_imports", read_mbpp,
        "CC-BY-4.0", f"{_HUB}google-research-datasets/mbpp", _DOCUMENTED,
    ),
    Format(
        "livecodebench",
        "question_id question_content public_test_cases private_test_cases metadata",
        read_livecodebench, "CC", f"{_HUB}livecodebench/code_generation_lite", _DOCUMENTED,
    ),
    Format(
        "taco", "question input_output skill_types", read_taco,
        "Apache-2.0", f"{_HUB}BAAI/TACO", _DOCUMENTED,
    ),
    Format(
        "apps", "problem_id question input_output", read_apps,
        "MIT", f"{_HUB}codeparrot/apps", _DOCUMENTED,
    ),
    Format(
        "codecontests", "name description public_tests private_tests generated_tests",
        read_codecontests, "CC-BY-4.0", f"{_HUB}deepmind/code_contests", _DOCUMENTED,
    ),
    Format(
        "codecontests-o", "name description corner_cases checker generator", read_codecontests_o,
        "Apache-2.0", f"{_HUB}caijanfeng/CodeContests-O", _DOCUMENTED,
    ),
    Format(
        "codecontests-plus", "title description checker generator", read_codecontests_plus,
        "CC-BY-4.0", f"{_HUB}ByteDance-Seed/Code-Contests-Plus", _DOCUMENTED,
    ),
    Format(
        "codeforces", "id title description official_tests examples", read_codeforces,
        "CC-BY-4.0", f"{_HUB}open-r1/codeforces", _DOCUMENTED,
    ),
    Format(
        "bigobench", "problem_id problem_name description tests", read_bigobench,
        "CC-BY-NC-4.0", f"{_HUB}facebook/BigOBench", _DOCUMENTED,
    ),
    Format(
        "bigobench", "page", read_bigobench_page,
        "CC-BY-NC-4.0", "https://facebookresearch.github.io/BigOBench/demo.html", _DOCUMENTED,
    ),
    Format(
        "halo-forge", "id tier prompt test_cases", read_halo_forge_tier,
        "Apache-2.0", "https://github.com/professor-moody/halo-forge", _DOCUMENTED,
    ),
    Format(
        "halo-forge", "task_id prompt tests entry_point", read_halo_forge,
        "Apache-2.0", "https://github.com/professor-moody/halo-forge", _DOCUMENTED,
    ),
    Format(
        "swiftsolve", "task_id prompt unit_tests", read_swiftsolve, "", "", _DOCUMENTED,
    ),
    Format(
        "swiftsolve", "task_id description test_cases expected_complexity", read_swiftsolve_file,
        "", "", _DOCUMENTED,
    ),
)  # fmt: skip


def format_with(name: str) -> tuple[Format, ...]:
    """Return the forms of the format with this name.

    Raises:
        DatasetError: if there is none.
    """
    found = tuple(each for each in FORMATS if each.name == name)
    if not found:
        names = ", ".join(dict.fromkeys(each.name for each in FORMATS))
        raise DatasetError(f"unknown format {name!r}; use one of {names}")
    return found


def format_of(row: Mapping[str, object], forms: tuple[Format, ...] = FORMATS) -> Format | None:
    """Return the format that a row has by its fields; None if no format recognises it."""
    return next((each for each in forms if each.recognises(row)), None)
