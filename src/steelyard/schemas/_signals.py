"""Records of the signals that a policy model games its reward."""

from steelyard.schemas._base import Record


class LengthBand(Record):
    """Completions of similar length: a quarter of the batch."""

    most_chars: int
    """Length of the longest of them."""
    completions: int
    mean_reward: float


class Signals(Record):
    """Signals of gaming in one batch. None is proof; a sudden rise of one deserves a look."""

    completions: int
    no_verdict: int
    """Completions that have no reward."""
    visible_pass_rate: float | None
    """Mean pass rate of the cases of the category `visible`; None if there are none."""
    hidden_pass_rate: float | None
    """The same for all other cases."""
    memorised: int
    """Completions that pass every visible case and no hidden one."""
    refused: int
    """Programs that the policy of sources refused."""
    sandbox_attempts: int
    """Programs that name other processes, the kernel or the interpreter's own state, that the
    kernel ended for a forbidden call, or that wrote into the harness's answers."""
    repeated: int
    """Completions whose program answers another prompt of the batch too."""
    length_correlation: float | None
    """Rank correlation of length and reward, in -1..1; None if either is the same everywhere."""
    reward_by_length: tuple[LengthBand, ...]
    """From short to long."""

    def to_metrics(self) -> dict[str, float]:
        """Return the figures under names for a trainer's log, such as `gaming/repeated`.

        Counts become shares of the batch, and what is unknown is left out.
        """
        shares = ("no_verdict", "memorised", "refused", "sandbox_attempts", "repeated")
        found = {name: getattr(self, name) / max(self.completions, 1) for name in shares}
        for name in ("visible_pass_rate", "hidden_pass_rate", "length_correlation"):
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        return {f"gaming/{name}": value for name, value in found.items()}
