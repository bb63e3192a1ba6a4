"""Check a specification before anything is derived from it, and a solution against its rules."""

from steelyard.authoring.specification._check import check_specification, require_sound
from steelyard.authoring.specification._starter import starter_code
from steelyard.authoring.specification._statement import statement_of
from steelyard.authoring.specification._static_rules import static_faults

__all__ = ["check_specification", "require_sound", "starter_code", "statement_of", "static_faults"]
