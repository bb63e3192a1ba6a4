def revenue(sales: pd.DataFrame) -> pd.DataFrame:
    """Revenue in cents and units by region, the largest first."""
    cents = sales["units"] * sales["unit_cents"]
    grouped = sales.assign(cents=cents).groupby("region", as_index=False)
    table = grouped[["cents", "units"]].sum()
    ordered = table.sort_values("cents", ascending=False, kind="stable")
    return ordered.reset_index(drop=True)
