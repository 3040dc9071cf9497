"""nan_rows.py FILE ROW..: the rows of an array, all but its last dimension counted as one, that are NaN throughout are ROW.., and no other holds a NaN."""

import sys

import numpy as np

rows = np.load(sys.argv[1])
rows = rows.reshape(-1, rows.shape[-1])
expected = [int(row) for row in sys.argv[2:]]
for row, values in enumerate(rows):
    count = np.isnan(values).sum()
    wanted = values.size if row in expected else 0
    if count != wanted:
        sys.exit(f"row {row}: expected {wanted} NaN, got {count}")
