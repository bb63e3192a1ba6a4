"""Every error that Steelyard raises.

    SteelyardError
    ├── UsageError                  the call was wrong; exit status 2
    │   ├── SettingsError           an environment variable or the configuration file
    │   │   └── CacheKeyError       a key of the cache of replies: malformed, wrong or missing
    │   ├── TestsError              a tests file, folder or mapping that cannot be read
    │   ├── GeneratorError          a generator of inputs that gives none that can be used
    │   ├── LanguageError           a language, compiler or toolchain that is not offered
    │   ├── CommandError            a command that no cell could run as it is written
    │   ├── SubjectError            a project, module, function or candidate file that is not there
    │   ├── ScriptError             a file of scripted replies that cannot be read, or has run out
    │   ├── RecordingError          a recording that lacks the reply to a request
    │   └── ModelNameError          a model's name that cannot be read, or a provider not installed
    ├── ReplyError                  a language model's replies never were what was asked for
    ├── BudgetError                 the money or the tokens of a run are spent
    └── InfrastructureError         the machine failed, not the candidate; exit status 3
        ├── ArtefactError           an artefact of a run that cannot be written
        ├── CacheError              the cache of replies is damaged, or cannot be read or written
        ├── CellError               a cell could not be made, or was lost
        ├── ForkServerError         a fork server did not come up
        ├── PlatformError           the operating system is not Linux
        ├── IsolationError          the isolation that `sandbox.require`, or a job, needs is missing
        ├── ToolchainError          a toolchain's own files failed (not the source it was given)
        ├── CheckerError            a checker program failed (not the output that it checked)
        └── ModelError              a language model gave no reply
            ├── ModelTransportError     the provider could not be reached, or failed every time
            └── ModelRefusedError       the provider refuses the request itself

`SteelyardWarning` is the one warning: it says what a run does without.

What a candidate did wrong is data (a `Verdict`) and never an exception. Each message is one
line that ends in what to do next.
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
    "SteelyardError",
    "SteelyardWarning",
    "SubjectError",
    "TestsError",
    "ToolchainError",
    "UsageError",
]


class SteelyardError(Exception):
    """The root: catch it to catch all that Steelyard raises on purpose."""

    exit_status: ClassVar[int] = 3


class SteelyardWarning(UserWarning):
    """Something is missing that a run can do without, such as a cache folder."""


class UsageError(SteelyardError):
    """The call was wrong: an argument, a file or a value that the caller can fix."""

    exit_status = 2


class SettingsError(UsageError):
    """An environment variable or the configuration file holds what cannot be used."""


class CacheKeyError(SettingsError):
    """A key of the cache of replies is malformed, is not the one that sealed it, or is missing."""


class TestsError(UsageError):
    """Tests that cannot be read; the message names the file and the line."""

    __test__ = False  # the name makes pytest take it for a test class


class GeneratorError(UsageError):
    """A generator of inputs, or a folder of them, that gives none that can be used."""


class LanguageError(UsageError):
    """An unknown language, or one whose compiler is not installed here."""


class CommandError(UsageError):
    """A command that no cell can run: an empty argv, a NUL byte, a path out of the work folder."""


class SubjectError(UsageError):
    """A project, module, function or candidate file that is not there, or cannot be compared."""


class ScriptError(UsageError):
    """A file of scripted replies that cannot be read, or that has no reply left for a role."""


class RecordingError(UsageError):
    """A recording of a run that lacks the reply to a request; the message says what differs."""


class ModelNameError(UsageError):
    """A model's name that cannot be read, or whose provider's package is not installed here."""


class ReplyError(SteelyardError):
    """A language model was asked, and asked again, and its replies never were what was asked for.

    It is not the machine's failure: the model answered, and was paid for.
    """

    def __init__(self, message: str, *, reply: str, reason: str) -> None:
        super().__init__(message)
        self.reply = reply
        """The last reply's text, shortened."""
        self.reason = reason
        """What was wrong with it, as the model was told."""


class BudgetError(SteelyardError):
    """The money or the tokens that a run may cost are spent; everything so far is kept."""


class InfrastructureError(SteelyardError):
    """The machine failed, not the candidate. It is never scored."""

    exit_status = 3


class ArtefactError(InfrastructureError):
    """An artefact of a run cannot be written: the disk is full, or may not be written to."""


class CacheError(InfrastructureError):
    """The cache of replies is damaged, or cannot be read or written; the message names the file."""


class CellError(InfrastructureError):
    """A cell could not be made, or was lost through no fault of the candidate."""


class ForkServerError(InfrastructureError):
    """A fork server did not come up; the message ends in what it said."""


class PlatformError(InfrastructureError):
    """The operating system is not Linux; the message names what runs Linux there."""


class IsolationError(InfrastructureError):
    """This machine lacks the isolation that the setting `sandbox.require`, or `compare`, needs."""


class ToolchainError(InfrastructureError):
    """A toolchain failed on its own files, such as a header that does not precompile."""


class CheckerError(InfrastructureError):
    """A checker program failed: it crashed, ran out of a limit, or reported its own failure."""


class ModelError(InfrastructureError):
    """A language model gave no reply. The message never holds a key."""

    def __init__(self, message: str, *, status: int | None = None, tries: int = 1) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status of the last answer; None where none came."""
        self.tries = tries
        """How often the request was sent."""


class ModelTransportError(ModelError):
    """The provider could not be reached, was too slow, or failed, as often as it may be asked."""


class ModelRefusedError(ModelError):
    """The provider refuses the request itself: asking again would not help."""


publish(__name__, globals())
