"""Compares the losses that two runs of train_text wrote with --losses.

usage: compare-losses.py EXPECTED FOUND [--steps=N] [--over=1] [--within=0.01]

Prints the largest relative difference of the means over so many consecutive steps; exits with 1 where it is larger than
--within, or where the files do not have N steps.
"""

import argparse
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return [float(line) for line in file]


def means(losses, count):
    return [sum(losses[n:n + count]) / count for n in range(len(losses) - count + 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected")
    parser.add_argument("found")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--over", type=int, default=1)
    parser.add_argument("--within", type=float, default=0.01)
    options = parser.parse_args()
    expected, found = read(options.expected), read(options.found)
    steps = options.steps or len(expected)
    if len(expected) != steps or len(found) != steps:
        sys.exit(f"expected {steps} steps, got {len(expected)} and {len(found)}")
    pairs = list(zip(means(expected, options.over), means(found, options.over)))
    differences = [abs(a - b) / a for a, b in pairs]
    worst = max(range(len(pairs)), key=differences.__getitem__)
    got = (f"{differences[worst]:.2%} at step {worst + 1} of {steps}; losses fall from {expected[0]:.3f} to "
           f"{expected[-1]:.3f} and {found[-1]:.3f}")
    if not differences[worst] <= options.within:
        print(f"expected losses within {options.within}, got {got}")
        sys.exit(1)
    print(f"largest difference: {got}")


if __name__ == "__main__":
    main()
