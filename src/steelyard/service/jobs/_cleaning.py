"""Delete what nobody may ask for any more: old jobs, and folders of jobs that are gone."""

import shutil
import time
from pathlib import Path

from dbos import DBOS

from steelyard.service.jobs._rows import JobRows

_DAY_MS = 86_400_000
_MOST = 500


def delete_old(rows: JobRows, runs: Path, keep_days: float) -> None:
    """Delete some of the jobs that ended long ago, and the artefacts of deleted jobs.

    Args:
        rows: The jobs.
        runs: The folder of the jobs' folders.
        keep_days: For how long a job is kept after its end.
    """
    old = rows.ended_before(round(time.time() * 1000 - keep_days * _DAY_MS), _MOST)
    if old:
        DBOS.delete_workflows(old)
    if not runs.is_dir():
        return
    folders = list(runs.iterdir())
    for first in range(0, len(folders), _MOST):
        part = folders[first : first + _MOST]
        known = rows.known([each.name for each in part])
        for each in part:
            if each.name not in known:
                shutil.rmtree(each, ignore_errors=True)
