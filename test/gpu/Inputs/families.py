"""Compiles programs of every row of the table of what works for GPUs, forward and backward: families.py BIN PTXAS ARCH:COUNT..

So many of each row for each architecture. The PTX must be what the PTX machine knows and, where PTXAS is not empty, what ptxas assembles without a note on products that
it runs one after the other. Prints what spills.
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(TESTS, "readme"), os.path.join(TESTS, "support")]
import cubin  # noqa: E402
import what_works  # noqa: E402


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XF_PTXAS": ""})
    if done.returncode:
        raise ValueError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def check(bin_folder, ptxas, architecture, programs):
    """The kernels of a row: how many, and what ptxas says of those that spill."""
    with tempfile.TemporaryDirectory() as folder:
        program, ptx = os.path.join(folder, "row.mlir"), os.path.join(folder, "row.ptx")
        with open(program, "w", encoding="utf-8") as file:
            file.writelines(row.text(f"f{number}") for number, row in enumerate(programs))
        command = [os.path.join(bin_folder, "xfc"), program, "--target=cuda", f"--gpu-arch={architecture}", "--emit=ptx", "-o", ptx]
        command += [f"--entry=f{number}" for number in range(len(programs))]
        command += [f"--vjp=f{number}" for number, row in enumerate(programs) if row.differentiable]
        run(command)
        run([os.path.join(bin_folder, "ptx-run"), ptx, "--load"])
        kernels = cubin.assemble(ptxas, architecture, ptx, os.path.join(folder, "row.cubin")) if ptxas else {}
    notes = [note for figures in kernels.values() for note in figures.notes]
    if notes:
        raise ValueError("\n".join(["expected no notes of ptxas, got", *notes]))
    return len(kernels), [f"{name}: {figures.stack} bytes of stack, {figures.spills} of spills"
                          for name, figures in kernels.items() if figures.stack or figures.spills]


def main(bin_folder, ptxas, *choices):
    failed = count = 0
    limits = {architecture: int(limit) for architecture, limit in (choice.split(":") for choice in choices)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = {(row, architecture): pool.submit(check, bin_folder, ptxas, architecture, programs[:limit])
                for architecture, limit in limits.items() for row, programs in what_works.ROWS}
        for (row, architecture), outcome in work.items():
            try:
                kernels, spills = outcome.result()
                count += kernels
                print("\n".join([f"{architecture}, {row}: {kernels} kernels", *spills]), flush=True)
            except ValueError as error:
                failed += 1
                print(f"{architecture}, {row}: {error}")
    print(f"{len(work)} rows, {count} kernels, {failed} failed")
    return failed > 0 or not work


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
