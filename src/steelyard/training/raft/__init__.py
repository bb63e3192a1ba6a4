"""RAFT: fine-tune a model on those of its programs that pass their tests, cycle by cycle."""

from steelyard.training.raft._checking import check_training, plan_training
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._file import TrainingFile, read_config
from steelyard.training.raft._health import reward_report
from steelyard.training.raft._trainer import RAFTTrainer

__all__ = [
    "RAFTConfig",
    "RAFTTrainer",
    "TrainingFile",
    "check_training",
    "plan_training",
    "read_config",
    "reward_report",
]
