# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page_files.py PAGE: writes the files that a page shows, blocks of code with a first line `// NAME.ext` or `# NAME.ext`, and
commands.sh, the commands of its blocks of shell and of consoles."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as page:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
commands = ""
for kind, body in blocks:
    first, _, rest = body.partition("\n")
    name = re.match(r"(?://|#) ([\w-]+\.\w+)$", first)
    commands += body if kind == "sh" else ""
    commands += "".join(f"{line[2:]}\n" for line in body.splitlines() if kind == "console" and line.startswith("$ "))
    if name:
        with open(name[1], "w", encoding="utf-8") as file:
            file.write(rest)
with open("commands.sh", "w", encoding="utf-8") as file:
    file.write(commands)
