"""Let a model write inputs and a validator; check both; keep what is valid."""

from steelyard.authoring.oracle._asking import OracleResult, ask_oracle, try_program
from steelyard.authoring.oracle._grading import Grade, KnownInputs, grade
from steelyard.authoring.oracle._program import OracleProgram
from steelyard.authoring.oracle._yield import Yield, read_yield

__all__ = [
    "Grade",
    "KnownInputs",
    "OracleProgram",
    "OracleResult",
    "Yield",
    "ask_oracle",
    "grade",
    "read_yield",
    "try_program",
]
