"""write_decoys.py PROGRAMS FOLDER: files in FOLDER that are no libraries, with the names of all that PROGRAMS are linked with."""

import os
import sys

from elf import ElfFile, files_under, is_elf

programs, folder = sys.argv[1:]
os.makedirs(folder)
for name in {name for path in files_under(programs) if is_elf(path) for name in ElfFile(path).needed()}:
    with open(os.path.join(folder, name), "w") as file:
        file.write("no library\n" * 100)
