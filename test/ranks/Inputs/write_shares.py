"""write_shares.py FOLDER: arrays of a layer for one rank, and their shares for 2 x 2: rows of x and y over the first axis, rows of u and
columns of d over the second. u and d are in weights.safetensors, too."""

import json
import sys

import numpy

folder = sys.argv[1]
random = numpy.random.default_rng(1)
x, u, d = (random.standard_normal(shape).astype("float32") for shape in ((4, 6), (8, 6), (6, 8)))
y = numpy.tanh(x @ u.T) @ d.T
for name, array in (("x", x), ("u", u), ("d", d), ("y", y)):
    numpy.save(f"{folder}/{name}.npy", array)
for rank in range(4):
    row, column = divmod(rank, 2)
    shares = {"x": numpy.split(x, 2)[row], "y": numpy.split(y, 2)[row], "u": numpy.split(u, 2)[column],
              "d": numpy.split(d, 2, axis=1)[column]}
    for name, array in shares.items():
        numpy.save(f"{folder}/{name}.{rank}.npy", numpy.ascontiguousarray(array))

header, data = {}, b""
for name, array in (("d", d), ("u", u)):
    header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
    data += array.tobytes()
text = json.dumps(header).encode()
with open(f"{folder}/weights.safetensors", "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text + data)
