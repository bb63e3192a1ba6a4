"""The declaration of a job, from which every door is made.

1. A room declares a `Job`: what is asked (`JobRequest`), how (`Options`), what is answered
   (`Report`), the function that does it, and the view of the answer.
2. `steelyard.jobs` names the declaration as text.
3. From it come the library's function with its async twin, the command, `POST /v1/NAME` with its
   run, the tool for agents, the form, and the page of the run.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, create_model

from steelyard.options import Declared, Flag, Knob, Options, finished, in_thread, knobs_of
from steelyard.reports import Block
from steelyard.schemas import Limits, Report

Scope = Literal["judge", "author"]
"""What a caller of a service needs to be allowed; `author` asks models."""


class Needs(NamedTuple):
    """Demands of a request on a service, which bounds each of them."""

    sources: tuple[str | bytes, ...] = ()
    """Texts of programs."""
    tests: int = 0
    limits: Limits | None = None
    time_s: float = 0.0
    """The longest further time, in seconds."""


class JobRequest(Declared):
    """The subject of a job. Each job's own request adds fields."""

    group: ClassVar[str] = "Program"

    def subject(self, _options: Options) -> str:
        """Name the request in a few words, for lists of runs."""
        return type(self).__name__.removesuffix("Request").lower()

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service.

        Raises:
            UsageError: if the request cannot be obeyed.
        """
        sources: list[str | bytes] = []
        for model in (self, options):
            for name, knob in knobs_of(type(model)).items():
                value = getattr(model, name)
                if knob.flag.is_source and value is not None:
                    several = value.values() if isinstance(value, Mapping) else value
                    sources += [value] if isinstance(value, str | bytes) else several
        return Needs(sources=tuple(sources), limits=options.limits)


Q = TypeVar("Q", bound=JobRequest)
O = TypeVar("O", bound=Options)  # noqa: E741  (options)
R = TypeVar("R", bound=Report)


@dataclass(frozen=True)
class FormField:
    """One control of a form."""

    name: str
    label: str
    kind: Literal["code", "prose", "line", "number", "choice", "language"]
    value: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    is_required: bool = True


@dataclass(frozen=True)
class JobForm:
    """A job's form: what a person fills in before a run begins."""

    title: str
    text: str
    button: str
    fields: tuple[FormField, ...]
    read: Callable[[Mapping[str, str]], Mapping[str, Any]] = dict
    """Returns the fields of the body from the texts that are not empty."""


