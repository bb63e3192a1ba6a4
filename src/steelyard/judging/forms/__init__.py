"""Forms: what the evaluators of data sets do with a program and its tests."""

from steelyard.judging.forms._known_forms import FORMS, Form, form_called, form_of_tests
from steelyard.judging.forms._pairs import VISIBLE, Source, pairs_of

__all__ = [
    "FORMS",
    "VISIBLE",
    "Form",
    "Source",
    "form_called",
    "form_of_tests",
    "pairs_of",
]
