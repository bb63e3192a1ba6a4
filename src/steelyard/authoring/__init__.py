"""Turn a vague request into a specification, a suite of measured strength, and solutions."""

__all__: list[str] = []
