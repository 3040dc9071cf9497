"""Checks the JSON that xfc explain printed for one of the programs of explain.test; counts are those of the definition."""

import json
import sys

KEYS = {
    "loc", "entry", "kind", "pattern", "pieces", "pairs", "executed_pairs", "flop", "bytes", "arithmetic_intensity", "workspace_bytes",
    "saved_bytes", "tiles", "entry_launches", "entry_copies", "slow_path",
}


def pairs(size, holds):
    return sum(holds(i, j) for i in range(size) for j in range(i + 1))


reports = json.load(sys.stdin)
first = reports[0]
assert all(set(report) == KEYS for report in reports), sorted(first)
assert first["slow_path"] is None and first["pieces"], first
assert all(set(report["tiles"]) == {"rows", "columns", "queries", "keys", "why"} for report in reports), first
reasons = [reason.split(":")[0] for report in reports for reason in report["tiles"]["why"]]
assert all(reasons.count(reason) == len(reports) for reason in ("registers", "keys", "queries")), reasons
strided = 4 * pairs(16, lambda i, j: i - j <= 4 or (i - j) % 4 == 0)
fixed = pairs(16, lambda i, j: i // 4 == j // 4)

case = sys.argv[1]
if case == "static":
    assert len(reports) == 1 and first["loc"] == "static.mlir:2:8", first
    assert first["pairs"] == strided <= first["executed_pairs"], first
    assert first["flop"] == 4 * 8 * strided and first["bytes"] == 4 * 4 * (2 * 2 * 16 * 8), first
    assert first["arithmetic_intensity"] == first["flop"] / first["bytes"], first
elif case == "dynamic":
    assert "N" in first["pairs"] and "N" in first["executed_pairs"] and "Nq" in first["bytes"], first
    assert "short" not in reasons, first
    assert "pairs" in first["flop"] and first["arithmetic_intensity"] is None, first
elif case == "heads":  # heads 0 and 2 take the first pattern
    assert first["pairs"] == 2 * fixed + pairs(16, lambda i, j: True), first
    assert [piece[:7] for piece in first["pieces"]] == ["heads 0", "heads 1"], first
elif case == "gradient":
    backward = [report for report in reports if report["kind"] == "backward"]
    assert len(backward) == 1 and backward[0]["entry"] == "f_vjp", reports
    assert "second-level cache" in backward[0]["tiles"]["why"][1] and "first-level" in first["tiles"]["why"][1], reports
    assert backward[0]["flop"] == 10 * 8 * strided and backward[0]["saved_bytes"] == 4 * 2 * 2 * 16, backward
