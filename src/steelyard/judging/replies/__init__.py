"""Take the program out of a model's reply: fences, reasoning, prose."""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.judging.replies._blocks import FencedBlock, blocks_of_reply, without_end_tokens
    from steelyard.judging.replies._code import code_of_reply, program_of, take_code
    from steelyard.judging.replies._taken import Taken
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "FencedBlock",
    "Taken",
    "blocks_of_reply",
    "code_of_reply",
    "program_of",
    "take_code",
    "without_end_tokens",
]
