"""A table as CSV."""

import csv

from steelyard.reports import Table, csv_text


def test_no_text_is_a_formula_and_numbers_stay() -> None:
    rows = [["=1+1", "@x"], ["-1.5e-3", "+A1"], ["-", 'a,"b']]
    read = list(csv.reader(csv_text(Table(["first", "second"], rows)).splitlines()))
    assert read == [["first", "second"], ["'=1+1", "'@x"], ["-1.5e-3", "'+A1"], ["'-", 'a,"b']]
