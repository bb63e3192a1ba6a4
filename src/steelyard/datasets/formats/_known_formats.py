"""A form of rows, and all known ones, the more special first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from steelyard.datasets.formats import _changes as changes
from steelyard.datasets.formats._columns import Columns, DataColumn, TaskFields, columns_of
from steelyard.datasets.formats._evalplus import read_evalplus
from steelyard.datasets.formats._fields import Fields
from steelyard.errors import DatasetError
from steelyard.judging import form_called

TestedOn = Literal["real rows", "rows built from the documented fields"]


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a data set's rows. A data set that is published in two forms has two."""

    name: str
    fields: str
    """Fields that every row has, and by which it is recognised, with spaces between."""
    columns: Columns
    """Empty if columns have the names of a task's fields."""
    form: str
    """The form of the tests; see `FORMS`."""
    license: str
    """As the data set's publisher states it; empty if rows have licences of their own."""
    url: str
    tested_on: TestedOn
    change: Callable[[Fields], Mapping[str, object]] | None = None
    """Returns columns to add to a row, or to replace: what no mapping expresses.

    Raises RowError for a row that cannot be judged.
    """
    read: Callable[[Fields], TaskFields] | None = None
    """Reads a whole row in place of the mapping, which then only shows where fields are from."""
    also: Callable[[Mapping[str, object]], bool] | None = None
    """Distinguishes the form from another one with the same fields."""

    def recognises(self, row: Mapping[str, object]) -> bool:
        """Return True if a row has this form."""
        known = all(name in row for name in self.fields.split())
        return known and (self.also is None or self.also(row))


_HUB, _GITHUB = "https://huggingface.co/datasets/", "https://github.com/"
_REAL: TestedOn = "real rows"
_DOCUMENTED: TestedOn = "rows built from the documented fields"


def _with_inputs_in_its_test(row: Mapping[str, object]) -> bool:
    """Return True for a table of EvalPlus, which has HumanEval's columns."""
    test = row.get("test")
    return isinstance(test, str) and "inputs = [" in test and "results = [" in test


def _begins_function(row: Mapping[str, object]) -> bool:
    """Return True for a row of halo-forge that is HumanEval's."""
    return f"def {row['entry_point']}(" in str(row["prompt"]) and "check(" in str(row["tests"])


_BIGOBENCH = columns_of(
    "id=id, title=problem_name, prompt=description, group=problem_id, "
    "tests=tests.public_tests:visible+tests.private_tests:private"
    "+tests.generated_tests:generated, "
    "time_limit=source_specific_limits.time_limit, "
    "memory_limit=source_specific_limits.memory_limit_bytes, "
    "solutions=solutions, difficulty=codeforces_specific_metadata.difficulty, "
    "tags=codeforces_specific_metadata.cf_tags, time_complexity=time_complexity, "
    "memory_complexity=memory_complexity, "
    "extra=data_source+human_accuracy_rate+time_curve_coefficient+space_curve_coefficient"
    "+inputs_example+dataclass_code+dataclass"
)
_TIER = columns_of(
    "id=id, prompt=prompt, tests=test_cases, solutions=solution, "
    "language=language, time_limit=timeout_seconds, difficulty=difficulty, "
    "tags=tags, group=category, "
    "extra=tier+api+verification_strategy+requires_admin"
)
_HUMANEVAL = columns_of(
    "id=task_id, title=entry_point, name=entry_point, prompt=prompt, tests=test, "
    "solutions=prompt+canonical_solution"
)

_MBPP = columns_of(
    "id=task_id, prompt=prompt, setup=test_imports+test_setup_code, "
    "tests=test_list:visible+challenge_test_list:challenge+test:plus, "
    "solutions=code, extra=source_file"
)

