"""Reads what ptx-run prints of two buffers: the second one holds the numbers of the first one in increasing order."""

import sys

given, result = [line.split(":")[1].split() for line in sys.stdin if line.startswith("buffer")]
expected = sorted(int(number) for number in given)
if result != [str(number) for number in expected]:
    sys.exit(f"expected {expected}, got {result}")
