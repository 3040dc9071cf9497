"""Reads the data of a page of `xfc explain --html`.

usage: read-report.py PAGE                   prints them as JSON with sorted keys
       read-report.py PAGE --keys HEAD       prints the keys of the first pattern's predicate, a line for each query
       read-report.py --same KEYS NPZ NAME   checks that these are the pairs of a boolean matrix
"""

import ast
import json
import re
import sys
import zipfile


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.DOTALL).group(1))


def keys_of(runs):
    for rows, numbers in runs:
        keys, end = [], 0
        for gap, length, count in zip(*[iter(numbers)] * 3):
            for _ in range(count):
                keys += range(end + gap, end + gap + length)
                end += gap + length
        yield from [keys] * rows


if sys.argv[1] == "--same":
    _, _, keys, path, name = sys.argv
    with zipfile.ZipFile(path) as archive:
        array = archive.read(name)
    start = 10 + int.from_bytes(array[8:10], "little")
    _, columns = ast.literal_eval(array[10:start].decode())["shape"]
    rows = [[n for n in range(columns) if array[at + n]] for at in range(start, len(array), columns)]
    with open(keys, encoding="utf-8") as file:
        got = [json.loads(line) for line in file]
    assert got == rows and any(rows), (got, rows)
elif len(sys.argv) == 4:
    for keys in keys_of(read(sys.argv[1])["patterns"][0]["solutions"][int(sys.argv[3])]["tiles"]["runs"]):
        print(json.dumps(keys))
else:
    print(json.dumps(read(sys.argv[1]), indent=1, sort_keys=True))
