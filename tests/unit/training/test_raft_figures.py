"""Figures of a cycle, and the page that shows them."""

from steelyard.reports import page as html_page
from steelyard.schemas import HeldOut, Stages, TrainingCycle, TrainingHistory
from steelyard.training.raft import RAFTConfig
from steelyard.training.raft._figures import figures_of, held_out_of, signals_in, too_little
from steelyard.training.raft._view import view
from tests.unit.training.raft_samples import prompt, sample

CONFIG = RAFTConfig(held_out_samples=2)
SAMPLES = [
    sample("a", 0),
    sample("a", 1, completion="a0"),
    sample("b", 0, passed=False),
    sample("b", 1, passed=False, reward=None),
    sample("c", 0, passed=False, ended=False),
]


def test_what_has_no_verdict_counts_in_no_rate() -> None:
    figures = figures_of(2, SAMPLES, [SAMPLES[0], SAMPLES[2]], CONFIG)
    assert (figures.samples, figures.rewards.unjudged, figures.passed, figures.pass_rate) == (
        5,
        1,
        2,
        0.5,
    )
    assert (figures.distinct, figures.solved, figures.prompts) == (4, 1, 3)
    assert (figures.kept, figures.kept_wrong, figures.cut_off) == (2, 1, 1)


def test_held_out_figures_are_means_over_prompts() -> None:
    found = held_out_of(SAMPLES[:3], CONFIG)
    assert found is not None
    assert (found.prompts, found.pass_at_1) == (2, 0.5)
    assert found.pass_at_k == {1: 0.5, 2: 1.0}  # only prompt a has two samples
    assert found.interval[0] < 0.5 < found.interval[1]
    assert held_out_of([SAMPLES[3]], CONFIG) is None


def test_a_cycle_that_keeps_nothing_says_what_to_change() -> None:
    wrong = [sample("a", n, passed=False) for n in range(4)]
    cut = [sample("a", n, passed=False, ended=False) for n in range(4)]
    lost = [sample("a", n, passed=False, reward=None) for n in range(4)]
    reasons = [
        too_little(figures_of(1, each, [], CONFIG), each, CONFIG) for each in (wrong, cut, lost)
    ]
    assert reasons[0].startswith("cycle 1 keeps 0 of 4 samples, and min_samples_per_cycle is 1")
    assert "check the tests by a program that is known to be right" in reasons[0]
    assert "raise max_new_tokens" in reasons[1]
    assert "4 have no verdict" in reasons[2]


def test_the_best_cycle_is_that_with_the_best_held_out_rate() -> None:
    cycles = tuple(
        TrainingCycle(
            cycle=n,
            samples=50 * n,
            held_out=HeldOut(prompts=9, samples=1, pass_at_1=rate, interval=(0.0, 1.0)),
            seconds=Stages(sampling=6.0, judging=1.0, judging_held_out=1.0, training=2.0),
        )
        for n, rate in enumerate((0.1, 0.6, 0.5))
    )
    history = TrainingHistory(model="m", folder="f", cycles=cycles, planned=2)
    assert history.passed
    assert history.best is cycles[1]
    assert str(cycles[1].held_out) == "60 % (0 to 100 %)"
    assert (cycles[1].last_loss, cycles[1].seconds.took_s, cycles[1].seconds.judge_s) == (
        None,
        10,
        2,
    )
    assert "held-out pass@1 10.0% before, 50.0% after" in str(history)
    assert "150 samples, 8.3 a second of sampling; 20.0% of the time waited" in str(history)


def test_the_page_shows_signals_of_gaming() -> None:
    prompts = {name: prompt(name) for name in "abc"}
    signals = signals_in(SAMPLES, prompts)
    assert (signals.completions, signals.no_verdict) == (5, 1)
    cycle = figures_of(1, SAMPLES, SAMPLES[:1], CONFIG).model_copy(update={"signals": signals})
    history = TrainingHistory(model="m", folder="f", cycles=(TrainingCycle(cycle=0), cycle))
    page = html_page("RAFT run", view(history, [], {}))
    assert "Signals of gaming" in page
    assert "without variance" in page
    assert "1 of 1 groups without variance" in page
    assert "sandbox attempts" in page


def test_the_page_escapes_what_a_model_wrote() -> None:
    hostile = "<script>alert(1)</script>"
    cycle = figures_of(1, SAMPLES, SAMPLES[:1], CONFIG).model_copy(
        update={"losses": (1.5, 0.5), "notes": (hostile,)}
    )
    history = TrainingHistory(
        model=hostile, folder="f", cycles=(TrainingCycle(cycle=0), cycle), planned=1
    )
    page = html_page(
        "RAFT run", view(history, [sample(hostile, 0, completion=hostile)], {hostile: hostile})
    )
    assert "<script>" not in page
    assert page.count("&lt;script&gt;") >= 4
