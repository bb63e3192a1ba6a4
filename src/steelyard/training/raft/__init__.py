"""RAFT: fine-tune a model on those of its programs that pass their tests, cycle by cycle."""

from steelyard.training.raft._config import RAFTConfig, TrainingFile, read_config
from steelyard.training.raft._figures import reward_report
from steelyard.training.raft._trainer import RAFTTrainer, check_training, plan_training

__all__ = [
    "RAFTConfig",
    "RAFTTrainer",
    "TrainingFile",
    "check_training",
    "plan_training",
    "read_config",
    "reward_report",
]
