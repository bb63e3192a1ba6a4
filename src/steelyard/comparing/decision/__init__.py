"""Compare what two versions did, record by record."""
