"""Reports for the board."""

import pandas as pd


def revenue(sales: pd.DataFrame) -> pd.DataFrame:
    """Revenue in cents and units by region, the largest first."""
    return (
        sales.assign(cents=sales["units"] * sales["unit_cents"])
        .groupby("region", as_index=False)[["cents", "units"]]
        .sum()
        .sort_values("cents", ascending=False, kind="stable")
        .reset_index(drop=True)
    )
