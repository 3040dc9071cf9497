//===- mesh.cpp - Programs for several ranks ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-mesh > %t.mlir 2> %t.errors
// RUN: xf-opt %t.mlir > %t.verified.mlir
// RUN: FileCheck %s --input-file %t.verified.mlir
// RUN: FileCheck %s --input-file %t.errors --check-prefix=ERROR
// RUN: xfc %t.mlir --stop-after=partition -o %t.partitioned.mlir
// RUN: FileCheck %s --input-file %t.partitioned.mlir --check-prefix=PARTITIONED
// RUN: xfc %t.mlir -o %t.o

#include "frontend/Show.h"

#include <functional>
#include <iostream>

using namespace xf;

/// Prints the error of a mistake, which names this file.
static void expectError(const std::function<void()> &mistake) {
  try {
    mistake();
    std::cerr << "no error\n";
  } catch (const Error &error) {
    std::cerr << error.what() << "\n";
  }
}

static Tensor twice(Tensor x) { return x * 2; }

static const Mesh mesh{{"data", 2}, {"sequence", 4}};
static const Dim batch = dim("batch", {.min = 1, .max = 64}).over("data");

static void inputs(Program &program) {
  // CHECK: module @meshes attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>}
  Dim length = dim("length", {.max = 1 << 20}).over("sequence");
  // CHECK-LABEL: func.func @attend(
  // CHECK-SAME: xf.name = "x", xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>
  // A share of one rank: some of the batch, and all tokens of one head.
  // PARTITIONED: func.func @attend(%arg0: tensor<?x4x?x8xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 32>, #xf.dim<name = "length", min = 0, max = 262144>]
  // PARTITIONED: xf.attention {{.*}}tensor<?x1x?x8xf32>
  program.entry("attend", {{"x", f32, {batch, 4, length, 8}}},
                [](Tensor x) { return scaled_dot_product_attention(x, x, x, {.pattern = causal()}); });
  // A static size, and one over two axes.
  // CHECK-LABEL: func.func @fixed(
  // CHECK-SAME: tensor<16x4xf32> {xf.name = "x", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}
  program.entry("fixed", {{"x", f32, {Dim(16).over("data").over("sequence"), 4}}}, twice);
  // Zigzag chunks: of one rank, two attentions on all keys.
  // CHECK-LABEL: func.func @zigzag(
  // CHECK-SAME: xf.name = "x", xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>
  // PARTITIONED: func.func @zigzag(
  // PARTITIONED: xf.attention {{.*}}(tensor<1x1x128x8xf32>, tensor<1x1x1024x8xf32>, tensor<1x1x1024x8xf32>)
  // PARTITIONED: xf.attention {{.*}}(tensor<1x1x128x8xf32>, tensor<1x1x1024x8xf32>, tensor<1x1x1024x8xf32>)
  program.entry("zigzag", {{"x", f32, {1, 1, Dim(1024).over("sequence", {.chunks = 2}), 8}}},
                [](Tensor x) { return scaled_dot_product_attention(x, x, x, {.pattern = causal()}); });
  // Without axes there is no sharding.
  // CHECK-LABEL: func.func @whole(
  // CHECK-SAME: tensor<16x4xf32> {xf.name = "x"}
  program.entry("whole", {{"x", f32, {16, 4}}}, twice);
}

