"""The function to compare and the candidates for its place, as text: nothing is executed here.

subject = find_subject(Path("project"), "pkg.module:Class.method")
candidate = read_candidate(subject, text)  # a Candidate, or the Reason why it is none
"""

from steelyard.equivalence.subject._candidate import Candidate, read_candidate
from steelyard.equivalence.subject._parsing import UnparsableError, parse
from steelyard.equivalence.subject._reading import CandidateKind
from steelyard.equivalence.subject._signature import Binding, FunctionKind
from steelyard.equivalence.subject._subject import (
    Subject,
    encoding_of,
    find_file,
    find_subject,
    read_text,
)

__all__ = [
    "Binding",
    "Candidate",
    "CandidateKind",
    "FunctionKind",
    "Subject",
    "UnparsableError",
    "encoding_of",
    "find_file",
    "find_subject",
    "parse",
    "read_candidate",
    "read_text",
]
