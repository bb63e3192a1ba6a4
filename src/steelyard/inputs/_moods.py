"""The moods in which arguments are made: what is frequent among their sizes, numbers and texts."""

from typing import Literal

Mood = Literal["basic", "edge", "adversarial", "dense", "middling", "stress"]
"""`basic`: usual values. `edge`: few items, numbers at ends. `adversarial`: families that programs
get wrong. `dense`: long lists of few and small numbers. `middling`: lists of some hundred items,
which are stretched later. `stress`: the largest lists and numbers."""
Length = Literal["shortest", "small", "longest"]
"""How long texts and lists inside of others are."""
