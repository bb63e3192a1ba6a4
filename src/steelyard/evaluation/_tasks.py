"""Make a task ready: its suite, its digest, and the jobs of its programs."""

import hashlib
from dataclasses import dataclass

from steelyard import __version__
from steelyard.errors import SteelyardError
from steelyard.evaluation._job_data import JudgeData, SuiteData
from steelyard.evaluation._options import EvaluateOptions
from steelyard.judging import loaded, task_limits
from steelyard.schemas import (
    EngineJob,
    EvaluatedSample,
    EvaluatedTask,
    Limits,
    Task,
    TestSuite,
    canonical_json,
    sha256_of,
)

_UNUSED: dict[str, object] = {
    "solutions": (),
    "extra": {},
    "prompt": "",
    "starter_code": "",
    "input_generator": None,
}
"""Fields that judging does not read: they are not sent to nodes."""
_STATEMENT_CHARS = 20_000
_MOST_MS = 86_000_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task that is ready to be judged."""

    task: Task
    line: EvaluatedTask
    digest: str
    """SHA-256 of the blob that nodes receive."""
    blob: bytes
    suite: TestSuite
    """Its tests as they are run, which `task` itself does not hold."""
    data: JudgeData
    """The data of its jobs, without a program."""

    def key(self, program: str, language: str | None, *, origin: str = "") -> str:
        """Return the SHA-256 of everything that shapes a program's verdict.

        Args:
            program: Its text.
            language: Its language.
            origin: For a program that is not written yet, what it will be written by.
        """
        shaping = self.data.model_dump(mode="json", exclude={"program", "language"})
        return sha256_of(
            canonical_json(
                {
                    **shaping,
                    "suite": self.line.suite,
                    "program": hashlib.sha256(
                        program.encode("utf-8", "surrogateescape")
                    ).hexdigest(),
                    "language": language,
                    "origin": origin,
                    "judge": __version__,
                }
            )
        )

    def judge_job(self, stub: EvaluatedSample, program: str) -> EngineJob:
        """Return the job that judges a program."""
        data = self.data.model_copy(
            update={"program": program, "language": stub.language or None}
        ).model_dump(mode="json")
        return EngineJob(key=stub.key, kind="judge", data=data, blobs=(self.digest,))


def own_seed(stub: EvaluatedSample) -> int:
    """Return the seed of one sample: with one seed for all, all samples would be alike."""
    return (stub.seed * 65_537 + stub.sample) % (1 << 31)


def prepare(task: Task, options: EvaluateOptions) -> Prepared | EvaluatedTask:
    """Return a task ready to be judged, or its line with the reason why it is left out."""
    lean = task.model_copy(update=_UNUSED)
    blob = lean.model_dump_json().encode()
    digest = hashlib.sha256(blob).hexdigest()
    limits = task_limits(task, options.limits)
    given = options.limits or Limits()  # which sets `wall_ms` by itself
    sets_time = "cpu_ms" in given.model_fields_set or given.wall_ms != Limits().wall_ms
    line = EvaluatedTask(
        task=task.id,
        digest=sha256_of(task.model_dump_json()),
        statement=task.prompt[:_STATEMENT_CHARS],
        suite="0" * 64,
        cases=0,
        group=task.group,
        difficulty=task.difficulty,
        time_complexity=task.time_complexity,
        published=task.published,
        time_limit_ms=limits.cpu_ms,
        memory_limit_mib=limits.memory_mib,
        limits_stated=task.time_limit_ms is not None or sets_time,
    )
    try:
        suite = loaded(task).suite
    except SteelyardError as error:
        return line.model_copy(update={"fault": str(error)})
    if not suite.cases:
        return line.model_copy(update={"fault": "it has no tests"})
    if options.origin == "solve" and task.entry != "stdio":
        fault = f"it calls {task.entry}, and solve writes programs that read standard input"
        return line.model_copy(update={"fault": f"{fault}; evaluate it with a model"})
    slack_ms = round(limits.cpu_ms * options.slack)
    data = JudgeData(
        task=digest,
        program="",
        limits=limits if options.slack == 1 else limits.replace(cpu_ms=min(slack_ms, _MOST_MS)),
        fail_fast=not options.all_cases,
        repeats=options.repeats,
    )
    return Prepared(
        task=task.model_copy(update={"tests": ()}),
        line=line.model_copy(update={"suite": suite.digest, "cases": len(suite)}),
        digest=digest,
        blob=blob,
        suite=suite,
        data=data,
    )


def suite_job(prepared: Prepared, options: EvaluateOptions) -> EngineJob | str:
    """Return the job that measures a task's tests, or the reason why they cannot be measured."""
    task = prepared.task
    if task.checker is not None:
        return "a checker program decides its answers"
    reference = next(
        (each for each in task.solutions if each.label == "right" and each.language == "python"),
        None,
    )
    if reference is None:
        return "no right solution in Python is there to mutate"
    data = SuiteData(
        task=prepared.digest,
        reference=reference.source,
        mutants=options.mutants,
        limits=prepared.data.limits,
    ).model_dump(mode="json")
    key = sha256_of(canonical_json({**data, "judge": __version__}))
    return EngineJob(key=key, kind="suite", data=data, blobs=(prepared.digest,))
