# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a night tries. A class has a share of the time, slices by number, and reductions of what failed."""

import dataclasses
import pathlib
import random

import attend
import mutants
import native
import reduce


@dataclasses.dataclass
class Context:
    """The build that is tried, and the seed from which all cases follow."""
    build: pathlib.Path
    seed: int

    def first(self, number, count):
        """The seed of the first of `count` cases of a slice."""
        return self.seed * 10**9 + number * count


class Attention:
    """Programs of one attention each, four to a compilation, on one target."""
    share, count = 12, 4

    def __init__(self, context):
        self.context = context
        wide = "avx512" if native.has_avx512() else "avx2"
        self.targets = ["avx2"] * 5 + [wide] * 4 + ["O0", "O0", "bits128", "bits512", "O3", "interpreter", "interpreter",
                                                    "sm_80", "sm_80", "sm_90a", "sm_90a"]

    def slice(self, number):
        first, target = self.context.first(number, self.count), random.Random(number).choice(self.targets)

        def work(folder, report):
            named = {f"e{n}": attend.draw(n, target) for n in range(first, first + self.count)}

            def tell(name, outcome, message, worst, calls):
                report(name, outcome, message and f"{target}: {message}", worst=worst, calls=calls, target=target,
                       label=named[name]["dtype"])
            attend.run(named, target, self.context.build, folder, tell)
        return work

    def reduction(self, report, failures):
        def work(folder, tell):
            program, target = attend.draw(int(report["case"][1:]), report["target"]), report["target"]
            least, message = reduce.reduce_attention(program, target, report["outcome"], self.context.build, folder)
            path = failures / f"attention-{program['seed']}-{target}.test"
            path.write_text(reduce.test_of_attention(least, target, message))
            tell(report["case"], "right", f"{path}: {message[:200]}")
        return work


def all_classes(context):
    return {"attention": Attention(context), "mutated programs": mutants.Programs(context),
            "mutated files": mutants.Files(context)}
