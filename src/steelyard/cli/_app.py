"""The `steelyard` command: its subcommands, and what becomes of errors."""

import io
import signal
import sys
from importlib.metadata import version
from typing import Annotated, cast

import typer

from steelyard._printable import printable
from steelyard.cli._cache import cache
from steelyard.cli._compare import compare
from steelyard.cli._demo import demo
from steelyard.cli._doctor import doctor
from steelyard.cli._judge import judge
from steelyard.cli._languages import languages
from steelyard.cli._profile import profile
from steelyard.cli._solve import replay, show, solve
from steelyard.cli._warnings import show_warnings_as_lines
from steelyard.errors import SteelyardError, UsageError

__all__ = ["app", "main"]

_INTERRUPTED, _BROKEN_PIPE = 130, 141  # 128 + the signal, as shells have it
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""Of whichever Click it is that Typer runs on."""

app = typer.Typer(
    name="steelyard",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Says with evidence whether a program is right, how fast it is and how it grows.",
    epilog="Exit status: 0 the program passed, 1 it did not, 2 the call was wrong, "
    "3 the infrastructure failed.",
)
app.command()(judge)
app.command()(profile)
app.command()(compare)
app.command()(solve)
app.command()(show)
app.command()(replay)
app.command()(languages)
app.command()(doctor)
app.command()(demo)
app.add_typer(cache, name="cache")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"steelyard {version('steelyard')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Says with evidence whether a program is right, how fast it is and how it grows."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)


def main() -> int:
    """Runs the command line; gives the exit status."""
    show_warnings_as_lines()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show must not end a run
            stream.reconfigure(errors="backslashreplace")
    # Ended by another process, or with its terminal, it still closes its cells.
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, lambda told, _: sys.exit(128 + told))
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
        if status == _INTERRUPTED:  # as Typer ends a command at Ctrl-C
            return _fail("interrupted", _INTERRUPTED)
    except SteelyardError as error:
        return _fail(str(error), error.exit_status)
    except _UsageError as error:
        return _fail(error.format_message(), UsageError.exit_status)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", _INTERRUPTED)
    except SystemExit as end:  # by a signal; or Typer's 1, when the reader has seen enough
        return end.code if end.code in [128 + number for number in _ENDING] else _BROKEN_PIPE
    except OSError as error:  # of our own output: all other files are read in the commands
        return _fail(f"the output cannot be written: {error.strerror}", SteelyardError.exit_status)
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int) -> int:
    line = printable(" ".join(message.split()))
    print(f"steelyard: {line}", file=sys.stderr)  # noqa: T201  (Typer's own echo may fail)
    return status
