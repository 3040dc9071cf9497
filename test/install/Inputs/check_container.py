# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_container.py ROOT: checks .devcontainer/Dockerfile and devcontainer.json, as far as that needs no Docker."""

import json
import pathlib
import re
import sys

INSTRUCTIONS = {"FROM", "COPY", "RUN", "WORKDIR", "ENV", "CMD", "ENTRYPOINT"}


def problems(root):
    text = (root / ".devcontainer/Dockerfile").read_text()
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).split("\n")
    stages = []
    for line in filter(None, lines):
        word, _, rest = line.partition(" ")
        if word not in INSTRUCTIONS:
            yield f"expected an instruction of Docker, got {word}"
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            if image not in [*stages, "debian:12"]:
                yield f"expected a stage before this one or Debian, got {image}"
            stages.append(name)
        if word == "COPY" and rest.startswith("--from="):
            if (source := rest.split()[0].removeprefix("--from=")) not in stages[:-1]:
                yield f"expected a stage before this one, got {source}"
        elif word == "COPY" and not (root / rest.split()[0]).exists():
            yield f"expected a file of the project, got {rest.split()[0]}"
        for script in re.findall(r"\.ci/\w+", rest):
            if not (root / script).exists():
                yield f"expected a file of the project, got {script}"
    container = json.loads((root / ".devcontainer/devcontainer.json").read_text())["build"]
    if container["target"] not in stages or container["dockerfile"] != "Dockerfile":
        yield f"expected one of the stages {stages}, got {container}"
    print(f"{len(stages)} stages, ", end="")


found = list(problems(pathlib.Path(sys.argv[1])))
print(f"{len(found)} problems", *found, sep="\n")
