"""A PostgreSQL server for tests: in a temporary folder, over a Unix socket, as an ordinary user."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from tests.parent import ending_with_this_process
from tests.rights import can_become, can_give_to

NOBODY = 65534
PASSWORD = "pa:ss@w/ord"
_WAIT_S = 120


def _program(name: str) -> str | None:
    """The path of a program of PostgreSQL; Debian keeps some out of PATH."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(newest[-1]) if newest else None)


def missing() -> str:
    """Why there can be no server on this machine; empty if there can."""
    for name in ("initdb", "postgres"):
        if _program(name) is None:
            return f"PostgreSQL's {name} is not installed"
    if os.geteuid() == 0 and not (can_become(NOBODY) and can_give_to(NOBODY)):
        return "PostgreSQL does not run as root, and no other user can be taken here"
    return ""


def _user() -> int | None:
    """The user that the server runs as; None for this process's own."""
    return NOBODY if os.geteuid() == 0 else None


class DatabaseServer:
    """A server that runs in a `with` block, and ends with the process that started it.

    Its administrator needs no password; the user `guest` has `PASSWORD`.
    """

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="steelyard-pg-"))
        self._made = 0
        self._template = ""
        try:
            user = _user()
            if user is not None:
                os.chown(self._folder, user, user)
            self._make_cluster()
            (self._data / "pg_hba.conf").write_text("local all admin trust\nlocal all all md5\n")
            with (self._data / "postgresql.conf").open("a") as settings:
                settings.write(
                    "listen_addresses = ''\nfsync = off\nshared_buffers = 16MB\n"
                    f"max_connections = 30\nunix_socket_directories = '{self._folder}'\n"
                )
            self.start()
            self.execute("postgres", f"CREATE USER guest PASSWORD '{PASSWORD}'")
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def start(self) -> None:
        argv = self._command("postgres")
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                ending_with_this_process(argv, signal.SIGQUIT, _user()),
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # an interrupt of the tests does not reach it
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """Stop at once, as a crash would."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(_WAIT_S)

    def new(self, template: str = "template1") -> str:
        """Make an empty database, or a copy of one, and return its URL."""
        self._made += 1
        name = f"test{self._made}"
        self.execute("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def new_with_tables(self) -> str:
        """Make a database with all tables and no records, and return its URL."""
        from steelyard.storage import open_database

        if not self._template:
            url = self.new()
            open_database(url).close()
            self._template = f"test{self._made}"
        return self.new(self._template)

    def url(self, name: str, user: str = "admin", password: str = "") -> str:
        secret = f":{quote(password, safe='')}" if password else ""
        return f"postgresql://{user}{secret}@/{name}?host={self._folder}"

    def execute(self, name: str, statement: str) -> list[Any]:
        """Run a statement as another program would, and return its rows."""
        import psycopg

        with psycopg.connect(
            host=str(self._folder), dbname=name, user="admin", autocommit=True
        ) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _wait_until_ready(self) -> None:
        import psycopg

        end = time.monotonic() + _WAIT_S
        while True:
            try:
                self.execute("postgres", "SELECT 1")
            except psycopg.OperationalError:
                running = self._server.poll() is None and time.monotonic() < end
                assert running, (self._folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def _make_cluster(self) -> None:
        user = _user()
        done = subprocess.run(
            self._command("initdb", "-A", "trust", "-U", "admin", "-N", "--locale=C", "-E", "UTF8"),
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=2 * _WAIT_S,
            check=False,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        assert done.returncode == 0, f"initdb: {done.stdout}"

    def _command(self, name: str, *args: str) -> list[str]:
        program = _program(name)
        assert program is not None
        return [program, "-D", str(self._data), *args]

    @property
    def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": str(self._folder)}
