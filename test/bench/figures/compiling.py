# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds of a processor to compile: attention with its gradient (compile*.mlir), and whole models."""

import compile as programs

from figures import models
from figures.harness import Case

FILES = [programs.FOLDER / "compile.mlir", programs.FOLDER / "compile-regions.mlir"]
AIMS = {"ViT-B": 1.0, "GPT-2": None, "GPT-2 training step": 2.0}


def attention_seconds(lab, file, name):
    return {"xf": programs.seconds(lab.build / "bin/xfc", file, name, True)}


def model_seconds(lab, kind, element):
    path = lab.folder / "model.mlir"
    path.write_text(models.source(lab, kind, element), encoding="utf-8")
    return {"xf": programs.run(lab.build / "bin/xfc", path, [programs.CPU, "-o", lab.folder / "model.o"])[1]}


def cases(lab):
    for element in ("bf16", "f32"):
        for kind, aim in AIMS.items():
            yield Case(f"{element} {kind}", "Compile time", "s", lambda lab, k=kind, e=element: model_seconds(lab, k, e), goal=aim)
    for file in FILES:
        for name in programs.entries(file):
            yield Case(f"{name}, gradient", "Compile time", "s", lambda lab, f=file, n=name: attention_seconds(lab, f, n), goal=2.0)
