"""Checks the objects of `xfc explain --mesh --json`, read from stdin, for the programs of explain-mesh.test.

usage: check-mesh.py NAME
"""

import json
import sys

NAME = sys.argv[1]
meshes = [attention["mesh"] for attention in json.load(sys.stdin)]
mesh = meshes[-1]  # of a gradient and its attention
if "seconds" in mesh:
    seconds = mesh["seconds"]
    assert mesh["limit"] in ("flops", "bytes", "node-bytes", "message"), mesh
    assert abs(seconds["total"] - seconds["messages"] - max(seconds["compute"], seconds["wire"])
               - min(seconds["compute"], seconds["wire"]) / 8) < 1e-14, seconds
if NAME == "window":
    heads, width, bytes_of_number, halo, ranks, tokens = 2, 16, 8, 64, 4, 1024
    token = 2 * heads * width * bytes_of_number  # a key and a value; as much comes back
    pairs = sum(min(query, halo) + 1 for query in range(tokens))
    busiest = tokens // ranks * (halo + 1)
    assert mesh["axes"] == {"sequence": ranks} and mesh["tokens"] == tokens and mesh["chunks"] == 1, mesh
    assert mesh["collectives"] == {"exchange": 2, "return_reduce": 2} and mesh["messages"] == 4, mesh
    assert mesh["bytes_sent"] == 2 * halo * token, mesh["bytes_sent"]
    assert mesh["gather_bytes"] == 2 * (tokens - tokens // ranks) * token, mesh["gather_bytes"]
    assert abs(mesh["balance"] - busiest * ranks / pairs) < 1e-12, mesh["balance"]
elif NAME == "states":
    heads, features, width, bytes_of_number, others = 2, 16, 16, 8, 3
    state = heads * features * (width + 1) * bytes_of_number
    assert mesh["bytes_sent"] == 2 * others * state, mesh["bytes_sent"]  # to each, forward and backward, whatever the length
    assert "balance" not in mesh, mesh
else:
    assert NAME == "causal" and len(meshes) == 3, NAME  # of f, and forward and backward of f_vjp
    assert meshes[0] == meshes[1], meshes
    assert mesh["axes"] == {"data": 2, "sequence": 4} and mesh["chunks"] == 2, mesh
    assert mesh["collectives"] == {"exchange": 4, "return_reduce": 2}, mesh  # keys and values are sent again for the gradient
    assert mesh["bytes_sent"] == 1.25 * mesh["gather_bytes"], mesh
    assert mesh["balance"] == 1 and 0.5 < mesh["ideal_share"] < 1, mesh
