from shop.invoices import Line, totals_by_customer


def test_no_lines():
    assert totals_by_customer([]) == {}


def test_one_customer():
    lines = [Line("Ada", 1_250), Line("Ada", 399)]
    assert totals_by_customer(lines) == {"Ada": 1_649}


def test_two_customers_whose_lines_alternate():
    lines = [Line("Grace", 500), Line("Ada", 120), Line("Grace", 80)]
    assert totals_by_customer(lines) == {"Ada": 120, "Grace": 580}


def test_a_refund():
    assert totals_by_customer([Line("Ada", 300), Line("Ada", -300)]) == {"Ada": 0}


def test_a_busy_month():
    lines = [Line(f"customer {i % 25}", i) for i in range(150)]
    totals = totals_by_customer(lines)
    assert sum(totals.values()) == sum(range(150))
    assert len(totals) == 25
