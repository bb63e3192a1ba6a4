"""Rewards for trainers: `reward(...)` judges batches of completions."""

from steelyard.training._extraction import Extraction
from steelyard.training._options import RewardOptions
from steelyard.training._reward import Reward, reward
from steelyard.training._scored import Scored

__all__ = ["Extraction", "Reward", "RewardOptions", "Scored", "reward"]
