# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear layers with held parameters: at shapes of ViT-B and GPT-2, with and without bias and GELU, and of few rows."""

from figures import lab as labs
from figures import libraries
from figures.harness import Case
from figures.programs import Linear

LAYERS = {"ViT-B": [(197, 768, 2304), (197, 768, 768), (197, 768, 3072), (197, 3072, 768)],
          "GPT-2": [(1024, 768, 2304), (1024, 768, 768), (1024, 768, 3072), (1024, 3072, 768), (1024, 768, 50257)]}
ROWS, WEIGHTS = (1, 4, 8, 16), [(768, 3072), (3072, 768), (4096, 4096)]


def arrays_of(layer):
    scale = layer.depth ** -0.5
    return {"x": labs.draw((layer.rows, layer.depth), layer.element), "b": labs.draw((layer.columns,), layer.element, seed=2),
            "w": labs.draw((layer.columns, layer.depth), layer.element, scale, seed=1)}


def calls(layer, lab, reads):
    arrays = arrays_of(layer)
    given = arrays if layer.epilogue else {name: arrays[name] for name in "xw"}
    result = {"xf": lab.call(layer.text(), "linear", given)}
    if reads:
        result["read"] = lab.reader(layer.weight_bytes())
    return result | libraries.linear_of_torch(lab, arrays, layer.epilogue) | libraries.linear_of_numpy(arrays, layer.element, layer.epilogue)


def case(layer, model, goal):
    rows, depth, columns = layer.rows, layer.depth, layer.columns
    reads = rows == 1
    name = f"{layer.element} {model + ' ' if model else ''}{rows} x {depth} x {columns}{', ' * bool(layer.epilogue)}{layer.epilogue}"
    size = layer.weight_bytes() // layer.depth // layer.columns
    moved = layer.weight_bytes() + size * rows * (depth + columns)
    return Case(name, "Products", "stream" if reads else "peak", lambda lab: calls(layer, lab, reads), layer.flop(), layer.element, goal,
                base="read" if reads else None, facts={"flop": layer.flop(), "bytes": moved, "rows": rows})


def cases(lab):
    for element in ("bf16", "f32"):
        for model, shapes in LAYERS.items():
            for rows, depth, columns in shapes:
                for epilogue in ("", "bias", "bias + GELU") if columns == 3072 else ("",):
                    goal = None if element == "f32" or columns > 50000 else 0.80 if "GELU" in epilogue else 0.85
                    yield case(Linear(rows, depth, columns, element, epilogue), model, goal)
        for rows in ROWS:
            for depth, columns in WEIGHTS:
                yield case(Linear(rows, depth, columns, element), "", 0.95 if rows == 1 and element == "bf16" else None)
