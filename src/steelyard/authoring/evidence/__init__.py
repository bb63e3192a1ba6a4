"""Choose the inputs on which trusted solutions do something new."""

from steelyard.authoring.evidence._choice import telling_inputs

__all__ = ["telling_inputs"]
