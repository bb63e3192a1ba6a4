"""The file view of a cell with a mount namespace: read-only host paths and one capped scratch."""

import errno
import os
import stat

from steelyard.sandbox._wire import Namespace, SetupFlag
from steelyard.sandbox.pycell import _kernel as kernel
from steelyard.sandbox.pycell._messages import Setup
from steelyard.sandbox.pycell._stage import stage

DEVICES = ("dev/null", "dev/zero", "dev/full", "dev/random", "dev/urandom")
_HARMLESS = kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NODEV
_LINKS = {
    "dev/fd": "/proc/self/fd",
    "dev/stdin": "/proc/self/fd/0",
    "dev/stdout": "/proc/self/fd/1",
    "dev/stderr": "/proc/self/fd/2",
}


def make_view(setup: Setup) -> list[int]:
    """Build the view and make it the root.

    Returns:
        Descriptors of the scratch folders, the work folder first.
    """
    with stage("open view"):
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE, None)
        trees: list[tuple[int, str]] = []
        links: list[tuple[str, str]] = []
        for source, target in setup.mounts:
            try:  # both are read before the new root hides /tmp
                if os.path.islink(source):
                    links.append((os.readlink(source), target[1:]))
                else:
                    trees.append((_detach(source, _HARMLESS), target[1:]))
            except (FileNotFoundError, NotADirectoryError):
                continue
        devices = []
        for device in DEVICES:
            try:
                devices.append(
                    (_detach(f"/{device}", kernel.ATTR_RDONLY | kernel.ATTR_NOSUID), device)
                )
            except FileNotFoundError:
                continue

    with stage("mount root"):
        flags = kernel.MS_NOSUID | kernel.MS_NODEV
        kernel.mount("root", "/tmp", "tmpfs", flags, "mode=0755,size=1m")  # noqa: S108  (a place to mount)
        os.chdir("/tmp")  # noqa: S108
        os.mkdir("dev", 0o755)
        for tree, target in devices:
            _attach(tree, target)
        for link, pointed_at in _LINKS.items():
            os.symlink(pointed_at, link)

    with stage("mount view"):
        for tree, target in trees:
            _attach(tree, target)
        for pointed_at, target in links:
            try:
                _make_parents(target)
                os.symlink(pointed_at, target)
            except OSError as error:
                if error.errno not in (errno.EEXIST, errno.EROFS):
                    raise

    with stage("mount scratch"):
        scratch = _make_scratch(setup)

    with stage("mount proc"):
        os.mkdir("proc", 0o555)
        if setup.head.namespaces & Namespace.PID:
            options = "subset=pid,hidepid=2"
            if setup.head.flags & SetupFlag.ROOT_MAP:
                options += ",gid=1"
            kernel.mount("proc", "proc", "proc", flags | kernel.MS_NOEXEC, options)

    with stage("change root"):
        kernel.pivot_root()
        kernel.unmount(".")
        os.chdir("/")
        kernel.set_root_attributes(_HARMLESS)
    return scratch


def _detach(source: str, attributes: int) -> int:
    tree = kernel.copy_tree(source)
    kernel.set_tree_attributes(tree, attributes)
    return tree


def _make_parents(path: str) -> None:
    if "/" in path:
        os.makedirs(path.rsplit("/", 1)[0], 0o755, exist_ok=True)


def _attach(tree: int, target: str) -> None:
    _make_parents(target)
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.attach_tree(tree, target)
    os.close(tree)


def _make_scratch(setup: Setup) -> list[int]:
    options = f"mode=0755,size={setup.head.scratch_bytes},nr_inodes={setup.head.scratch_inodes}"
    os.mkdir("scratch", 0o755)
    kernel.mount("scratch", "scratch", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    folders = []
    for i, target in enumerate(("w", "tmp", "dev/shm")):
        part = f"scratch/{i}"
        os.mkdir(part)
        os.chmod(part, 0o777)  # noqa: S103  (the candidate runs under another id)
        os.mkdir(target, 0o755)
        kernel.mount(part, target, None, kernel.MS_BIND, None)
        folders.append(os.open(target, os.O_RDONLY | os.O_DIRECTORY))
    kernel.unmount("scratch")
    os.rmdir("scratch")
    return folders
