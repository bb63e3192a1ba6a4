"""Read tasks of every usual data set as `Task` records, and write them again.

for task in open_benchmark("humaneval").tasks():
    suite = load_tests(task.tests, entry=Entry.parse(task.entry))
"""

from steelyard.datasets._check import CheckOptions, check_tasks
from steelyard.datasets._read import (
    Benchmark,
    find_task,
    open_benchmark,
    read_mapped,
    read_tasks,
    with_sized_tests,
)
from steelyard.datasets._write import EXPORTS, ExportFormat, file_name_of, write_tasks
from steelyard.datasets.formats import FORMATS, Format, Mapped
from steelyard.datasets.rows import OnFault

__all__ = [
    "EXPORTS",
    "FORMATS",
    "Benchmark",
    "CheckOptions",
    "ExportFormat",
    "Format",
    "Mapped",
    "OnFault",
    "check_tasks",
    "file_name_of",
    "find_task",
    "open_benchmark",
    "read_mapped",
    "read_tasks",
    "with_sized_tests",
    "write_tasks",
]
