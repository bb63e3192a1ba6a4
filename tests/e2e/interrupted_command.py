"""Runs `steelyard` and sends itself SIGINT at chosen instants, counted in calls and returns.

python interrupted_command.py count args...       prints how many there are
python interrupted_command.py 1000,1200 args...   SIGINT at the 1,000th and at the 1,200th
"""

import os
import signal
import sys
from types import FrameType

from steelyard.cli import main

instants = [int(each) for each in sys.argv[1].split(",") if each != "count"]
sys.argv[:2] = ["steelyard"]
passed = [0]


def count(_frame: FrameType, _event: str, _arg: object) -> None:
    passed[0] += 1
    if instants and passed[0] >= instants[0]:
        instants.pop(0)
        os.kill(os.getpid(), signal.SIGINT)


counting = not instants
sys.setprofile(count)
status = main()
sys.setprofile(None)
if counting:
    os.write(2, f"{passed[0]}\n".encode())
sys.exit(status)
