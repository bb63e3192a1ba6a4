"""Write a pytest suite for a module, and improve it until its evidence is complete.

`SuiteAuthor` asks a model for a suite, measures it, and lets a model review it with the
measurements. The best suite by its evidence is returned, never merely the last.
"""

from steelyard.authoring.pytests._author import SuiteAuthor
from steelyard.authoring.pytests._evidence import LEAST_COVERED, MINIMA, MOST_SURVIVING
from steelyard.authoring.pytests._history import history_file, read_figures, statistics_of
from steelyard.authoring.pytests._options import SuiteHead, SuiteOptions
from steelyard.authoring.pytests._view import view

__all__ = [
    "LEAST_COVERED",
    "MINIMA",
    "MOST_SURVIVING",
    "SuiteAuthor",
    "SuiteHead",
    "SuiteOptions",
    "history_file",
    "read_figures",
    "statistics_of",
    "view",
]
