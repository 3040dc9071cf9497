"""Checks the objects of `xfc explain --mesh --json`, read from stdin, for the programs of explain-mesh.test.

usage: check-mesh.py NAME
"""

import json
import sys

NAME = sys.argv[1]
meshes = [attention["mesh"] for attention in json.load(sys.stdin)]
mesh = meshes[0]
assert mesh["limit"] in ("flops", "bytes", "node-bytes", "message"), mesh
assert abs(mesh["seconds"]["total"] - mesh["seconds"]["messages"] - max(mesh["seconds"]["compute"], mesh["seconds"]["wire"])
           - min(mesh["seconds"]["compute"], mesh["seconds"]["wire"]) / 8) < 1e-14, mesh["seconds"]
if NAME == "window":
    heads, width, bytes_of_number, halo, ranks, tokens = 2, 16, 8, 64, 4, 1024
    token = 2 * heads * width * bytes_of_number  # a key and a value; as much comes back
    pairs = sum(min(query, halo) + 1 for query in range(tokens))
    busiest = tokens // ranks * (halo + 1)
    assert mesh["axes"] == {"sequence": ranks} and mesh["tokens"] == tokens, mesh
    assert mesh["placement"] == "in order" and mesh["chunks"] == 1, mesh
    assert mesh["pieces"] == [{"group": 0, "mode": "4 x 1", "keys": "neighbours", "queries": "none"}], mesh["pieces"]
    assert mesh["bytes_sent"] == 2 * halo * token, mesh["bytes_sent"]
    assert mesh["gather_bytes"] == 2 * (tokens - tokens // ranks) * token, mesh["gather_bytes"]
    assert abs(mesh["balance"] - busiest * ranks / pairs) < 1e-12, mesh["balance"]
    assert mesh["warning"] is None and mesh["ranks_counted"] == ranks, mesh
elif NAME == "states":
    heads, features, width, bytes_of_number = 2, 16, 16, 8
    state = heads * features * (width + 1) * bytes_of_number
    assert mesh["states"] == {"scan": "exclusive scan", "bytes": state, "steps": 4}, mesh["states"]
    assert mesh["bytes_sent"] == 3 * state <= 26 * 1024, mesh["bytes_sent"]  # of ranks 1 and 2, whatever the length
    assert mesh["pieces"] == [] and mesh["balance"] == 1, mesh
else:
    assert NAME == "causal" and len(meshes) == 3, NAME  # of f, and forward and backward of f_vjp
    assert all(other == mesh for other in meshes), meshes
    assert mesh["axes"] == {"data": 2, "sequence": 4} and mesh["placement"] == "dealt" and mesh["chunks"] == 2, mesh
    assert mesh["bound_bytes"] <= mesh["bytes_sent"] <= mesh["gather_bytes"], mesh
    assert mesh["balance"] == 1 and 0.5 < mesh["ideal_share"] < 1, mesh
