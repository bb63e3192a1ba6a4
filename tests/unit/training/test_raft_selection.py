"""What a cycle keeps: the original's defects are its tests."""

from steelyard.training.raft._selection import keep_passing, keep_threshold
from tests.unit.training.raft_samples import sample


def test_a_program_that_only_compiles_is_not_kept() -> None:
    compiles = sample("a", 0, passed=False, reward=0.5)
    assert keep_passing([compiles], 2) == ()
    assert keep_threshold([compiles], 0.5, 1.0) == (compiles,)


def test_easy_prompts_do_not_crowd_out_others() -> None:
    samples = [sample("easy", number) for number in range(8)] + [sample("hard", 0)]
    kept = keep_passing(samples, 2)
    assert [(each.prompt, each.sample) for each in kept] == [("easy", 0), ("easy", 1), ("hard", 0)]


def test_the_other_rule_takes_the_best_share_of_all() -> None:
    samples = [sample("a", n, passed=False, reward=0.5 + n / 10) for n in range(4)]
    kept = keep_threshold(samples, 0.6, 0.5)
    assert [each.sample for each in kept] == [3]


def test_samples_that_differ_in_white_space_alone_are_one() -> None:
    samples = [sample("a", 0, completion="return x"), sample("a", 1, completion="return  x\n")]
    assert [each.sample for each in keep_passing(samples, 2)] == [0]


def test_a_sample_without_an_end_is_not_learned_from() -> None:
    assert keep_passing([sample("a", 0, ended=False)], 2) == ()


def test_what_has_no_verdict_is_kept_by_no_rule() -> None:
    unjudged = sample("a", 0, passed=False, reward=None)
    assert keep_passing([unjudged], 2) == keep_threshold([unjudged], 0.0, 1.0) == ()


def test_of_passing_samples_those_with_the_highest_reward_stay() -> None:
    samples = [sample("a", n, reward=reward) for n, reward in enumerate((0.6, 1.0, 0.9))]
    assert [each.sample for each in keep_passing(samples, 2)] == [1, 2]
