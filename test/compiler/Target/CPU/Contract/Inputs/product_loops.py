"""Judges the innermost loops of x86 assembly that multiply matrices with zmm registers.

    xfc .. --emit=asm | product_loops.py LOOPS

A loop counts where it holds 48 fused multiply-adds or more. It must not touch a vector on the stack, use narrower
registers, or load more than two operands for three multiply-adds (processors load as many registers in a cycle as they
multiply; a tile of 8x2 needs 10 for 16). Prints the number of loops, and fails unless there are at least LOOPS.
"""

import re
import sys

lines = sys.stdin.read().splitlines()
labels = {}
loops = []
for number, line in enumerate(lines):
    if label := re.match(r"([.\w]+):", line):
        labels[label.group(1)] = number
    if (jump := re.match(r"\tj\w+\t(\.L\w+)", line)) and jump.group(1) in labels:
        loops.append((labels[jump.group(1)], number))
innermost = [(a, b) for a, b in loops if not any((a, b) != (c, d) and a <= c and d <= b for c, d in loops)]

checked = 0
for begin, end in innermost:
    body = lines[begin : end + 1]
    products = [line for line in body if re.match(r"\tvfn?m(add|sub)", line)]
    if len(products) < 48 or any("vscalef" in line for line in body):  # the softmax has polynomials
        continue
    checked += 1
    loads = [line for line in body if re.search(r"\(%\w+.*\).*%[xyz]mm", line)]
    for line in body:
        if re.search(r"\(%rsp.*%[xyz]mm|%[xyz]mm.*\(%rsp", line) or "ymm" in line:
            sys.exit(f"line {begin}: expected no spilled or shorter vectors in a product's loop, got '{line.strip()}'")
    if 3 * len(loads) > 2 * len(products):
        sys.exit(f"line {begin}: expected at most two loads for three products, got {len(loads)} for {len(products)}")
print(checked, "loops")
if checked < int(sys.argv[1]):
    sys.exit(f"expected {sys.argv[1]} loops of products or more")
