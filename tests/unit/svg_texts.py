"""Where the texts of an SVG chart lie."""

import xml.etree.ElementTree as ET
from typing import NamedTuple
from unicodedata import east_asian_width


class Placed(NamedTuple):
    """A text of a chart, and about where it lies: left, right, top, bottom."""

    text: str
    box: tuple[float, float, float, float]


def texts_of(chart: str) -> list[Placed]:
    placed = []
    for each in ET.fromstring(chart).iter("text"):
        text, x, y = each.text or "", float(each.attrib["x"]), float(each.attrib["y"])
        wide = sum(11 if east_asian_width(char) in "WF" else 6.2 for char in text)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[each.attrib["text-anchor"]]
        placed.append(Placed(text, (left, left + wide, y - 9, y + 2.5)))
    return placed