@dataclass(frozen=True)
class Job(Generic[Q, O, R]):
    """The declaration of a job."""

    name: str
    request: type[Q]
    options: type[O]
    report: type[R]
    run: Callable[[Q, O, Path | None], R | Awaitable[R]]
    """Does the job; its docstring is the job's help. The folder is for what it keeps, and holds
    what an earlier try has left; None for the usual one."""
    view: Callable[[R], Iterable[Block]]
    outcome: Callable[[R], str]
    """Names the result in a few words, such as `passes all 33 tests`."""
    scope: Scope = "judge"
    quick: bool = False
    """It takes milliseconds: many are done at once, each in its turn."""
    example: Mapping[str, Any] = field(default_factory=dict)
    """A request as JSON."""
    advice: str = ""
    """For agents: when to use the job, and what to do with the answer."""
    tool: tuple[str, ...] = ()
    """The fields that a tool for agents has; empty for all."""
    own_form: JobForm | None = None
    """The form, if it is another one than the fields of the request."""
    document: str = ""
    """The field of the request that a JSON body is; the options are then in the query. Empty: a
    body holds the fields of the request and of the options."""

    @property
    def help(self) -> str:
        """The job's help: a summary, and after an empty line the rest."""
        return inspect.getdoc(self.run) or self.name

    @property
    def summary(self) -> str:
        """The first line of the help."""
        return self.help.partition("\n")[0]

    @cached_property
    def body(self) -> type[BaseModel]:
        """The model of the request and the options together, as JSON."""
        example = {"json_schema_extra": {"examples": [dict(self.example)]}} if self.example else {}
        return create_model(
            f"{self.name.capitalize()}Request",
            __doc__=self.summary,
            __config__=ConfigDict(frozen=True, extra="forbid", **example),  # type: ignore[typeddict-item]
            **dict(self._fields((self.request, self.options))),
        )

    @cached_property
    def query(self) -> type[BaseModel]:
        """The model of the options alone, without objects, which no query can hold."""
        fields = {name: each for name, each in self._fields((self.options,)) if _is_flat(each[0])}
        return create_model(
            f"{self.name.capitalize()}Query",
            __config__=ConfigDict(frozen=True, extra="forbid"),
            **fields,
        )

    @property
    def form(self) -> JobForm | None:
        """The form; None if the request has fields that no control can hold."""
        fields = tuple(
            FormField(knob.name, knob.text, "code" if knob.flag.is_source else "line")
            for knob in knobs_of(self.request).values()
            if knob.takes is str
        )
        if self.own_form is not None or len(fields) < len(self.request.model_fields):
            return self.own_form
        title = self.summary.removesuffix(".")
        return JobForm(title, "", "Start", fields)

    def read(self, body: Mapping[str, Any]) -> tuple[Q, dict[str, Any]]:
        """Return the request, and the fields of the options, of a body's fields."""
        given = {name: self._in_memory(name, value) for name, value in body.items()}
        own = {name: given.pop(name) for name in self.request.model_fields if name in given}
        return self.request.of(**own), given

    def finished(self, request: Q, options: O) -> R:
        """Do the job to its end, and return its report."""
        done: Any = self.run(request, options, None)
        report: R = finished(done) if inspect.iscoroutine(done) else done
        return report

    @cached_property
    def function(self) -> Callable[..., R]:
        """The library's function; its keywords are the fields of the request and the options."""

        def call(*args: Any, **keywords: Any) -> Any:
            given = signature.bind(*args, **keywords).arguments
            request, options = self.request.among(given), self.options.among(given)
            return self.finished(request, options)

        signature = inspect.Signature(list(self._parameters()), return_annotation=self.report)
        call.__signature__ = signature  # type: ignore[attr-defined]
        call.__name__ = call.__qualname__ = self.name
        call.__doc__ = self.help
        return call

    @cached_property
    def twin(self) -> Callable[..., Awaitable[R]]:
        """The function's async twin."""
        return in_thread(self.function, f"a{self.name}")

    def _in_memory(self, name: str, value: Any) -> Any:
        """Return a value of JSON; the text of a program as bytes, which name no file."""
        model = self.request if name in self.request.model_fields else self.options
        knob = knobs_of(model).get(name)
        if knob is None or not knob.flag.is_source:
            return value
        if isinstance(value, Mapping):
            return {key: _bytes(each) for key, each in value.items()}
        return [_bytes(each) for each in value] if isinstance(value, list) else _bytes(value)

    def _parameters(self) -> Iterator[inspect.Parameter]:
        kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
        for model in (self.request, self.options):
            for name, info in model.model_fields.items():
                default = None if info.default_factory else info.default
                if info.is_required():
                    default = inspect.Parameter.empty
                yield inspect.Parameter(name, kind, default=default, annotation=info.annotation)
                kind = inspect.Parameter.KEYWORD_ONLY

    def _fields(self, models: Iterable[type[Declared]]) -> Iterator[tuple[str, Any]]:
        for model in models:
            for knob in knobs_of(model).values():
                if not knob.flag.local:
                    yield knob.name, _field_of(knob)


def _field_of(knob: Knob) -> Any:
    """Return the type and the default of a field in JSON."""
    info = knob.model.model_fields[knob.name]
    bounds = [each for each in info.metadata if not isinstance(each, Flag)]
    taken, default, null = knob.takes, knob.default, knob.null_text
    if info.default_factory is not None:  # whoever serves decides
        taken, default = taken | None, None
        null = "the service's own"
    kind: Any = Annotated[(taken, *bounds)] if bounds else taken
    text = f"{knob.text} null: {null}." if null else knob.text
    return kind, Field(default=default, description=text)


def _is_flat(kind: Any) -> bool:
    parts = get_args(kind) or (kind,)
    return not any(isinstance(each, type) and issubclass(each, BaseModel) for each in parts)


def _bytes(text: Any) -> Any:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
