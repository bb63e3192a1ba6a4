"""Every error that Steelyard raises.

    SteelyardError
    ├── UsageError                  the call was wrong; exit status 2
    │   ├── SettingsError           an environment variable or the configuration file
    │   │   └── CacheKeyError       a key of the cache of replies: malformed, wrong or missing
    │   ├── TestsError              a tests file, folder or mapping cannot be read
    │   ├── DatasetError            a data set cannot be read or written, or its name is unknown
    │   ├── GeneratorError          a generator of inputs gives no usable input
    │   ├── SpecificationError      a specification has a fault, such as an unreadable constraint
    │   ├── LanguageError           a language or compiler is unknown or not installed
    │   ├── CommandError            a command is invalid for every cell
    │   ├── SubjectError            a project, module, function or candidate file is missing
    │   ├── ScriptError             a file of scripted replies cannot be read, or has run out
    │   ├── RecordingError          a recording lacks the reply to a request
    │   └── ModelNameError          a model's name is invalid, or its provider is not installed
    ├── ReplyError                  no reply of a language model had a valid value
    ├── BudgetError                 the money or the tokens of a run are spent
    ├── TrainingError               nothing is left to learn from, or learning went wrong
    └── InfrastructureError         the machine failed, not the candidate; exit status 3
        ├── ArtefactError           an artefact of a run cannot be written
        ├── CacheError              the cache of replies is damaged, or cannot be read or written
        ├── CellError               a cell could not start, or was lost
        ├── DatabaseError           the database is damaged, locked, full, or cannot be reached
        ├── ForkServerError         a fork server did not start
        ├── PlatformError           the operating system is not Linux
        ├── IsolationError          the isolation that `sandbox.require`, or a job, needs is missing
        ├── ToolchainError          a toolchain itself failed (not its source)
        ├── CheckerError            a checker program itself failed (not the output)
        └── ModelError              a language model gave no reply
            ├── ModelTransportError     the provider could not be reached, or failed every time
            └── ModelRefusedError       the provider refuses the request itself

`SteelyardWarning` is the only warning: a run does without something.

What a candidate did wrong is data (a `Verdict`) and never an exception. Each message is one
line that ends with what to do next.
"""

from typing import ClassVar

from steelyard._homes import publish

__all__ = [
    "ArtefactError",
    "BudgetError",
    "CacheError",
    "CacheKeyError",
    "CellError",
    "CheckerError",
    "CommandError",
    "DatabaseError",
    "DatasetError",
    "ForkServerError",
    "GeneratorError",
    "InfrastructureError",
    "IsolationError",
    "LanguageError",
    "ModelError",
    "ModelNameError",
    "ModelRefusedError",
    "ModelTransportError",
    "PlatformError",
    "RecordingError",
    "ReplyError",
    "ScriptError",
    "SettingsError",
    "SpecificationError",
    "SteelyardError",
    "SteelyardWarning",
    "SubjectError",
    "TestsError",
    "ToolchainError",
    "TrainingError",
    "UsageError",
]


class SteelyardError(Exception):
    """The base of all errors that Steelyard raises on purpose."""

    exit_status: ClassVar[int] = 3


class SteelyardWarning(UserWarning):
    """A run does without something that is missing, such as a cache folder."""


class UsageError(SteelyardError):
    """The call was wrong: an argument, a file or a value that the caller can fix."""

    exit_status = 2


class SettingsError(UsageError):
    """An environment variable or the configuration file has an invalid value."""


class CacheKeyError(SettingsError):
    """A key of the cache of replies is malformed, wrong or missing."""


class TestsError(UsageError):
    """Tests cannot be read; the message names the file and the line."""

    __test__ = False  # the name makes pytest take it for a test class


class DatasetError(UsageError):
    """A data set cannot be read or written, or its name is unknown; the message names it."""


class GeneratorError(UsageError):
    """A generator of inputs, or a folder of inputs, gives no usable input."""


class SpecificationError(UsageError):
    """A specification has a fault: a type, a constraint or an example that cannot hold."""


class LanguageError(UsageError):
    """A language is unknown, or its compiler is not installed."""


class CommandError(UsageError):
    """No cell can run a command: an empty argv, a NUL byte, a path outside the work folder."""


class SubjectError(UsageError):
    """A project, module, function or candidate file is missing, or cannot be compared."""


class ScriptError(UsageError):
    """A file of scripted replies cannot be read, or has no reply left for a role."""


class RecordingError(UsageError):
    """A recording of a run lacks the reply to a request; the message names the difference."""


class ModelNameError(UsageError):
    """A model's name is invalid, or its provider's package is not installed."""


class ReplyError(SteelyardError):
    """No reply of a language model had a valid value, even after repeated requests.

    The machine did not fail: the model answered, and its replies were paid for.
    """

    def __init__(self, message: str, *, reply: str, reason: str) -> None:
        super().__init__(message)
        self.reply = reply
        """The last reply's text, shortened."""
        self.reason = reason
        """The fault in it, as sent to the model."""


class BudgetError(SteelyardError):
    """A run's budget of money or tokens is spent; all results so far are kept."""


class TrainingError(SteelyardError):
    """A cycle of training keeps too few samples, or its loss is not a number.

    The model did not improve; what the cycles before have made is kept.
    """

    exit_status = 1


class InfrastructureError(SteelyardError):
    """The machine failed, not the candidate. It is never scored."""

    exit_status = 3


class ArtefactError(InfrastructureError):
    """An artefact of a run cannot be written: the disk is full or read-only."""


class CacheError(InfrastructureError):
    """The cache of replies is damaged, or cannot be read or written; the message names the file."""


class CellError(InfrastructureError):
    """A cell could not start, or was lost without the candidate's fault."""


class DatabaseError(InfrastructureError):
    """The database is damaged, locked, full, of another version, or cannot be reached.

    Nothing of the change is stored. The message never holds a password.
    """


class ForkServerError(InfrastructureError):
    """A fork server did not start; the message ends with its last line."""


class PlatformError(InfrastructureError):
    """The operating system is not Linux; the message names a way to run Linux there."""


class IsolationError(InfrastructureError):
    """This machine lacks the isolation that the setting `sandbox.require`, or `compare`, needs."""


class ToolchainError(InfrastructureError):
    """A toolchain failed on its own files, such as a header that does not precompile."""


class CheckerError(InfrastructureError):
    """A checker program failed: it crashed, exceeded a limit, or reported its own failure."""


class ModelError(InfrastructureError):
    """A language model gave no reply. The message never holds a key."""

    def __init__(self, message: str, *, status: int | None = None, tries: int = 1) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status of the last answer; None without an answer."""
        self.tries = tries
        """Number of times that the request was sent."""


class ModelTransportError(ModelError):
    """The provider could not be reached, was too slow, or failed, in every try."""


class ModelRefusedError(ModelError):
    """The provider refuses the request itself, so repeating it does not help."""


publish(__name__, globals())
