"""Every message and record, defined once (Pydantic v2)."""

from assayer.schemas._base import Record
from assayer.schemas._execution import Execution, Isolation, StopReason
from assayer.schemas._limits import Limits
from assayer.schemas._policy import USUAL_RULES, Policy, Rule, Shape
from assayer.schemas._profile import (
    Band,
    ComplexityEstimate,
    Flag,
    GrowthComparison,
    Measurement,
    Method,
    Prediction,
    ProfileReport,
    Term,
)
from assayer.schemas._program import CompileResult, Diagnostic, Entry, EntryKind, Program
from assayer.schemas._report import Remedy, SandboxReport
from assayer.schemas._tests import TestCase, TestSuite
from assayer.schemas._verdict import CaseResult, Difference, Verdict, VerifyResult

__all__ = [
    "USUAL_RULES",
    "Band",
    "CaseResult",
    "CompileResult",
    "ComplexityEstimate",
    "Diagnostic",
    "Difference",
    "Entry",
    "EntryKind",
    "Execution",
    "Flag",
    "GrowthComparison",
    "Isolation",
    "Limits",
    "Measurement",
    "Method",
    "Policy",
    "Prediction",
    "ProfileReport",
    "Program",
    "Record",
    "Remedy",
    "Rule",
    "SandboxReport",
    "Shape",
    "StopReason",
    "Term",
    "TestCase",
    "TestSuite",
    "Verdict",
    "VerifyResult",
]
