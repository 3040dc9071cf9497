"""mpirun.py [--mpi=FOLDER] RANKS PROGRAM ARGUMENTS..: runs a program as so many processes of the MPI of this machine, or of the one
in a folder (bin/mpiexec), on however few cores there are, also as root. Where there is none says so and ends with 77.

Prints what the processes print, then `exit code N`. What launchers print by themselves about processes that end is left out.
"""

import os
import shutil
import subprocess
import sys

arguments = sys.argv[1:]
folder = arguments.pop(0).partition("=")[2] if arguments[0].startswith("--mpi=") else None
launcher = os.path.join(folder, "bin", "mpiexec") if folder else shutil.which("mpirun")
if not launcher or not os.path.exists(launcher):
    print("expected an MPI to run with, found none")
    sys.exit(77)
environment = dict(os.environ)
if folder:
    environment["LD_LIBRARY_PATH"] = os.path.join(folder, "lib") + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    environment["OPAL_PREFIX"] = folder
options = ["-n", arguments[0]]
version = subprocess.run([launcher, "--version"], capture_output=True, text=True, env=environment).stdout
if "Open MPI" in version:  # shared memory alone, which gives way where there are fewer cores than ranks
    environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1",
                       OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader" if "Open MPI) 4" in version else "self,sm")
    options += ["--oversubscribe", "--bind-to", "none"]
done = subprocess.run([launcher, *options, *arguments[1:]], env=environment, capture_output=True, text=True, timeout=300)
print(done.stdout, end="")
print(done.stderr, end="")
print("\nexit code", done.returncode)
