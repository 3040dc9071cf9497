# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a night tries. A class has a share of the time, slices by number, and reductions of what failed."""

import dataclasses
import pathlib
import random

import attend
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
                       label=named[name]["dtype"])
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


def all_classes(context):
    return {"attention": Drawn(context, attend, 12, 4), "graphs": Drawn(context, graph_cases, 4, 8),
            "mutated programs": mutants.Programs(context),
            "mutated files": mutants.Files(context), "damaged tables": mutants.Tables(context),
            "kills": kills.Kills(context)}
