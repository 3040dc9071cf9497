# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: calls.py small.so

What a user does with numpy, and what errors say.
"""

import copy
import ctypes
import gc
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
import weakref

import numpy as np

import xfrt

LIBRARY = sys.argv.pop()
X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Calls(unittest.TestCase):
    def setUp(self):
        self.model = xfrt.load(LIBRARY, threads=2)

    def fails(self, kind, text, function, *values, **named):
        with self.assertRaises(kind) as caught:
            function(*values, **named)
        self.assertIn(text, str(caught.exception))

    def test_signatures(self):
        self.assertEqual(repr(self.model.project), "project(x: f32[2, 3]) -> y: f32[2, 4]")
        self.assertEqual(self.model.scale.results[1], ("sums", "f32", (4,)))
        self.assertEqual(list(self.model.entries), ["scale", "project", "count", "double", "half", "table", "apart"])
        self.assertIn("project", dir(self.model))
        self.assertEqual((self.model.name, self.model.threads, self.model.device), ("small", 2, "CPU"))

    def test_names_of_inputs(self):
        a, b, c = (np.full(2, number, "f4") for number in (5, 2, 4))
        named, written = {"self": a, "out": b, "class": c}, np.zeros(2, "f4")
        for result in self.model.apart(a, b, c), self.model.apart(named), self.model.apart(a, b, **{"class": c}), self.model.apart.bind(named)():
            self.assertEqual(result.tolist(), [12, 12])
        self.model.apart(named, out=written)
        self.assertEqual(written.tolist(), [12, 12])
        self.fails(TypeError, "apart(): expected out; an input 'out' is given in order or in a dictionary", lambda: self.model.apart(**named))
        self.fails(TypeError, "no input 'x'; inputs are self, out, class", self.model.apart, {**named, "x": a})

    def test_sizes_of_results(self):
        for rows in 0, 1, 5:
            x = np.random.default_rng(rows).normal(size=(rows, 4)).astype("f4")
            results = self.model.scale(x)
            self.assertTrue(np.array_equal(results.twice, x + x) and results["twice"] is results[0])
            np.testing.assert_allclose(results.sums, (x + x).sum(0), rtol=1e-5)

    def test_layouts(self):
        want = self.model.scale(np.arange(8, dtype="f4").reshape(2, 4)).twice
        for x in (np.arange(8, dtype=">f4").reshape(2, 4), np.arange(8, dtype="f4").reshape(4, 2).T.copy().T.reshape(2, 4),
                  np.asfortranarray(np.arange(8, dtype="f4").reshape(2, 4)), [[0, 1, 2, 3], [4, 5, 6, 7]],
                  np.repeat(np.arange(8, dtype="f4").reshape(2, 4), 2, axis=1)[:, ::2]):
            self.assertTrue(np.array_equal(self.model.scale(x).twice, want))

    def test_wrong_inputs(self):
        project = self.model.project
        self.fails(TypeError, "project(): expected x", project)
        self.fails(TypeError, "project() takes 1 inputs (x), got 2", project, X, X)
        self.fails(TypeError, "project(): no input 'y'; inputs are x", project, y=X)
        self.fails(TypeError, "project(): more than one value for 'x'", project, X, x=X)
        self.fails(xfrt.Error, "bad_buffer: entry 'project': argument 'x': expected f32, got f64", project, X.astype("f8"))
        self.fails(TypeError, "x: expected f32, got int8", project, X.astype("i1"))
        self.fails(TypeError, "x: expected f32, got <U1", project, "a")
        self.fails(xfrt.Error, "expected shape 2x3, got 3x2", project, X.reshape(3, 2))
        self.fails(xfrt.Error, "expected rank 2, got 0", project, 1.0)
        self.fails(AttributeError, "no entry 'projekt'; entries are scale, project", getattr, self.model, "projekt")

    def test_integers(self):
        x = np.zeros(4, "u2")
        self.model.half(x, 4)
        self.fails(xfrt.Error, "out_of_range", self.model.half, x, 5)
        self.fails(OverflowError, "n: expected integers that fit i32, got 1099511627776", self.model.half, x, 2**40)
        self.fails(TypeError, "n: expected i32, got float64", self.model.half, x, 1.5)

    def test_bf16(self):
        bits = (np.array([1, -2, 0.5, 96], "f4").view("u4") >> 16).astype("u2")
        got = self.model.half(bits, 0).view("u2").astype("u4") << 16
        self.assertEqual(got.view("f4").tolist(), [2, -4, 1, 192])

    def test_out(self):
        self.model.parameters["layer.weight"] = np.ones((4, 3))
        y = np.empty((2, 4), "f4")
        self.assertIs(self.model.project(X, out=y), y)
        self.assertEqual(y.tolist(), [[3] * 4, [12] * 4])
        twice = np.empty((1, 4), "f4")
        results = self.model.scale(np.ones((1, 4), "f4"), out={"twice": twice})
        self.assertIs(results.twice, twice)
        self.fails(TypeError, "project(): no result 'z' to write; results are y", self.model.project, X, out={"z": y})
        self.fails(ValueError, "y: expected a contiguous array of f32, which is not copied", self.model.project, X,
                   out=np.empty((4, 2), "f4").T)
        self.fails(xfrt.Error, "expected shape 2x4, got 4x2", self.model.project, X, out=np.empty((4, 2), "f4"))
        self.fails(TypeError, "expected `out` for 2 results (twice, sums), or a dict for some, got 3", self.model.scale,
                   np.ones((1, 4), "f4"), out=(twice, np.empty(4, "f4"), np.empty(4, "f4")))
        self.fails(TypeError, "got 1", self.model.scale, np.ones((1, 4), "f4"), out=np.empty((2, 4), "f4"))
        self.fails(TypeError, "expected `out` for 1 results", self.model.project, X, out=[y, y])
        self.assertIs(self.model.project(X, out=(y,)), y)
        y.flags.writeable = False
        self.fails(ValueError, "y: expected an array that can be written", self.model.project, X, out=y)

    def test_updated_inputs(self):
        x = X.copy()
        self.assertIs(self.model.double(x), x)
        self.assertTrue(np.array_equal(x, X + X))
        self.fails(ValueError, "x: expected a contiguous array of f32, which is not copied", self.model.double, x.tolist())
        x.flags.writeable = False
        self.fails(ValueError, "x: expected an array that can be written", self.model.double, x)

    def test_bound(self):
        x = np.ones((2, 4), "f4")
        call = self.model.scale.bind(x)
        first = call().twice.copy()
        x += 1
        self.assertTrue(np.array_equal(call().twice, first + first))
        self.assertIs(call().twice, call.results.twice)

    def test_states(self):
        one = np.ones(3, "f4")
        self.model.count(one)
        self.assertEqual(self.model.count(one).tolist(), [2] * 3)
        self.model.states["total"] = [5, 6, 7]
        self.assertEqual(self.model.count(one).tolist(), [6, 7, 8])
        self.assertEqual((list(self.model.states), list(self.model.parameters)), (["total"], ["layer.weight"]))
        self.fails(ValueError, "total: expected float32 of shape [3], got int64 of shape [2]", self.model.states.__setitem__,
                   "total", [1, 2])
        self.fails(KeyError, "no state 'layer.weight'; states are total", self.model.states.__getitem__, "layer.weight")
        self.fails(KeyError, "no parameter 'weight'; parameters are layer.weight", self.model.parameters.__getitem__, "weight")
        self.fails(KeyError, "no entry 'projekt'; entries are scale, project", self.model.entries.__getitem__, "projekt")
        results = self.model.scale(np.ones((1, 4), "f4"))
        self.fails(KeyError, "no result 'one'; results are twice, sums", results.__getitem__, "one")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.safetensors")
            self.model.parameters["layer.weight"] = np.arange(12).reshape(4, 3)
            self.model.parameters.save(path, metadata={"step": "7"})
            other = xfrt.load(LIBRARY, parameters=path)
            self.assertEqual(other.parameters.metadata("step"), "7")
            self.assertIsNone(other.parameters.metadata("epoch"))
            self.assertTrue(np.array_equal(other.project(X), self.model.project(X)))
            self.fails(xfrt.Error, "parameter_mismatch", other.states.load, path)
            self.fails(xfrt.Error, "io_error", other.parameters.load, path + "x")
            with open(path, "wb") as file:
                file.write(b"torn")
            self.fails(xfrt.Error, "bad_file", other.parameters.load, path)
            self.assertTrue(np.array_equal(other.project(X), self.model.project(X)))

    def test_held_parameters(self):
        model = xfrt.load(LIBRARY, hold_parameters=True)
        model.parameters["layer.weight"] = np.ones((4, 3))
        self.assertEqual(model.project(X)[0].tolist(), [3] * 4)
        model.parameters["layer.weight"] = np.full((4, 3), 2)
        self.assertEqual(model.project(X)[0].tolist(), [6] * 4)
        model.parameters["layer.weight"][...] = 3
        model.forget_parameters()
        self.assertEqual(model.project(X)[0].tolist(), [9] * 4)

    def test_arrays_outlive_models(self):
        model = xfrt.load(LIBRARY)
        weight, entry = model.parameters["layer.weight"], model.project
        del model
        gc.collect()
        weight[...] = 1
        self.assertEqual(entry(X)[0].tolist(), [3] * 4)
        del entry
        gc.collect()
        self.assertEqual(weight.sum(), 12)

    def test_views_outlive_models(self):
        parameters = xfrt.load(LIBRARY).parameters
        parameters["layer.weight"] = np.ones((4, 3))
        gc.collect()
        self.assertEqual(parameters["layer.weight"].sum(), 12)
        with tempfile.TemporaryDirectory() as folder:
            parameters.save(os.path.join(folder, "weights.safetensors"))

    def test_freed_without_collector(self):
        gc.disable()
        try:
            model = xfrt.load(LIBRARY, threads=3)
            before, model = len(os.listdir("/proc/self/task")), None
            for _ in range(1000):  # a thread that has ended is listed for a moment
                if len(os.listdir("/proc/self/task")) <= before - 2:
                    break
                time.sleep(.01)
            else:
                self.fail("expected the two threads of a model to end with it")
            entry = xfrt.load(LIBRARY, threads=3).project
            handle = weakref.ref(entry.handle)
            self.assertEqual(entry(X).shape, (2, 4))
            del entry
            self.assertIsNone(handle())
        finally:
            gc.enable()

    def test_names_of_attributes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            results = xfrt.load(LIBRARY).table(np.array([1, 2], "f4"))
        self.assertEqual([results.count.tolist(), results.names.tolist(), results["index"].tolist()], [[1, 2], [2, 4], [3, 6]])
        with tempfile.TemporaryDirectory() as folder:
            for name in "threads", "parameters", "name":
                path = os.path.join(folder, name)
                with open(path + ".mlir", "w") as file:
                    file.write(f'func.func @{name}(%x: tensor<2xf32> {{xf.name = "x"}}) -> tensor<2xf32> {{\n return %x : tensor<2xf32>\n}}\n')
                self.fails(OSError, "expected a shared library of a model; xfc PROGRAM.mlir --emit=shared", xfrt.load, path + ".mlir")
                subprocess.run(["xfc", path + ".mlir", "--emit=shared", "-o", path + ".so"], check=True)
                with self.assertWarnsRegex(UserWarning, f"entry '{name}' has the name of an attribute of Model: call it as"):
                    model = xfrt.load(path + ".so")
                self.assertEqual(model.entries[name](np.array([1, 2], "f4")).tolist(), [1, 2])

    def test_numbers_and_texts_are_not_cut(self):
        self.fails(ValueError, "threads: expected a number up to 2147483647, got 1099511627776", xfrt.load, LIBRARY, threads=2**40)
        self.fails(ValueError, "threads: expected a number up to 2147483647, got -1099511627776", xfrt.load, LIBRARY, threads=-2**40)
        self.fails(TypeError, "integer", xfrt.load, LIBRARY, threads=1.5)
        self.fails(ValueError, "device: expected a number up to", xfrt.load, LIBRARY, device="cuda:99999999999999999999")
        self.fails(ValueError, "expected a device among", xfrt.load, LIBRARY, device="cpu:99999999999999999999")
        self.fails(ValueError, "expected a device among", xfrt.load, LIBRARY, device="cuda:\N{SUPERSCRIPT TWO}")
        self.fails(ValueError, "path: expected a text without NUL", xfrt.load, LIBRARY + "\0b")
        parameters = self.model.parameters
        self.fails(ValueError, "without NUL", parameters.load, "a\0b")
        self.fails(ValueError, "without NUL", parameters.save, "a\0b")
        self.fails(ValueError, "without NUL", parameters.save, "/dev/null", metadata={"a": "b\0c"})
        self.fails(ValueError, "without NUL", parameters.metadata, "a\0b")

    def test_copies_and_pickles(self):
        self.model.parameters["layer.weight"] = np.arange(12).reshape(4, 3)
        self.model.count(np.ones(3, "f4"))
        want = self.model.project(X)
        for make in copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model)):
            other = make(self.model)
            self.assertTrue(np.array_equal(other.project(X), want))
            self.assertEqual((other.threads, other.states["total"].tolist()), (2, [1, 1, 1]))
            other.parameters["layer.weight"] = np.zeros((4, 3))
            self.assertTrue(np.array_equal(self.model.project(X), want))
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(self.model.project))(X), want))
        results = pickle.loads(pickle.dumps(self.model.scale(np.ones((1, 4), "f4"))))
        self.assertEqual(results.sums.tolist(), [2] * 4)
        error = pickle.loads(pickle.dumps(xfrt.Error("busy", "a text")))
        self.assertEqual((str(error), error.status), ("busy: a text", "busy"))

    def test_threads(self):
        results = [None] * 4

        def work(n):
            for _ in range(50):
                results[n] = self.model.scale(np.full((64, 4), n, "f4"))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all((result.twice == 2 * n).all() for n, result in enumerate(results)))

    def test_dlpack(self):
        class Array:
            """Speaks DLPack and nothing else."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        self.assertTrue(np.array_equal(self.model.scale(Array(np.ones((2, 4), "f4"))).twice, np.full((2, 4), 2)))
        self.fails(ValueError, "x: expected a contiguous array, got strides [1, 2] for shape [2, 4]", self.model.scale,
                   Array(np.ones((4, 2), "f4").T))

    def test_damaged_dlpack(self):
        capsule = np.ones((2, 4), "f4").__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.argtypes, pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
        # Behind the data and the device is the number of dimensions.
        rank = ctypes.c_int32.from_address(pointer(capsule, b"dltensor") + 16)
        array = type("Array", (), {"__dlpack__": lambda self, **options: capsule})()
        rank.value = 2**30
        self.fails(xfrt.Error, "expected a tensor of at most 64 dimensions, got 1073741824", self.model.scale, array)
        rank.value = 2

    def test_no_models(self):
        self.fails(OSError, "nothing.so", xfrt.load, "nothing.so")
        self.fails(OSError, "calls.py", xfrt.load, __file__)
        self.fails(ValueError, "expected a model that `xfc --emit=shared` wrote", xfrt.load, os.environ["XFRT_LIBRARY"])
        self.fails(ValueError, "expected a device among cpu, cuda, cuda:NUMBER, auto, got 'gpu'", xfrt.load, LIBRARY, device="gpu")
        self.fails(xfrt.Error, "invalid_argument", xfrt.load, LIBRARY, threads=-1)


unittest.main()