static void wrongMeshes() {
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected axes of a mesh with distinct names, got 'data' twice
  expectError([] { Mesh{{"data", 2}, {"data", 4}}; });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected 1 to 64 chunks of each rank, got 65
  expectError([] { dim("n").over("data", {.chunks = 65}); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected one axis of dimension n, which has zigzag chunks, got 'data' and 'sequence'
  expectError([] { dim("n").over("data").over("sequence", {.chunks = 2}); });
  // Which elements a rank has.
  for (auto [begin, end] : Placement{.chunks = 3}.runs(24, 1, 4))
    std::cerr << begin << " .. " << end << "\n"; // ERROR: 2 .. 4
                                                 // ERROR-NEXT: 12 .. 14
                                                 // ERROR-NEXT: 18 .. 20
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected a size that 2 chunks of each of 4 ranks make up, got 12 for rank 1
  expectError([] { Placement{.chunks = 2}.runs(12, 1, 4); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected from 0 to 65536 ranks for the axis 'data', got -1
  expectError([] { Mesh{{"data", -1}}; });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected a mesh of at most 65536 ranks, got 131072 or more
  expectError([] { Mesh{{"data", 2}, {"sequence", 65536}}; });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected one axis at most with 0, as many ranks as there are, got 2
  expectError([] { Mesh{{"data", 0}, {"sequence", 0}}; });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected a name of an axis of letters, digits and _, got 'the data'
  expectError([] { Mesh{{"the data", 2}}; });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected axes of dimension batch that differ, got 'data' twice
  expectError([] { batch.over("data"); });
}

static void wrongInputs(Program &program) {
  // ERROR: mesh.cpp:[[# @LINE + 2]]:{{[0-9]+}}: expected a program with a mesh for dimension batch of input 'x', which is sharded over data, got none
  Program one("one");
  expectError([&] { one.entry("f", {{"x", f32, {batch, 4}}}, twice); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected an axis of the program's mesh (data, sequence) for dimension 4 of input 'x', got 'sequense'
  expectError([&] { program.entry("f", {{"x", f32, {Dim(4).over("sequense")}}}, twice); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected each axis once in input 'x', got 'data' twice
  expectError([&] { program.entry("f", {{"x", f32, {batch, Dim(4).over("data")}}}, twice); });
  auto add = [](Tensor a, Tensor b) { return a + b; };
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected dimension 'batch' to be sharded over data in input 'y', as in others, got no axis
  expectError([&] { program.entry("f", {{"x", f32, {batch}}, {"y", f32, {dim("batch")}}}, add); });
}

static void wrongParameters() {
  // Parameters. Their errors are at the line that gives them axes.
  nn::Linear layer(6, 8), other(6, 8), used(6, 8);
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected axes of the 2 dimensions of the parameter, got 1
  expectError([&] { layer.weight.over({{"data"}}); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected each axis once in a parameter, got 'data' twice
  expectError([&] { layer.weight.over({{"data"}, {"data"}}); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected each axis once in a parameter, got 'data' twice
  expectError([&] { layer.weight.over({{"data", "data"}, {}}); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected a tensor in over(..), got an empty one
  expectError([&] { Parameter().over({}); });
  Program("used", used).entry("f", {{"x", f32, {4, 6}}}, [&](Tensor x) { return used(x); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected over(..) before any operation uses the parameter, got it afterwards
  expectError([&] { used.weight.over({{"data"}, {}}); });
  auto compile = [](const nn::Linear &model, const Program &empty) {
    Program made = empty;
    made.use(model);
    made.entry("f", {{"x", f32, {4, 6}}}, [&](Tensor x) { return model(x); });
    made.str();
  };
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected an axis of the program's mesh (data, sequence) for dimension 8 of parameter 'weight', got 'tensor'
  layer.weight.over({{"tensor"}, {}});
  expectError([&] { compile(layer, Program("tensor", mesh)); });
  // ERROR: mesh.cpp:[[# @LINE - 2]]:{{[0-9]+}}: expected a program with a mesh for dimension 8 of parameter 'weight', which is sharded over tensor, got none
  expectError([&] { compile(layer, Program("none")); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected a dimension of parameter 'weight' that the 4 ranks of sequence divide, got 6
  other.weight.over({{}, {"sequence"}});
  expectError([&] { compile(other, Program("divided", mesh)); });
}

int main() {
  Program program("meshes", mesh);
  inputs(program);
  std::cout << program.str();
  wrongMeshes();
  wrongInputs(program);
  wrongParameters();
  // The state of an optimiser.
  auto step = [&](const std::vector<std::string> &axes, Here here = Here::current()) {
    nn::Linear model(6, 8);
    Program training("training", model, mesh);
    training.train_step(
        "train", model, {{"x", f32, {batch, 6}}}, [&](Tensor x) { return mean(model(x)); },
        optim::AdamW{.state_over = axes}, here);
  };
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected an axis of the program's mesh (data, sequence) in state_over, got 'dta'
  expectError([&] { step({"dta"}); });
  // ERROR: mesh.cpp:[[# @LINE + 1]]:{{[0-9]+}}: expected each axis once in state_over, got 'data' twice
  expectError([&] { step({"data", "data"}); });
  // ERROR-NOT: no error
}
