//===- compile.cpp - Programs compiled in process -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-compile 2> errors | FileCheck %s && count 0 < errors
//
// xfc makes the same object of what the program wrote, at every level.
// RUN: xfc model.mlir -o model.o && cmp model.o in-process.o
// RUN: xfc model.mlir --mcpu=x86-64-v3 -O0 -o model.o && cmp model.o in-process-v3.o
// RUN: not cmp in-process.o in-process-v3.o

#include "OneWeight.h"

using namespace xf;

int main() {
  Scale scale;
  Program program("model", scale);
  Dim rows = dim("rows", {.min = 1, .max = 8});
  program.entry("scaled", {{"x", f32, {rows, 2}}}, scale).vjp("scaled");
  program.entry(
      "attend", {{"q", f32, {1, 1, 4, 8}}, {"k", f32, {1, 1, 4, 8}}, {"v", f32, {1, 1, 4, 2}}},
      [](Tensor q, Tensor k, Tensor v) { return scaled_dot_product_attention(q, k, v, {.pattern = causal()}); });
  program.train_step(
      "train", scale, {{"x", f32, {rows, 2}}}, [&](Tensor x) { return mean(square(scale(x))); }, optim::SGD{});
  program.save("model.mlir");
  Executable run = program.compile();
  writeObject("in-process.o", run);
  writeObject("in-process-v3.o", program.compile({.cpu = "x86-64-v3", .opt_level = 0}));

  // Sizes are chosen call by call.
  // CHECK: one row: 3 6
  // CHECK: two rows: 3 6 9 12
  print("one row", run.call("scaled", {{"x", numbers({1, 2}, {1, 2})}}).at("scaled"));
  print("two rows", run.call("scaled", {{"x", numbers({2, 2}, {1, 2, 3, 4})}}).at("scaled"));

  // With equal scores, row i is the mean of the values up to i.
  // CHECK: attention: 1 2 2 3 3 4 4 5
  Array zeros(f32, {1, 1, 4, 8});
  print("attention",
        run.call("attend", {{"q", zeros}, {"k", zeros}, {"v", numbers({1, 1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}})
            .at("attend"));

  // loss = w^2 mean(x^2) = 9, its derivative 2 w mean(x^2) = 6.
  // CHECK: loss: 9
  // CHECK: weight: 2.4
  print("loss", run.call("train", {{"x", numbers({1, 2}, {1, 1})}, {"learning_rate", numbers({}, {0.1f})}}).at("loss"));
  print("weight", run.state_dict().at("weight"));

  // The derivative: cotangents in, results and gradients out, of inputs and parameters.
  // CHECK: d_x: 2.4 0
  // CHECK: d_weight: 1
  Arrays back = run.call("scaled_vjp", {{"x", numbers({1, 2}, {1, 1})}, {"d_scaled", numbers({1, 2}, {1, 0})}});
  print("d_x", back.at("d_x"));
  print("d_weight", back.at("d_weight"));

  // What does not fit is refused at the line of the call, before anything runs.
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: {{.*}}rows{{.*}}
  printError([&] { run.call("scaled", {{"x", numbers({9, 2}, std::vector<float>(18))}}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected input 'x' of entry 'scaled', got none
  printError([&] { run.call("scaled", {}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the name of an entry{{.*}}got 'scale'
  printError([&] { run.call("scale", {}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected opt_level from 0 to 3, got 4
  printError([&] { program.compile({.opt_level = 4}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the name of a CPU of {{[a-z0-9_]+-.*}} that LLVM knows, got 'abacus'
  printError([&] { program.compile({.cpu = "abacus"}); });
  // Code for another architecture would not run in this process.
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the name of a CPU of {{[a-z0-9_]+-.*}} that LLVM knows, got 'neoverse-v2'
  printError([&] { program.compile({.cpu = "neoverse-v2"}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the parameters of the model, got 1 difference: 'weight' is [2] f32, not [1] f32
  printError([&] { run.load_state_dict({{"weight", numbers({2}, {1, 2})}}); });
}
