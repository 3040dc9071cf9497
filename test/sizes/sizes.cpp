//===- sizes.cpp - Sizes are values -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-sizes | FileCheck %s
//
// The interpreter agrees.
// RUN: xf-run model.mlir --target=reference --entry=rows --input=x=2x3x8xf32=1 > rows && FileCheck %s --check-prefix=ROWS < rows
// ROWS: 2x3x8
// RUN: xf-run model.mlir --target=reference --entry=flat --input=x=2x3x8xf32=1 > flat && FileCheck %s --check-prefix=FLAT < flat
// FLAT: 6x8
// RUN: xf-run model.mlir --target=reference --entry=grow --input=k=1x2x3x4xf32=1 --input=new=1x2x1x4xf32=2 > grow && FileCheck %s --check-prefix=GROW < grow
// GROW: 1x2x4x4
// RUN: xf-run model.mlir --target=cpu --entry=grow --input=k=1x2x3x4xf32=1 --input=new=1x2x1x4xf32=2 > grow && FileCheck %s --check-prefix=GROW < grow
// RUN: not xf-run model.mlir --target=reference --entry=crop --input=x=3x2xf32=1 2> crop; FileCheck %s --check-prefix=CROP < crop
// CROP: expected 'n - 4' of at least 0, got -1

#include "../frontend/OneWeight.h"
#include "../frontend/Show.h"

#include <numeric>

using namespace xf;

/// Returns an array of 1, 2, 3, ..
static Array counted(std::vector<int64_t> shape) {
  Array array(f32, std::move(shape));
  std::iota(array.data<float>().begin(), array.data<float>().end(), 1.0f);
  return array;
}

static void show(const char *what, const Array &array) {
  std::printf("%s [", what);
  for (int64_t size : array.shape())
    std::printf(" %d", int(size));
  std::printf(" ]");
  print("", array);
}

static void arithmetic() {
  Dim n = dim("n", {.min = 1, .max = 64}), m = dim("m");
  auto text = [](const Dim &size) { return to_string(size); };
  // CHECK: n + 1, m * n, 2 * n - 3, n / 16, (n + 5) / 16 + 1
  std::printf("%s, %s, %s, %s, %s\n", text(n + 1).c_str(), text(n * m).c_str(), text(n + n - 3).c_str(),
              text(n / 16).c_str(), text((n + 21) / 16).c_str());
  // CHECK: equal 1 1 1 1 1, not 0 0
  std::printf("equal %d %d %d %d %d, not %d %d\n", n * m == m * n, n + 1 - 1 == n, (n * 16) / 16 == n,
              (n + 1) * (n + 1) == n * n + 2 * n + 1, n / 2 / 3 == n / 6, n + 1 == n, (n + 1).may_equal(m));
  // CHECK: range 2 65
  std::printf("range %d %d\n", int((n + 1).range().min), int((n + 1).range().max));
}

