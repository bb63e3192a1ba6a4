"""The texts of both versions, as a task brings them."""

from __future__ import annotations

from steelyard.project_runs.incell.task import Task


def texts_of(task: Task) -> list[dict[str, bytes | None]]:
    """What the files in which the versions differ hold in each; None: there is no such file."""
    texts: list[dict[str, bytes | None]] = []
    for version in ("original", "candidate"):
        text: dict[str, bytes | None] = dict.fromkeys(task.said[f"not_in_{version}"])
        for name, blob in task.blobs.items():
            if name.startswith(f"{version}:"):
                text[name.removeprefix(f"{version}:")] = blob
        texts.append(text)
    return texts


def cases_of(task: Task) -> list[list[bytes]]:
    """The pickled calls, by case."""
    cases: list[list[bytes]] = [[] for _ in range(task.said["cases"])]
    for name, blob in task.blobs.items():
        if name.startswith("case:"):
            cases[int(name.split(":")[1])].append(blob)
    return cases


def made_up_of(task: Task) -> list[list[bytes]]:
    """The pickled calls that were made up, each a case of its own."""
    return [[blob] for name, blob in task.blobs.items() if name.startswith("made:")]
