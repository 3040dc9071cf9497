"""Checks the models: check_models.py ROOT

Every header of frontend/models/xf/models has at most 120 lines of model (lines that are not empty, a comment, of the
preprocessor or of a namespace), is included by xf/models.h, and has a row in docs/models.md with the number of its lines and
a test that there is. Prints one line per violation and the number of headers; exits with 1 if there is a violation.
"""

import os
import re
import sys

MOST = 120
ROW = re.compile(r"\| .* \| \[`xf/models/(\w+\.h)`\]\([^)]*\) \| (\d+) \| .* \| \[`[^`]*`\]\(([^)]*)\) \|")
NO_MODEL = re.compile(r"\s*($|//|#|namespace |\} // namespace)")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read().splitlines()


def problems(root, headers):
    folder = os.path.join(root, "frontend/models/xf/models")
    rows = {row.group(1): row for row in map(ROW.match, read(root, "docs/models.md")) if row}
    for name in headers:
        path = f"frontend/models/xf/models/{name}"
        count = sum(not NO_MODEL.match(line) for line in read(folder, name))
        if count > MOST:
            yield f"{path}: expected at most {MOST} lines of model, got {count}"
        if f'#include "xf/models/{name}"' not in read(root, "frontend/models/xf/models.h"):
            yield f"{path}: expected its name in xf/models.h"
        if name not in rows:
            yield f"{path}: expected a row in docs/models.md"
            continue
        if int(rows[name].group(2)) != count:
            yield f"docs/models.md: expected {count} lines of {name}, got {rows[name].group(2)}"
        if not os.path.exists(os.path.join(root, "docs", rows[name].group(3))):
            yield f"docs/models.md: expected a test of {name}, got '{rows[name].group(3)}'"
    for name in sorted(set(rows) - set(headers)):
        yield f"docs/models.md: expected a header, got {name}"


def main(root):
    headers = sorted(name for name in os.listdir(os.path.join(root, "frontend/models/xf/models")) if name.endswith(".h"))
    found = list(problems(root, headers))
    print("\n".join(found + [f"{len(headers)} headers"]))
    return 1 if found or not headers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
