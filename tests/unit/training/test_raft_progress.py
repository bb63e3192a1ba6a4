"""A run reports its figures, and the time that is left once a cycle was trained."""

from steelyard.schemas import Event, Stages, TrainingCycle
from steelyard.training import RAFTConfig
from steelyard.training.raft._run import CycleProgress


def test_a_trained_cycle_shows_the_time_that_is_left() -> None:
    events: list[Event] = []
    cycles: list[TrainingCycle] = []
    progress = CycleProgress(RAFTConfig(num_cycles=3, on_event=events.append), cycles)
    for number in range(4):
        progress.begin(number)
        progress.report("sampling 1 of 2", 0.5)
        seconds = Stages(sampling=6_000.0)
        cycles.append(
            TrainingCycle(cycle=number, samples=8, kept=2, losses=(2.0, 1.0), seconds=seconds)
        )
        progress.complete(cycles[-1])
    assert [each.stage for each in events[::2]] == [
        "sampling 1 of 2",
        "sampling 1 of 2",
        "sampling 1 of 2, about 200 min left",
        "sampling 1 of 2, about 100 min left",
    ]
    assert events[3].message == (
        "cycle 1 of 3, 0 % of 8 samples pass, 2 samples kept, loss 2.000 to 1.000, "
        "about 200 min left"
    )
    assert "left" not in events[1].message + events[7].message
    shares = [each.share or 0.0 for each in events]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
