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

static Program makeProgram(const Scale &scale) {
  Program program("model", scale);
  Dim rows = dim("rows", {.min = 1, .max = 8});
  program.entry("scaled", {{"x", f32, {rows, 2}}}, scale).vjp("scaled");
  program.entry(
      "attend", {{"q", f32, {1, 1, 4, 8}}, {"k", f32, {1, 1, 4, 8}}, {"v", f32, {1, 1, 4, 2}}},
      [](Tensor q, Tensor k, Tensor v) { return scaled_dot_product_attention(q, k, v, {.pattern = causal()}); });
  program.train_step(
      "train", scale, {{"x", f32, {rows, 2}}}, [&](Tensor x) { return mean(square(scale(x))); }, optim::SGD{});
  Dim past = dim("past", {.min = 0, .max = 8});
  program.entry("turn", {{"k", f32, {rows, 2}}, {"k0", f32, {past, 2}}},
                [](Tensor k, Tensor k0) { return Results{{"all", concat({k0, k}, 0)}, {"k0", k + k}}; });
  program.entry("padded", {{"x", f32, {1, 1, 4, 1}}, {"n", i32, {1}}},
                [](Tensor x, Tensor n) { return scaled_dot_product_attention(x, x, x, {.lengths = n}); });
  program.entry("curvature", {{"x", f32, {}}}, [](Tensor x) {
    auto cube = [](const std::vector<Tensor> &at) { return at[0] * at[0] * at[0]; };
    auto slope = [&](const std::vector<Tensor> &at) { return value_and_grad(cube)(at).gradients[0]; };
    return value_and_grad(slope)({x}).gradients[0];
  });
  return program;
}

static void callInSizes(Executable &run) {
  // Sizes are chosen call by call.
  // CHECK: one row: 3 6
  // CHECK: two rows: 3 6 9 12
  print("one row", run.call("scaled", {{"x", numbers({1, 2}, {1, 2})}}).at("scaled"));
  print("two rows", run.call("scaled", {{"x", numbers({2, 2}, {1, 2, 3, 4})}}).at("scaled"));

  // Another program of the same name is another program.
  // CHECK: the other's row: 1 4
  // CHECK: one row again: 3 6
  Program other("model");
  other.entry("scaled", {{"x", f32, {1, 2}}}, [](Tensor x) { return x * x; });
  Executable others = other.compile();
  print("the other's row", others.call("scaled", {{"x", numbers({1, 2}, {1, 2})}}).at("scaled"));
  print("one row again", run.call("scaled", {{"x", numbers({1, 2}, {1, 2})}}).at("scaled"));

  // A cache goes in and comes out under one name, in two sizes.
  // CHECK: all: 1 2
  // CHECK: k0: 2 4
  // CHECK: all: 5 6 7 8 1 2
  Array key = numbers({1, 2}, {1, 2});
  Arrays turned = run.call("turn", {{"k", key}, {"k0", Array(f32, {0, 2})}});
  print("all", turned.at("all"));
  print("k0", turned.at("k0"));
  print("all", run.call("turn", {{"k", key}, {"k0", numbers({2, 2}, {5, 6, 7, 8})}}).at("all"));
}

static void attendAndTrain(Executable &run) {
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

  // Without names, and with one result.
  // CHECK: in order: 2.4 4.8
  // CHECK: {{^}}loss 14.4, weight 0.48{{$}}
  print("in order", run("scaled", Array({{1.f, 2.f}})));
  float loss = run("train", {Array({{1.f, 2.f}, {1.f, 2.f}}), 0.16f}).item<float>();
  std::printf("loss %g, weight %g\n", double(loss), double(run.state_dict().at("weight").item<float>()));
}

static void checkLengths(Executable &run) {
  // The second derivative of x^3 is 6 x.
  // CHECK: curvature: 12
  print("curvature", run("curvature", 2.f));

  // Lengths beyond the keys are errors, as ids are.
  // CHECK: padded: 1 1 1 1
  // CHECK: {{.*}}argument 'n': expected elements between 0 and 4, got -5 at index 0
  // CHECK: {{.*}}argument 'n': expected elements between 0 and 4, got 5 at index 0
  Array row(std::vector<float>(4, 1), {1, 1, 4, 1});
  print("padded", run("padded", {row, Array({1})}));
  printError([&] { run("padded", {row, Array({-5})}); });
  printError([&] { run("padded", {row, Array({5})}); });
}

static void refuse(const Program &program, Executable &run) {
  // What does not fit is refused at the line of the call, before anything runs.
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: {{.*}}rows{{.*}}
  printError([&] { run.call("scaled", {{"x", numbers({9, 2}, std::vector<float>(18))}}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected input 'x' of entry 'scaled', got none
  printError([&] { run.call("scaled", {}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected input 'x' of entry 'scaled', got 'z'
  printError([&] { run.call("scaled", {{"z", numbers({1, 2}, {1, 2})}}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected inputs 'x' of entry 'scaled', got also 'y', 'z'
  printError([&] { run.call("scaled", {{"x", 1.f}, {"y", 2.f}, {"z", 3.f}}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the 3 inputs of entry 'attend' ('q', 'k', 'v'), got 2
  printError([&] { run("attend", {Array(f32, {1, 1, 4, 8}), Array(f32, {1, 1, 4, 8})}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected an entry with one result, got 'scaled_vjp' with 3 ('scaled', 'd_x', 'd_weight'), which call() returns
  printError([&] { run("scaled_vjp", {}); });
  // CHECK: compile.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the name of an entry (scaled, scaled_vjp, attend, train, turn, padded, curvature), got 'scale'
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

int main() {
  Scale scale;
  Program program = makeProgram(scale);
  program.save("model.mlir");
  Executable run = program.compile();
  writeObject("in-process.o", run);
  writeObject("in-process-v3.o", program.compile({.cpu = "x86-64-v3", .opt_level = 0}));
  callInSizes(run);
  attendAndTrain(run);
  checkLengths(run);
  refuse(program, run);
}
