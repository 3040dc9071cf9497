# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling programs and calling them: xfc, and libxfrt through ctypes; xf-run for the interpreter.

A crash of compiled code ends this process, so calls are made in one of their own (slices.py)."""

import ctypes
import functools
import locale
import os
import pathlib
import pickle
import resource
import signal
import subprocess
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))

from evaluator import types_of_xf as xf
import xfrt

SECONDS = 200  # of CPU for a compilation; what takes longer hangs


class Target:
    """How programs are compiled and where they run."""

    def __init__(self, name, options=(), capability=None, comma=False):
        self.name, self.options, self.capability, self.comma = name, list(options), capability, comma

    def prepare(self, build):
        """Makes the simulated GPU the driver of this process, and a locale with a decimal comma its own."""
        if self.comma:
            os.environ.update(locale_variables(pathlib.Path(build)))
            locale.setlocale(locale.LC_ALL, "")
        if self.capability:
            os.environ["XF_SIM_CAPABILITY"] = self.capability
            ctypes.CDLL(str(pathlib.Path(build, "test/ptx/driver/current/libcuda.so.1")), ctypes.RTLD_GLOBAL)


@functools.lru_cache(maxsize=None)
def locale_variables(build):
    """The environment of a program that sets its locale: one with a decimal comma, made here."""
    folder, name = build / "test/night/locales", "de_DE.UTF-8"
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        if subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / name], stderr=subprocess.DEVNULL).returncode:
            return {}  # nothing to make one of
    return {"LOCPATH": str(folder), "LC_ALL": name, "LD_PRELOAD": str(build / "lib/night-locale.so")}


TARGETS = {t.name: t for t in [
    Target("avx2", ["--mcpu=x86-64-v3"]),
    Target("avx512", ["--mcpu=x86-64-v4"]),
    Target("comma", ["--mcpu=x86-64-v3"], comma=True),
    Target("O0", ["--mcpu=x86-64-v3", "-O0"]),
    Target("O3", ["--mcpu=x86-64-v3", "-O3"]),
    Target("bits128", ["--mcpu=x86-64-v3", "--vector-bits=128"]),
    Target("bits512", ["--mcpu=x86-64-v3", "--vector-bits=512"]),
    Target("bf16", ["--mcpu=x86-64-v3+emulated-avx512bf16", "--vector-bits=512"]),
    Target("tiles", ["--mcpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16", "--vector-bits=512"]),
    Target("sm_80", ["--mcpu=x86-64-v3", "-O0", "--target=cuda", "--gpu-arch=sm_80"], "8.0"),
    Target("sm_90a", ["--mcpu=x86-64-v3", "-O0", "--target=cuda", "--gpu-arch=sm_90a"], "9.0"),
    Target("interpreter")]}


def has_avx512():
    return "avx512vl" in pathlib.Path("/proc/cpuinfo").read_text()


class Failed(Exception):
    """A program that ended in a way that programs do not: `kind` and what it said."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message = kind, message