FORMATS: tuple[Format, ...] = (
    Format(
        "steelyard",
        "id prompt tests schema_version",
        {},
        "",
        "",
        "",
        _REAL,
        read=lambda row: dict(row.row),
    ),
    Format(
        "evalplus",
        "task_id prompt canonical_solution entry_point base_input plus_input",
        columns_of(
            "id=task_id, title=entry_point, name=entry_point, prompt=prompt, "
            "tests=base_input:base+plus_input:plus, solutions=prompt+canonical_solution, "
            "extra=contract"
        ),
        "evalplus",
        "Apache-2.0",
        f"{_GITHUB}evalplus/evalplus",
        _REAL,
        read=read_evalplus,
    ),
    Format(
        "evalplus",
        "task_id prompt entry_point canonical_solution test",
        _HUMANEVAL,
        "evalplus",
        "Apache-2.0",
        f"{_HUB}evalplus/humanevalplus",
        _DOCUMENTED,
        also=_with_inputs_in_its_test,
    ),
    Format(
        "humaneval",
        "task_id prompt entry_point canonical_solution test",
        _HUMANEVAL,
        "humaneval",
        "MIT",
        f"{_GITHUB}openai/human-eval",
        _REAL,
    ),
    Format(
        "evalplus",
        "task_id prompt code test_list test",
        _MBPP,
        "mbpp",
        "Apache-2.0",
        f"{_HUB}evalplus/mbppplus",
        _DOCUMENTED,
        changes.mbpp,
    ),
    Format(
        "mbpp",
        "task_id text code test_list",
        {**_MBPP, "prompt": (DataColumn("text"),)},
        "mbpp",
        "CC-BY-4.0",
        f"{_HUB}google-research-datasets/mbpp",
        _REAL,
        changes.mbpp,
    ),
    Format(
        "mbpp",
        "task_id prompt code test_list test_imports",
        _MBPP,
        "mbpp",
        "CC-BY-4.0",
        f"{_HUB}google-research-datasets/mbpp",
        _REAL,
        changes.mbpp,
    ),
    Format(
        "livecodebench",
        "question_id question_content public_test_cases metadata",
        columns_of(
            "id=question_id, title=question_title, prompt=question_content, "
            "tests=public_test_cases:visible+private_test_cases:private, "
            "name=metadata.func_name, starter_code=starter_code, difficulty=difficulty, "
            "tags=platform, group=contest_id, published=contest_date"
        ),
        "livecodebench",
        "CC",
        f"{_HUB}livecodebench/code_generation_lite",
        _REAL,
        changes.livecodebench,
    ),
    Format(
        "taco",
        "question input_output skill_types",
        columns_of(
            "id=id, prompt=question, tests=input_output, starter_code=starter_code, "
            "solutions=solutions, difficulty=difficulty, url=url, title=name, "
            "time_limit=time_limit, memory_limit=memory_limit, "
            "time_complexity=Expected Time Complexity, "
            "memory_complexity=Expected Auxiliary Space, tags=tags+skill_types, "
            "published=date, extra=source+raw_tags"
        ),
        "apps",
        "Apache-2.0",
        f"{_HUB}BAAI/TACO",
        _DOCUMENTED,
        changes.taco,
    ),
    Format(
        "apps",
        "problem_id question input_output",
        columns_of(
            "id=problem_id, prompt=question, tests=input_output, "
            "starter_code=starter_code, solutions=solutions, "
            "difficulty=difficulty+metadata.difficulty, url=url+metadata.url"
        ),
        "apps",
        "MIT",
        f"{_HUB}codeparrot/apps",
        _REAL,
    ),
    Format(
        "codecontests",
        "name description public_tests private_tests generated_tests",
        columns_of(
            "id=name, title=name, prompt=description, "
            "tests=public_tests:visible+private_tests:private+generated_tests:generated, "
            "time_limit=time_limit, memory_limit=memory_limit_bytes, "
            "solutions=solutions, wrong_solutions=incorrect_solutions, "
            "difficulty=difficulty, tags=cf_tags, group=cf_contest_id, "
            "extra=site+cf_index+cf_rating+cf_points"
        ),
        "codecontests",
        "CC-BY-4.0",
        f"{_HUB}deepmind/code_contests",
        _REAL,
        changes.codecontests,
    ),
    Format(
        "codecontests-o",
        "name description corner_cases checker generator",
        columns_of(
            "id=name, title=name, prompt=description, tests=corner_cases, "
            "checker=checker, time_limit=time_limit, memory_limit=memory_limit, "
            "extra=generator+commands+input_constraints_summary"
        ),
        "codecontests",
        "Apache-2.0",
        f"{_HUB}caijanfeng/CodeContests-O",
        _DOCUMENTED,
    ),
    Format(
        "codecontests-plus",
        "title description checker generator",
        columns_of(
            "id=id, title=title, prompt=description, tests=test_cases, checker=checker, "
            "time_limit=time_limit, memory_limit=memory_limit, "
            "solutions=correct_submissions, wrong_solutions=incorrect_submissions, "
            "extra=source+generator+generator_cmd+validator+true_positive_rate+true_negative_rate"
        ),
        "codecontests",
        "CC-BY-4.0",
        f"{_HUB}ByteDance-Seed/Code-Contests-Plus",
        _DOCUMENTED,
        changes.codecontests_plus,
    ),
    Format(
        "codeforces",
        "id title description official_tests examples",
        columns_of(
            "id=id, title=title, prompt=description+input_format+output_format+note, "
            "tests=examples:visible+official_tests:official, checker=generated_checker, "
            "time_limit=time_limit, memory_limit=memory_limit, difficulty=rating, "
            "tags=tags, group=contest_id, published=contest_start, "
            "extra=aliases+contest_name+contest_type+index+testset_size"
            "+official_tests_complete+generated_tests"
        ),
        "codeforces",
        "CC-BY-4.0",
        f"{_HUB}open-r1/codeforces",
        _DOCUMENTED,
        changes.codeforces,
    ),
    Format(
        "bigobench",
        "problem_id problem_name description tests",
        _BIGOBENCH,
        "codecontests",
        "CC-BY-NC-4.0",
        f"{_HUB}facebook/BigOBench",
        _REAL,
        changes.bigobench,
    ),
    Format(
        "bigobench",
        "page",
        _BIGOBENCH,
        "codecontests",
        "CC-BY-NC-4.0",
        "https://facebookresearch.github.io/BigOBench/demo.html",
        _DOCUMENTED,
        changes.page_columns,
    ),
    Format(
        "halo-forge",
        "id tier prompt test_cases",
        _TIER,
        "prints",
        "Apache-2.0",
        f"{_GITHUB}professor-moody/halo-forge",
        _REAL,
        changes.halo_forge_tier,
    ),
    Format(
        "halo-forge-windows",
        "id tier prompt test_cases",
        _TIER,
        "prints",
        "Apache-2.0",
        f"{_GITHUB}professor-moody/halo-forge",
        _REAL,
        changes.windows_tier,
    ),
    Format(
        "halo-forge",
        "task_id prompt tests entry_point",
        columns_of("id=task_id, prompt=prompt, tests=tests, name=entry_point"),
        "humaneval",
        "Apache-2.0",
        f"{_GITHUB}professor-moody/halo-forge",
        _REAL,
        also=_begins_function,
    ),
    Format(
        "halo-forge",
        "task_id prompt tests entry_point",
        columns_of("id=task_id, prompt=prompt, tests=tests"),
        "pytest",
        "Apache-2.0",
        f"{_GITHUB}professor-moody/halo-forge",
        _REAL,
    ),
    Format(
        "swiftsolve",
        "task_id prompt unit_tests",
        columns_of(
            "id=task_id, prompt=prompt, tests=unit_tests, "
            "time_limit=constraints.runtime_limit, "
            "memory_limit=constraints.memory_limit, input_bounds=input_bounds, "
            "input_generator=input_generator"
        ),
        "codeforces",
        "",
        f"{_GITHUB}jonasrohw/swiftsolve",
        _REAL,
    ),
    Format(
        "swiftsolve",
        "task_id description test_cases expected_complexity",
        columns_of(
            "id=task_id, title=title, prompt=description+input_format+output_format, "
            "tests=test_cases, time_limit=time_limit_ms, memory_limit=memory_limit_mb, "
            "time_complexity=expected_complexity, difficulty=difficulty, tags=tags, "
            "url=source_url, input_bounds=input_bounds, "
            "extra=expected_approach+source_rating"
        ),
        "codeforces",
        "",
        f"{_GITHUB}jonasrohw/swiftsolve",
        _REAL,
    ),
    Format(
        "leetcode-dataset",
        "task_id prompt completion entry_point test query",
        columns_of(
            "id=task_id, prompt=query, setup=prompt, name=entry_point, tests=test, "
            "solutions=completion, difficulty=difficulty+meta.difficulty, "
            "tags=tags, published=estimated_date, extra=question_id"
        ),
        "leetcode-dataset",
        "MIT",
        f"{_GITHUB}newfacade/LeetCodeDataset",
        _REAL,
    ),
    Format(
        "kodcode",
        "question_id question solution test_code",
        columns_of(
            "id=question_id, prompt=question, tests=test_code, solutions=solution, "
            "difficulty=gpt_difficulty, tags=subset+style"
        ),
        "kodcode",
        "CC-BY-NC-4.0",
        f"{_HUB}KodCode/KodCode-V1",
        _REAL,
        changes.kodcode,
    ),
    Format(
        "acecode",
        "id source question test_cases",
        columns_of("id=id, prompt=question, tests=test_cases, solutions=inferences, tags=source"),
        "acecode",
        "MIT",
        f"{_HUB}TIGER-Lab/AceCode-87K",
        _REAL,
        changes.acecode,
    ),
    Format(
        "bigcodebench",
        "task_id complete_prompt canonical_solution code_prompt test entry_point",
        columns_of(
            "id=task_id, title=entry_point, prompt=complete_prompt, setup=code_prompt, "
            "name=entry_point, tests=test, solutions=complete_prompt+canonical_solution, "
            "tags=libs, extra=instruct_prompt"
        ),
        "bigcodebench",
        "Apache-2.0",
        f"{_HUB}bigcode/bigcodebench",
        _REAL,
    ),
    Format(
        "cruxeval-o",
        "id code input output",
        columns_of("id=id, prompt=question, solutions=answer, tests=output"),
        "output-prediction",
        "MIT",
        f"{_GITHUB}facebookresearch/cruxeval",
        _REAL,
        changes.cruxeval_o,
    ),
    Format(
        "cruxeval-i",
        "id code input output",
        columns_of("id=id, prompt=question, solutions=answer, tests=output, setup=code, name=name"),
        "input-prediction",
        "MIT",
        f"{_GITHUB}facebookresearch/cruxeval",
        _REAL,
        changes.cruxeval_i,
    ),
    Format(
        "multipl-e",
        "name language prompt tests stop_tokens",
        columns_of("id=language+name, prompt=prompt, language=language, tests=tests"),
        "multipl-e",
        "MIT",
        f"{_HUB}nuprl/MultiPL-E",
        _REAL,
    ),
    Format(
        "open-r1",
        "prompt verification_info gold_standard_solution",
        columns_of(
            "id=problem_id, prompt=prompt, tests=verification_info.test_cases, "
            "solutions=gold_standard_solution, tags=source"
        ),
        "open-r1",
        "Apache-2.0",
        f"{_HUB}open-r1/verifiable-coding-problems-python",
        _DOCUMENTED,
        changes.open_r1,
    ),
    Format(
        "verl",
        "data_source prompt reward_model",
        columns_of(
            "id=data_source+extra_info.split+extra_info.index, prompt=prompt, "
            "tests=reward_model.ground_truth, tags=data_source"
        ),
        "apps",
        "",
        f"{_HUB}PRIME-RL/Eurus-2-RL-Data",
        _DOCUMENTED,
    ),
    Format(
        "nemo-gym",
        "responses_create_params verifier_metadata",
        columns_of(
            "id=hash_id, prompt=responses_create_params.input, "
            "tests=verifier_metadata.unit_tests, tags=dataset+source"
        ),
        "livecodebench",
        "Apache-2.0",
        f"{_GITHUB}NVIDIA-NeMo/Gym",
        _REAL,
    ),
    Format(
        "sandboxfusion",
        "id content labels test",
        columns_of(
            "id=id, title=labels.name, prompt=content, tests=test, "
            "solutions=canonical_solution, difficulty=labels.difficulty"
        ),
        "sandboxfusion",
        "Apache-2.0",
        f"{_GITHUB}bytedance/SandboxFusion",
        _REAL,
    ),
    Format(
        "deepcoder",
        "problem tests",
        columns_of(
            "prompt=problem, tests=tests, solutions=solutions, "
            "starter_code=starter_code, name=metadata.func_name"
        ),
        "deepcoder",
        "MIT",
        f"{_HUB}agentica-org/DeepCoder-Preview-Dataset",
        _REAL,
    ),
)


