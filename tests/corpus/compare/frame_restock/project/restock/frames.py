"""What has to be ordered."""

import pandas as pd


def to_order(stock: pd.DataFrame) -> pd.DataFrame:
    """The rows below their minimum, with the missing count in `order`."""
    labels = []
    counts = []
    for label, row in stock.iterrows():
        if row["stock"] < row["minimum"]:
            labels.append(label)
            counts.append(row["minimum"] - row["stock"])
    rows = stock.loc[labels].copy()
    rows["order"] = pd.Series(counts, index=rows.index, dtype="int64")
    return rows
