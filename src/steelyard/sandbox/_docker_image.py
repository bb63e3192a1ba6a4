"""The image of the docker backend: `deploy/cell.Dockerfile` with this installation's cell."""

import hashlib
import io
import os
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard._installation import rebuild_command
from steelyard.errors import CellError

if TYPE_CHECKING:
    from docker import DockerClient

_REPOSITORY = "steelyard-cell"


def ensure_image(client: "DockerClient", cell: Path) -> str:
    """Return the name of the image, which is built if the engine has none for this cell.

    Args:
        client: The engine that gets the image.
        cell: The native cell that goes into the image.

    Raises:
        CellError: if the recipe is not installed.
    """
    from docker.errors import ImageNotFound  # noqa: PLC0415  (an extra)

    recipe, program = _recipe().read_bytes(), cell.read_bytes()
    name = f"{_REPOSITORY}:{hashlib.sha256(recipe + program).hexdigest()[:16]}"
    try:
        client.images.get(name)
    except ImageNotFound:
        client.images.build(
            fileobj=_context(recipe, program),
            custom_context=True,
            tag=name,
            rm=True,
            forcerm=True,
            labels={"steelyard": "cell"},
        )
    return name


def _recipe() -> Path:
    """Return the path of `deploy/cell.Dockerfile` in the installation or the checkout."""
    installed = (Path(folder) for folder in sys.modules["steelyard.sandbox"].__path__)
    checkout = Path(__file__).parents[3] / "deploy"
    for folder in (*installed, checkout):
        if (folder / "cell.Dockerfile").is_file():
            return folder / "cell.Dockerfile"
    raise CellError(
        f"deploy/cell.Dockerfile is not installed; to reinstall Steelyard, run: {rebuild_command()}"
    )


def _context(recipe: bytes, program: bytes) -> io.BytesIO:
    """Return the files that the build may use, as a tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for path, content, mode in (("Dockerfile", recipe, 0o644), ("rootfs/cell", program, 0o755)):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("rootfs/tmp")
        link.type, link.linkname = tarfile.SYMTYPE, "/w"
        archive.addfile(link)
    file.seek(os.SEEK_SET)
    return file
