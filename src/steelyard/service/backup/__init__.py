"""Back up and restore all that a service keeps: records, tokens, jobs and the files of runs."""

from steelyard.service.backup._archive import Manifest
from steelyard.service.backup._restore import restore_backup
from steelyard.service.backup._write import write_backup

__all__ = ["Manifest", "restore_backup", "write_backup"]
