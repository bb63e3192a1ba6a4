"""Build deploy/Dockerfile and run it, with Debian's podman and without a registry.

The base is made of Debian's packages. Runs have no network; a published port needs none, because
requests are made inside the container. The image has two extras: what the others add is bytes.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

COMMANDS = ("mmdebstrap", "buildah", "podman", "runc")
BUILD_S, RUN_S = 1_200, 300
EXTRAS = "service postgres"
LIMITS = ("--network=none", "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096")
MEMORY, NEEDED_BYTES = Path("/dev/shm"), 8 << 30
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
BASE = f"""FROM scratch
ADD base.tar /
ENV SSL_CERT_FILE={CERTIFICATES} PIP_CERT={CERTIFICATES} NODE_EXTRA_CA_CERTS={CERTIFICATES}
"""
Done = subprocess.CompletedProcess[str]


def missing() -> str:
    """Return why no image can be built here; empty if it can."""
    if os.geteuid() != 0:
        return "only root can build an image here"
    lacking = [name for name in COMMANDS if shutil.which(name) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    release = Path("/etc/os-release").read_text()
    return "" if "ID=debian" in release else "the base needs Debian's packages"


class Engine:
    """An engine with a store of its own, which is removed at the end."""

    def __init__(self) -> None:
        # Tens of thousands of files are removed: a disk that discards each of them takes minutes.
        self._folder = Path(tempfile.mkdtemp(prefix="steelyard-image-", dir=_memory()))
        store = ("--root", f"{self._folder}/store", "--runroot", f"{self._folder}/run")
        self._store = (*store, "--storage-driver", "overlay")
        how = ("--cgroup-manager=cgroupfs", "--runtime=runc", "--log-level=error")
        self._engine = ("podman", *self._store, *how)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._podman("rm", "--force", "--all", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def make_base(self) -> str:
        """Make the base, and run it; return why that failed, or nothing.

        Nothing of the image is in it: a failure is the machine's, which permits no containers or
        reaches no packages.
        """
        base = self._folder / "base"
        base.mkdir()
        options = ("--quiet", "--mode=root", "--variant=minbase")
        packages = "--include=python3-venv,ca-certificates"
        (base / "Dockerfile").write_text(BASE)
        try:
            _checked(["mmdebstrap", *options, packages, _codename(), f"{base}/base.tar"])
            self._buildah("--tag", "base", str(base))
            self._podman("run", "--rm", *LIMITS, "localhost/base", "true")
        except (AssertionError, subprocess.TimeoutExpired) as error:
            return f"no container starts here: {error}"
        finally:
            shutil.rmtree(base)
        return ""

    def build(self, root: Path) -> str:
        """Build the image from the newest commit of a clone; return that commit."""
        source = self._folder / "source"
        _checked(["git", "clone", "--quiet", "--local", "--no-hardlinks", str(root), str(source)])
        commit = _checked(["git", "-C", str(source), "rev-parse", "HEAD"]).stdout.strip()
        self._buildah(
            "--network=host",
            "--format=docker",
            f"--volume={CERTIFICATES}:{CERTIFICATES}:ro",
            "--build-arg=BASE=localhost/base",
            f"--build-arg=GIT_HASH={commit}",
            f"--build-arg=EXTRAS={EXTRAS}",
            "--file",
            f"{source}/deploy/Dockerfile",
            "--tag",
            "steelyard",
            str(source),
        )
        return commit

    def run(self, options: Sequence[str], *words: str, check: bool = True) -> Done:
        """Run the image once with a read-only root and no network."""
        return self._podman(
            "run",
            "--rm",
            *LIMITS,
            "--read-only",
            "--no-healthcheck",
            "--tmpfs=/tmp:exec,mode=1777",
            "--volume=/home/judge",
            "--env=HOME=/home/judge",
            *options,
            "localhost/steelyard",
            *words,
            check=check,
        )

    def try_image(self, root: Path) -> str:
        """Try the image as the workflows do before they publish it; return what was printed."""
        limits = [f'"{each.removeprefix("--ulimit=")}"' for each in LIMITS if "ulimit" in each]
        config = self._folder / "containers.conf"
        config.write_text(f"[containers]\ndefault_ulimits = [{', '.join(limits)}]\n")
        words = [str(root / ".ci/try_image"), "localhost/steelyard", *self._engine]
        return _checked(["env", f"CONTAINERS_CONF={config}", *words]).stdout

    def inspect(self, template: str) -> str:
        """Return what a template shows of the image."""
        return self._podman("inspect", "--format", template, "localhost/steelyard").stdout.strip()

    def _buildah(self, *words: str) -> None:
        _checked(["buildah", *self._store, "build", "--isolation=chroot", *words], BUILD_S)

    def _podman(self, *words: str, check: bool = True) -> Done:
        return _checked([*self._engine, *words], RUN_S, check=check)


def _memory() -> Path | None:
    """Return a folder in memory if there is room for the images and for everything else."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    room = shutil.disk_usage(MEMORY).free if MEMORY.is_dir() else 0
    return MEMORY if min(free, room) > NEEDED_BYTES else None


def _codename() -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next(e.partition("=")[2] for e in lines if e.startswith("VERSION_CODENAME="))


def _checked(words: list[str], timeout_s: float = BUILD_S, *, check: bool = True) -> Done:
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout_s, check=False)
    assert done.returncode == 0 or not check, f"{words[0]}: {done.stdout[-2000:]}{done.stderr}"
    return done
