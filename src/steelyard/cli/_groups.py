"""Groups of commands: imported when they are called, and with a command that runs by default."""

import gc
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from steelyard.cli._signals import closing_in_order
from steelyard.errors import UsageError
from steelyard.jobs import job

_BY_DEFAULT = "steelyard.by_default"
JOB = "job"
"""In place of a module: the command is made from the declaration of a job."""


class ClosingCommand(TyperCommand):
    """A command whose cells and files are closed in order when a signal ends it."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        gc.enable()
        with closing_in_order():
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: see `steelyard.cli._help`."""
        from steelyard.cli._help import describe, help_of  # noqa: PLC0415  (few calls need it)

        describe(self)
        formatter.write(help_of(self, ctx))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what a shell offers, with the helps of flags."""
        from steelyard.cli._help import describe  # noqa: PLC0415

        describe(self)
        return super().shell_complete(ctx, incomplete)


class CommandGroup(TyperGroup):
    """A group of commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, which lists the commands."""
        from steelyard.cli._help import help_of  # noqa: PLC0415

        formatter.write(help_of(self, ctx, commands=self.commands.values()))


class LazyGroup(CommandGroup):
    """A group that imports the module of a command when that command is called.

    Until then a command is its name and its summary.
    """

    lazy: dict[str, tuple[str, str]]
    """Where each command is (`package.module:name`), and its summary."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, summary) in self.lazy.items():
            self.add_command(TyperCommand(name=name, help=summary), name)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that the arguments call, and import it."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.lazy:
            command = _load(name, self.lazy[name][0])
        return name, command, rest


class DefaultGroup(CommandGroup):
    """A group whose first command runs, unless the first argument is the name of another one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the default command before arguments that begin with no command."""
        named = bool(args) and args[0] in (*self.commands, *ctx.help_option_names)
        if not named and (args or not ctx.resilient_parsing):
            args = [next(iter(self.commands)), *args]
            ctx.meta[_BY_DEFAULT] = True
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the default command's options, and the other commands below them."""
        from steelyard.cli._help import describe, help_of  # noqa: PLC0415

        default, *others = self.commands.values()
        describe(default)
        formatter.write(help_of(self, ctx, params=default.params, commands=others))


class LazyDefaultGroup(LazyGroup, DefaultGroup):
    """A lazy group whose first command runs by default."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the default command's options, which are read for that."""
        name = next(iter(self.commands))
        self.commands[name] = _load(name, self.lazy[name][0])
        super().format_help(ctx, formatter)


def group_of(summary: str, epilog: str | None = None) -> typer.Typer:
    """Return a group of commands that shows its help if none of them is named."""
    group = typer.Typer(cls=CommandGroup, help=summary, epilog=epilog, add_completion=False)

    @group.callback(invoke_without_command=True)
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())
            raise typer.Exit(UsageError.exit_status)

    return group


def called_as(context: Any) -> str:
    """Return the command as it was called: without the name of one that runs by default."""
    by_default = isinstance(getattr(context.parent, "command", None), DefaultGroup)
    path: str = (
        context.parent if by_default and _BY_DEFAULT in context.meta else context
    ).command_path
    return path


def _load(name: str, where: str) -> Any:
    module, _, attribute = where.partition(":")
    if module == JOB:
        from steelyard.cli._job_command import command_of  # noqa: PLC0415

        found = command_of(job(attribute))
    else:
        found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        command = get_command(found)
    else:
        single = typer.Typer(add_completion=False)
        single.command(cls=ClosingCommand)(found)
        command = get_command(single)
    command.name = name
    return command
