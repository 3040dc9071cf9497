"""How lit runs the tests of this folder."""

import os
import shutil
import sys

import lit.formats

config.name = "xf"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c", ".cpp"]
# Folders of C++ test programs, which ctest runs, and of inputs that are no tests.
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.xf_test_build
config.environment["PATH"] = os.pathsep.join([config.xf_bin, config.llvm_tools, os.environ["PATH"]])
config.substitutions.append(("%runtime_include", os.path.join(config.xf_source, "runtime", "include")))
config.substitutions.append(("%runtime_lib", config.xf_lib))
config.substitutions.append(("%llvm_tools", config.llvm_tools))
config.substitutions.append(("%build", config.xf_build))
config.substitutions.append(("%source", config.xf_source))
config.substitutions.append(("%complexity", f"{sys.executable} {os.path.join(config.test_source_root, 'support', 'check-complexity.py')}"))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%cc", f"{config.c_compiler} {config.sanitizers}"))
# %exits CODE COMMAND..: the command must end with this exit code.
config.substitutions.append(("%exits", "sh " + os.path.join(config.test_source_root, "runtime", "Inputs", "expect-exit.sh")))
config.substitutions.append(("%cxx", f"{config.cxx_compiler} {config.sanitizers}"))
# Programs append to it which PTX ran (.ci/test).
if "XF_PTX_COVERAGE" in os.environ:
    config.environment["XF_PTX_COVERAGE"] = os.environ["XF_PTX_COVERAGE"]
# What builds the site of docs (.ci/install tests).
if os.path.isdir(os.path.join(config.xf_build, "mkdocs", "mkdocs")):
    config.available_features.add("mkdocs")
# Launchers of MPI and plug-ins for them: what the system has, and what .ci/install brings. Sanitizers report what MPI leaves behind.
mpis = os.path.join(config.xf_build, "mpi")
config.substitutions.append(("%mpi", mpis))
for feature, launcher, plugin in [("mpi", "mpirun", "libxfrt-mpi.so"),
                                  ("mpi-abi", os.path.join(mpis, "mpich", "bin", "mpiexec"), "libxfrt-mpi-abi.so"),
                                  ("mpi-intel", os.path.join(mpis, "impi-rt", "bin", "mpiexec"), "libxfrt-mpi-abi.so"),
                                  ("mpi-openmpi5", os.path.join(mpis, "openmpi", "bin", "mpiexec"), "libxfrt-mpi.so")]:
    if shutil.which(launcher) and os.path.exists(os.path.join(config.xf_lib, plugin)) and not config.sanitizers:
        config.available_features.add(feature)
# What shows the page of `xfc explain --html`.
if shutil.which("chromium"):
    config.available_features.add("chromium")
# What assembles PTX is not needed, and used where it is. Tests name it where they want it: the others are faster without,
# and the same everywhere.
config.environment["XF_PTXAS"] = ""
toolkit = os.pathsep.join([os.environ["PATH"], "/usr/local/cuda/bin", os.path.join(config.xf_build, "nvdisasm", "nvidia", "cu13", "bin")])
ptxas = shutil.which("ptxas", path=toolkit)
config.substitutions.append(("%{ptxas-or-none}", ptxas or "''"))
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
    prove = f"{sys.executable} {os.path.join(config.test_source_root, 'support', 'prove-kernels.py')} --ptxas={ptxas}"
    nvdisasm = shutil.which("nvdisasm", path=toolkit)
    if nvdisasm:
        config.available_features.add("nvdisasm")
        prove += f" --need-nvdisasm --nvdisasm={nvdisasm}"
    config.substitutions.append(("%prove", prove))