static void errors() {
  Dim b = dim("batch", {.min = 2, .max = 64}), n = dim("n", {.min = 1, .max = 8});
  auto with = [&](auto body) {
    Program p("p");
    p.entry("f", {{"x", f32, {b, n, 8}}}, body);
  };
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a shape that [batch, n, 8] broadcasts to, got [1, n, 8]
  report([&] { with([&](Tensor x) { return broadcast_to(x, {1, n, 8}); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected as many elements as in [batch, n, 8] in reshape, got [batch, 8]
  report([&] { with([&](Tensor x) { return reshape(x, {b, 8}); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected as many elements as in [batch, n, 8] in reshape, got [n, 8]
  report([&] { with([&](Tensor x) { return reshape(x, {n, 8}); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected 0 <= begin <= end <= n in slice, got n and n - 1
  report([&] { with([&](Tensor x) { return slice(x, 1, n, n - 1); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected 0 <= begin <= end <= n in slice, got 0 and 9
  report([&] { with([&](Tensor x) { return slice(x, 1, 0, 9); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected sizes of at least 0, got n - 9 in [n - 9], which is at most -1
  report([&] { with([&](Tensor) { return zeros({n - 9}); }); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: expected equal sizes but along axis 1 in concat, got [batch, n, 8] and [1, 1, 8]
  report([&] { with([&](Tensor x) { return concat({x, zeros({1, 1, 8})}, 1); }); });
}

static Program makeProgram(const nn::PatchEmbedding &patches) {
  Program p("model");
  Dim b = dim("b", {.min = 1, .max = 64}), n = dim("n");
  TensorSpec x{"x", f32, {b, n, 8}};
  p.entry("token", {{"y", f32, {b, 2}}, {"c", f32, {2}}}, [](Tensor y, Tensor c) {
     return concat({broadcast_to(c, {y.size(0), 1, 2}), reshape(y, {y.size(0), 1, 2})}, 1);
   }).vjp("token");
  p.entry("rows", {x}, [](Tensor x) { return reshape(reshape(x, {-1, 8}) * 2.0, {x.size(0), x.size(1), 8}); });
  p.entry("flat", {x}, [](Tensor x) { return reshape(x, {x.size(0) * x.size(1), 8}); });
  p.entry("flattened", {x}, [](Tensor x) { return reshape(x, {-1, 8}); });
  p.entry("wide", {x}, [](Tensor x) { return reshape(x, {x.size(0), -1}); });
  p.entry("grow", {{"k", f32, {1, 2, n, 4}}, {"new", f32, {1, 2, 1, 4}}}, [](Tensor k, Tensor rows) {
     return concat({k, rows}, 2);
   }).vjp("grow");
  p.entry("last", {{"x", f32, {b, n, 2}}}, [](Tensor x) { return slice(x, 1, x.size(1) - 1, x.size(1)); }).vjp("last");
  p.entry("inner", {{"x", f32, {b, n, 2}}}, [](Tensor x) { return slice(x, 1, 1, -1); }).vjp("inner");
  p.entry("halves", {{"x", f32, {n, 2}}}, [](Tensor x) { return slice(x, 0, x.size(0) / 2, x.size(0)); });
  p.entry("pairs", {{"x", f32, {n, 2}}}, [](Tensor x) { return reshape(x, {x.size(0) / 2, 4}); });
  p.entry("filled", {{"x", f32, {n, 2}}},
          [](Tensor x) { return concat({zeros({x.size(0), 2}), ones({2, 2}), full({x.size(0) - 1, 2}, 3)}, 0); });
  p.entry("inside", {{"x", f32, {b, n}}}, [](Tensor x) {
    auto loss = [](const std::vector<Tensor> &at) {
      return checkpoint([&] {
        Tensor y = concat({at[0], slice(at[0], 1, 0, 1)}, 1);
        return sum(square(reshape(y, {y.size(1), y.size(0)})));
      });
    };
    return value_and_grad(loss)({x}).gradients[0];
  });
  p.entry("positions", {{"x", f32, {b, n}}}, [](Tensor x) {
    return x + arange(x.size(1), f32) + cast(slice(arange(x.size(0) + 1, i32), 0, x.size(0), x.size(0) + 1), f32) * 10;
  });
  p.entry("crop", {{"x", f32, {n, 2}}}, [](Tensor x) { return slice(x, 0, 4, x.size(0)); });
  p.entry("two", {{"x", f32, {b, n}}}, [](Tensor x) { return slice(x, 1, 1, 3); }).vjp("two");
  p.entry("best", {{"x", f32, {b, n}}}, [](Tensor x) { return topk(x, 2).values; });
  p.entry("swapped", {{"x", f32, {b, n}}}, [](Tensor x) { return reshape(x, {x.size(1), x.size(0)}); }).vjp("swapped");
  p.use(patches).entry("patches", {{"x", f32, {b, 1, n, dim("width")}}}, patches);
  return p;
}

static void callAll(Executable &run) {
  // CHECK: token [ 2 2 2 ]: 5 6 1 2 5 6 3 4
  show("token", run.call("token", {{"y", counted({2, 2})}, {"c", numbers({2}, {5, 6})}}).at("token"));
  // CHECK: d_c [ 2 ]: 6 8
  show("d_c",
       run.call("token_vjp", {{"y", counted({2, 2})}, {"c", numbers({2}, {5, 6})}, {"d_token", counted({2, 2, 2})}})
           .at("d_c"));
  // CHECK: rows [ 2 3 8 ]: 2 4 6
  show("rows", run.call("rows", {{"x", counted({2, 3, 8})}}).at("rows"));
  // CHECK: flat [ 6 8 ]: 1 2 3
  // CHECK: flattened [ 6 8 ]: 1 2 3
  // CHECK: wide [ 2 24 ]: 1 2 3
  for (const char *entry : {"flat", "flattened", "wide"})
    show(entry, run.call(entry, {{"x", counted({2, 3, 8})}}).at(entry));
  // CHECK: grow [ 1 2 3 4 ]: 1 2 3 4 5 6 7 8 10 20 30 40 9 10 11 12 13 14 15 16 50 60 70 80
  Array k = counted({1, 2, 2, 4}), added = numbers({1, 2, 1, 4}, {10, 20, 30, 40, 50, 60, 70, 80});
  show("grow", run.call("grow", {{"k", k}, {"new", added}}).at("grow"));
  // CHECK: d_new [ 1 2 1 4 ]: 9 10 11 12 21 22 23 24
  show("d_new", run.call("grow_vjp", {{"k", k}, {"new", added}, {"d_grow", counted({1, 2, 3, 4})}}).at("d_new"));
  // CHECK: last [ 2 1 2 ]: 5 6 11 12
  // CHECK: inner [ 2 1 2 ]: 3 4 9 10
  for (const char *entry : {"last", "inner"})
    show(entry, run.call(entry, {{"x", counted({2, 3, 2})}}).at(entry));
  // CHECK: d_x [ 2 3 2 ]: 0 0 0 0 1 2 0 0 0 0 3 4
  show("d_x", run.call("last_vjp", {{"x", counted({2, 3, 2})}, {"d_last", counted({2, 1, 2})}}).at("d_x"));
  // CHECK: d_x [ 1 4 2 ]: 0 0 1 2 3 4 0 0
  show("d_x", run.call("inner_vjp", {{"x", counted({1, 4, 2})}, {"d_inner", counted({1, 2, 2})}}).at("d_x"));
  // CHECK: halves [ 2 2 ]: 3 4 5 6
  show("halves", run.call("halves", {{"x", counted({3, 2})}}).at("halves"));
  // CHECK: pairs [ 2 4 ]: 1 2 3 4 5 6 7 8
  show("pairs", run.call("pairs", {{"x", counted({4, 2})}}).at("pairs"));
  // CHECK: filled [ 5 2 ]: 0 0 0 0 1 1 1 1 3 3
  show("filled", run.call("filled", {{"x", counted({2, 2})}}).at("filled"));
  // CHECK: inside [ 2 2 ]: 4 4 12 8
  show("inside", run.call("inside", {{"x", counted({2, 2})}}).at("inside"));
  // CHECK: positions [ 2 3 ]: 21 23 25 24 26 28
  show("positions", run.call("positions", {{"x", counted({2, 3})}}).at("positions"));
  // CHECK: swapped [ 3 2 ]: 1 2 3 4 5 6
  show("swapped", run.call("swapped", {{"x", counted({2, 3})}}).at("swapped"));
  // CHECK: d_x [ 2 3 ]: 1 2 3 4 5 6
  show("d_x", run.call("swapped_vjp", {{"x", counted({2, 3})}, {"d_swapped", counted({3, 2})}}).at("d_x"));

  // CHECK: patches [ 1 2 1 ]: 6521 8743
  show("patches", run.call("patches", {{"x", counted({1, 1, 2, 4})}}).at("patches"));
}

int main() {
  arithmetic();
  errors();
  nn::PatchEmbedding patches({.channels = 1, .size = 2, .width = 1, .bias = false});
  patches.load_state_dict({{"weight", numbers({1, 1, 2, 2}, {1, 10, 100, 1000})}});
  Program p = makeProgram(patches);
  p.save("model.mlir");
  Executable run = p.compile();
  callAll(run);
  // A call with sizes that do not do is refused: entry, expression and numbers.
  // CHECK: two [ 2 2 ]: 2 3 5 6
  show("two", run.call("two", {{"x", counted({2, 3})}}).at("two"));
  // CHECK: crop [ 1 2 ]: 9 10
  show("crop", run.call("crop", {{"x", counted({5, 2})}}).at("crop"));
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'crop': expected 'n - 4' of at least 0, got -1
  report([&] { run.call("crop", {{"x", counted({3, 2})}}); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'patches': expected '{{.*}}' = 0, got 2
  report([&] { run.call("patches", {{"x", counted({1, 1, 2, 3})}}); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'two': expected 'n - 3' of at least 0, got -1
  report([&] { run.call("two", {{"x", counted({1, 2})}}); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'two_vjp': expected 'n - 3' of at least 0, got -1
  report([&] { run.call("two_vjp", {{"x", counted({1, 2})}, {"d_two", counted({1, 2})}}); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'best': expected 'n - 2' of at least 0, got -1
  report([&] { run.call("best", {{"x", counted({3, 1})}}); });
  // CHECK: sizes.cpp:[[@LINE+1]]:{{[0-9]+}}: entry 'pairs': expected '2 * n - 4 * (n / 2)' = 0, got 2
  report([&] { run.call("pairs", {{"x", counted({3, 2})}}); });
}
