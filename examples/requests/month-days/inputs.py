def generate_inputs():
    return {
        "basic": [[2023, month] for month in range(1, 13)],
        "edge": [[2001, 1], [2001, 12], [9999, 1], [9999, 12]],
        "stress": [[9998, 7]],
        "adversarial": [[2004, 2], [2100, 2], [2200, 2], [2003, 2], [2024, 3]],
        "domain": [[2024, 2], [2025, 2], [2026, 8]],
    }


def is_valid_input(year, month):
    return 2001 <= year <= 9999 and 1 <= month <= 12
