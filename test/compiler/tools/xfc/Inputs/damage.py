"""Damages a file of bytecode in many ways, and runs a command on each: damage.py FILE COUNT COMMAND.. prints how many ended by a signal."""

import random
import subprocess
import sys

path, count, *command = sys.argv[1:]
whole, draw, signals = open(path, "rb").read(), random.Random(3), 0
for number in range(int(count)):
    damaged = bytearray(whole[: draw.randrange(5, len(whole))] if number % 5 == 0 else whole)
    for _ in range(draw.choice([1, 2, 4])):
        damaged[draw.randrange(4, len(damaged))] = draw.randrange(256)
    with open("damaged.mlirbc", "wb") as file:
        file.write(damaged)
    done = subprocess.run([*command, "damaged.mlirbc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    signals += done.returncode < 0
print(f"{count} files, {signals} signals")
