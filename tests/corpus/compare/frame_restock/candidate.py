def to_order(stock: pd.DataFrame) -> pd.DataFrame:
    """The rows below their minimum, with the missing count in `order`."""
    rows = stock[stock["stock"] < stock["minimum"]].reset_index(drop=True)
    rows["order"] = (rows["minimum"] - rows["stock"]).astype("int64")
    return rows
