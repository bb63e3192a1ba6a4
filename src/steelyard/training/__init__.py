"""Rewards for trainers: `reward(...)` judges batches of completions. `RAFTTrainer` trains."""

from steelyard._homes import publish
from steelyard.schemas import LengthBand, RewardReport, Signals
from steelyard.training._reward_policies import Annealed, Blend, ByCategory, Efficient, hidden_only
from steelyard.training._score_completions import (
    Completion,
    Extraction,
    Reward,
    RewardOptions,
    Scored,
    reward,
    text_of,
)
from steelyard.training._signals import gaming_signals
from steelyard.training._turns import feedback
from steelyard.training.raft import RAFTConfig, RAFTTrainer, reward_report

__all__ = [
    "Annealed",
    "Blend",
    "ByCategory",
    "Completion",
    "Efficient",
    "Extraction",
    "LengthBand",
    "RAFTConfig",
    "RAFTTrainer",
    "Reward",
    "RewardOptions",
    "RewardReport",
    "Scored",
    "Signals",
    "feedback",
    "gaming_signals",
    "hidden_only",
    "reward",
    "reward_report",
    "text_of",
]

publish(__name__, globals())
