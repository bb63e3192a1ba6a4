"""Every error that Assayer raises.

    AssayerError
    ├── UsageError                  the call was wrong; exit status 2
    │   ├── SettingsError           an environment variable or the configuration file
    │   ├── TestsError              a tests file, folder or mapping that cannot be read
    │   ├── GeneratorError          a generator of inputs that gives none that can be used
    │   ├── LanguageError           a language, compiler or toolchain that is not offered
    │   ├── CommandError            a command that no cell could run as it is written
    │   └── SubjectError            a project, module, function or candidate file that is not there
    └── InfrastructureError         the machine failed, not the candidate; exit status 3
        ├── CellError               a cell could not be made, or was lost
        ├── ForkServerError         a fork server did not come up
        ├── IsolationError          the isolation that `sandbox.require` asks for is not to be had
        ├── ToolchainError          a toolchain's own files failed (not the source it was given)
        └── CheckerError            a checker program failed (not the output that it checked)

What a candidate did wrong is data (a `Verdict`) and never an exception. Each message is one
line that ends in what to do next.
"""

from typing import ClassVar

__all__ = [
    "AssayerError",
    "CellError",
    "CheckerError",
    "CommandError",
    "ForkServerError",
    "GeneratorError",
    "InfrastructureError",
    "IsolationError",
    "LanguageError",
    "SettingsError",
    "SubjectError",
    "TestsError",
    "ToolchainError",
    "UsageError",
]


class AssayerError(Exception):
    """The root: catch it to catch all that Assayer raises on purpose."""

    exit_status: ClassVar[int] = 3


class UsageError(AssayerError):
    """The call was wrong: an argument, a file or a value that the caller can mend."""

    exit_status = 2


class SettingsError(UsageError):
    """An environment variable or the configuration file holds what cannot be used."""


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


class InfrastructureError(AssayerError):
    """The machine failed, not the candidate. It is never scored."""

    exit_status = 3


class CellError(InfrastructureError):
    """A cell could not be made, or was lost through no fault of the candidate."""


class ForkServerError(InfrastructureError):
    """A fork server did not come up; the message ends in what it said."""


class IsolationError(InfrastructureError):
    """The isolation that the setting `sandbox.require` demands is not to be had here."""


class ToolchainError(InfrastructureError):
    """A toolchain failed on its own files, such as a header that does not precompile."""


class CheckerError(InfrastructureError):
    """A checker program failed: it crashed, ran out of a limit, or reported its own failure."""
