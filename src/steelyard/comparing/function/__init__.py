"""The candidates for a function's place, as text: nothing is executed here.

candidate = read_candidate(subject, text)  # a Candidate, or the Reason why it is none
"""

from steelyard.comparing.function._candidate import Candidate, CandidateKind, read_candidate

__all__ = ["Candidate", "CandidateKind", "read_candidate"]