def run(command, seconds=SECONDS, **more):
    """Exit code (negative: a signal) and the text of standard error. Raises Failed after so many seconds of CPU."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        done = subprocess.run(list(map(str, command)), preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=20 * seconds, **more)
    except subprocess.TimeoutExpired:
        raise Failed("hang", " ".join(map(str, command)))
    error = done.stderr.decode(errors="replace")
    if done.returncode in (-24, -9) or "CPU time limit" in error:
        raise Failed("hang", " ".join(map(str, command)))
    return done.returncode, error


def compile_text(build, text, target, vjp, output):
    """Compiles entries to a shared object. Returns the exit code and messages; raises Failed where xfc does not end well."""
    source = pathlib.Path(output).with_suffix(".mlir")
    source.write_text(text)
    command = [f"{build}/bin/xfc", source, "--emit=shared", "-o", output, *target.options, *[f"--vjp={e}" for e in vjp]]
    comma = locale_variables(pathlib.Path(build)) if target.comma else {}
    code, error = run(command, env={**os.environ, **comma, "XF_PTXAS": ""}, cwd=pathlib.Path(output).parent)
    if code not in (0, 1):
        raise Failed("crash", f"xfc ends with {code}: {error[:400]}")
    return code, error


class Memory:
    """What a handle allocates, full of one byte: of 255s, each number that a kernel reads before it is written is NaN."""

    def __init__(self, byte):
        self.byte, self.blocks = byte, {}
        self.take = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(self.allocate)
        self.give = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(
            lambda _, place, size: self.blocks.pop(place))

    def allocate(self, _, size, alignment):
        block = numpy.full(size + alignment, self.byte, numpy.uint8)
        place = -(-block.ctypes.data // alignment) * alignment
        self.blocks[place] = block
        return place

    def options(self):
        return {"allocate": ctypes.cast(self.take, ctypes.c_void_p), "release": ctypes.cast(self.give, ctypes.c_void_p)}


NANS = 255


class Library:
    """The entries of a shared object."""

    def __init__(self, build, path, target):
        target.prepare(build)
        self.runtime = ctypes.CDLL(f"{build}/lib/libxfrt.so")
        self.runtime.xfrt_message.restype = ctypes.c_char_p
        self.loaded = ctypes.CDLL(str(path))
        self.model = ctypes.POINTER(xfrt.ModelTable).in_dll(self.loaded, "xfrt_shared_model")
        self.device = xfrt.CUDA if target.capability else xfrt.CPU
        self.handles, self.memories = {}, {byte: Memory(byte) for byte in (0, NANS)}

    def check(self, status, context=None):
        if status:
            raise Failed("status", f"{status}: {self.runtime.xfrt_message(context).decode()}")

    def handle(self, threads, byte):
        if (threads, byte) not in self.handles:
            memory = self.memories[byte].options() if self.device == xfrt.CPU else {}
            context, options = ctypes.c_void_p(), xfrt.Options(threads=threads, device=self.device, **memory)
            self.check(self.runtime.xfrt_create(self.model, ctypes.byref(options), ctypes.byref(context)))
            self.handles[threads, byte] = context
        return self.handles[threads, byte]

    def table(self, entry):
        number = self.runtime.xfrt_find_entry(self.model, entry.encode())
        if number < 0:
            raise Failed("status", f"no entry {entry}")
        return number, self.model.contents.entries[number]

    def call(self, entry, given, shapes, threads=1, byte=0):
        """Results by name, as stored. `given`: name -> (array as stored, type); `shapes`: of results, by name; `byte`: what
        the memory of the handle is full of."""
        number, table = self.table(entry)
        context = self.handle(threads, byte)
        inputs = [given[table.arguments[n].name.decode()] for n in range(table.argument_count)]
        outputs, types = {}, list(xf.NUMBERS)
        for n in range(table.result_count):
            tensor = table.results[n]
            name, kind = tensor.name.decode(), types[tensor.dtype]
            if tensor.updates >= 0:  # in place, in a copy of what is given
                outputs[name] = inputs[tensor.updates] = (inputs[tensor.updates][0].copy(), kind)
            else:
                outputs[name] = (numpy.full(shapes[name], 77, xf.STORED[kind]), kind)
        ins, outs = [(xfrt.Buffer * max(1, len(a)))(*map(buffer_of, a)) for a in (inputs, outputs.values())]
        self.check(self.runtime.xfrt_call(context, number, ins, len(inputs), outs, len(outputs)), context)
        return outputs

    def call_in_child(self, *call):
        """The same in a child of fork, which also ends its parent's handles."""
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                signal.alarm(300)
                outputs = pickle.dumps(self.call(*call))
                for context in self.handles.values():
                    self.runtime.xfrt_destroy(context)
                with open(writer, "wb") as out:
                    out.write(outputs)
                code = 0
            except Failed as failure:
                print(failure, file=sys.stderr)
            finally:
                os._exit(code)
        os.close(writer)
        with open(reader, "rb") as data:
            outputs = data.read()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            raise Failed("hang" if code == -signal.SIGALRM else "crash", f"a child of fork ends with {code}")
        return pickle.loads(outputs)

    def difference(self, got, call, threads, forks):
        """Which of the results `got` has other bits on so many threads, with NaN in memory, or in a child of fork; or None."""
        ways = {f"on {threads} threads, with NaN in memory": lambda: self.call(*call, threads, NANS)}
        if forks and self.device == xfrt.CPU:
            ways["in a child of fork"] = lambda: self.call_in_child(*call, threads)
        for way, other in ways.items():
            for name, (array, _) in other().items():
                if array.tobytes() != got[name][0].tobytes():
                    return f"{name}: other bits {way}"
        return None


def buffer_of(pair):
    array, kind = pair
    shape = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
    return xfrt.Buffer(array.ctypes.data, xf.NUMBERS[kind], array.ndim, shape, None, xfrt.CPU)


def interpret(build, source, entry, given, shapes, vjp, folder):
    """The same by the interpreter: results by name as f64."""
    command = [f"{build}/bin/xf-run", source, f"--entry={entry}", "--target=reference"] + ["--vjp"] * vjp
    for name, (array, kind) in given.items():
        path = pathlib.Path(folder, f"{name}.npy")
        numpy.save(path, xf.load(array, kind).astype(numpy.float32) if kind == "bf16" else array)
        command.append(f"--input={name}=@{path}")
    command += [f"--output={name}=@{folder}/{name}.out.npy" for name in shapes]
    code, error = run(command)
    if code:
        raise Failed("status" if code == 1 else "crash", f"xf-run ends with {code}: {error[:400]}")
    return {name: numpy.load(f"{folder}/{name}.out.npy") for name in shapes}
