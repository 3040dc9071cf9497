# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a night tries. A class has a share of the time, slices by number, and reductions of what failed."""

import dataclasses
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "ranks/Inputs"))

import attend
import draw as of_ranks
import graph_cases
import kills
import mutants
import native
import reduce
import trial


@dataclasses.dataclass
class Context:
    """The build that is tried, and the seed from which all cases follow."""
    build: pathlib.Path
    seed: int

    def first(self, number, count):
        """The seed of the first of `count` cases of a slice."""
        return self.seed * 10**9 + number * count


class Drawn:
    """Programs of one kind, some to a compilation, on one target."""

    def __init__(self, context, kind, share, count):
        self.context, self.kind, self.share, self.count = context, kind, share, count
        wide = "avx512" if native.has_avx512() else "avx2"
        self.targets = ["avx2"] * 5 + [wide] * 4 + ["comma"] * 2 + ["O0", "O0", "bits128", "bits512", "bf16", "O3", "interpreter", "interpreter",
                                                    "sm_80", "sm_80", "sm_90a", "sm_90a"]

    def slice(self, number):
        first, target = self.context.first(number, self.count), random.Random(number).choice(self.targets)

        def work(folder, report):
            named = {f"e{n}": self.kind.draw(n, target) for n in range(first, first + self.count)}

            def tell(name, outcome, message, worst, calls):
                report(name, outcome, message and f"{target}: {message}", worst=worst, calls=calls, target=target,
                       label=named[name]["dtype"], kinds=[target, *self.kind.kinds(named[name])])
            trial.run(self.kind, named, target, self.context.build, folder, tell)
        return work

    def reduction(self, report, failures):
        def work(folder, tell):
            program, target = self.kind.draw(int(report["case"][1:]), report["target"]), report["target"]
            least, message = reduce.reduced(self.kind, program, target, report["outcome"], self.context.build, folder)
            path = failures / f"{self.kind.__name__}-{program['seed']}-{target}.test"
            path.write_text(reduce.as_test(self.kind, least, target, message))
            tell(report["case"], "right", f"{path}: {message[:200]}")
        return work


class Ranks:
    """Programs of several ranks against one."""
    share, count = 3, 4

    def __init__(self, context):
        self.context, self.tool = context, str(context.build / "bin/xf-shares")

    def slice(self, number):
        order = ("ranks", "ranks", "keys")[number % 3]

        def work(folder, report):
            first = self.context.first(number, self.count)
            for seed in range(first, first + self.count):
                outcome, said = of_ranks.run(seed, order, self.tool)
                report(seed, outcome, said[-500:] if outcome != "right" else "", calls=1, label=order,
                       kinds=[order, *of_ranks.draw(seed, order)[1].kinds()])
        return work

    def reduction(self, found, failures):
        def work(folder, report):
            path = failures / f"{found['label']}-{found['case']}.mlir"
            path.write_text(of_ranks.draw(found["case"], found["label"])[0])
            report(found["case"], "right", f"not reduced: {path}: {found['message'][:200]}")
        return work


def all_classes(context):
    return {"attention": Drawn(context, attend, 12, 4), "graphs": Drawn(context, graph_cases, 6, 8), "ranks": Ranks(context),
            "mutated programs": mutants.Programs(context),
            "mutated files": mutants.Files(context), "damaged tables": mutants.Tables(context),
            "kills": kills.Kills(context)}