def formats_for(
    name: str | None = None, columns: str | Mapping[str, str] | None = None, form: str | None = None
) -> tuple[Format, ...]:
    """Return the formats that rows may have.

    Args:
        name: The name of a format; None allows all.
        columns: The columns that become each field, as `columns_of` reads them, in place of a known
            format.
        form: The form of the tests, in place of the format's; with `columns`, `stdio` if None.

    Raises:
        DatasetError: for an unknown format or field, or if two of these contradict each other.
        UsageError: for an unknown form.
    """
    if form is not None:
        form_called(form)
    if columns is not None:
        if name is not None:
            raise DatasetError(f"columns and the format {name} contradict each other; give one")
        return (Format("", "", columns_of(columns), form or "stdio", "", "", _REAL),)
    found = FORMATS if name is None else tuple(each for each in FORMATS if each.name == name)
    if not found:
        names = ", ".join(dict.fromkeys(each.name for each in FORMATS))
        raise DatasetError(f"unknown format {name!r}; use one of {names}")
    return tuple(each if each.read or not form else replace(each, form=form) for each in found)


def format_of(row: Mapping[str, Any], formats: tuple[Format, ...] = FORMATS) -> Format | None:
    """Return the format that a row has by its fields; None if no format recognises it."""
    return next((each for each in formats if each.recognises(row)), None)
