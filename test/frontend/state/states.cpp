//===- states.cpp - Tensors that an executable keeps ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-states 2> errors | FileCheck %s && count 0 < errors
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 frontend-states cuda | FileCheck %s

#include "../OneWeight.h"
#include "../Show.h"

using namespace xf;

static Program makeProgram(const nn::Module &model) {
  Program program("states", model);
  State total = program.state({"total", f32, {3}}), ring = program.state({"ring", f32, {4, 2}}),
        count = program.state({"count", i32, {}});
  program.entry("add", {{"x", f32, {3}}}, [&](Tensor x) {
    Tensor before = total;
    total.assign(total + x);
    return Results{{"before", before}, {"sum", sum(total)}};
  });
  program.entry("push", {{"x", f32, {dim("rows", {.min = 1, .max = 4}), 2}}}, [&](Tensor x) {
    ring.update(0, count, x);
    Tensor rows = reshape(slice(arange(x.size(0), i32), 0, x.size(0) - 1, x.size(0)), {}) + 1;
    count.assign(count + rows);
    return sum(ring);
  });
  program.entry("put", {{"places", i32, {dim("puts", {.min = 1, .max = 9})}}}, [&](Tensor places) {
    Tensor rows = cast(arange(places.size(0), i32), f32);
    ring.update(1, places, rows + 1);
    return sum(ring);
  });
  program.entry("read", {{"scale", f32, {}}}, [&](Tensor scale) { return ring * scale; });
  return program;
}

static void values(const Executable &run) {
  // CHECK: before: 0 0 0
  // CHECK: sum: 6
  // CHECK: before: 1 2 3
  // CHECK: sum: 12
  for (int n = 0; n < 2; ++n) {
    Arrays out = run.call("add", {{"x", numbers({3}, {1, 2, 3})}});
    print("before", out.at("before"));
    print("sum", out.at("sum"));
  }
  // What is written into a state takes effect in the next call.
  // CHECK: total: 2 4 6
  // CHECK: sum: 16
  // CHECK: sum: 6
  print("total", run.state("total"));
  run.set_state("total", numbers({3}, {3, 3, 4}));
  print("sum", run.call("add", {{"x", numbers({3}, {1, 2, 3})}}).at("sum"));
  run.reset("total");
  print("sum", run.call("add", {{"x", numbers({3}, {1, 2, 3})}}).at("sum"));
  // Two calls write one after the other; an entry that only reads sees both.
  // CHECK: pushed: 3
  // CHECK: pushed: 21
  // CHECK: read: 2 4 6 8 10 12 0 0
  print("pushed", run("push", numbers({1, 2}, {1, 2})));
  print("pushed", run("push", numbers({2, 2}, {3, 4, 5, 6})));
  print("read", run("read", numbers({}, {2})));
  // CHECK: entry 'push': state 'count' is full: expected at most 2 of 4 before 2 more, got 3
  report([&] { run("push", numbers({2, 2}, {0, 0, 0, 0})); });
  // CHECK: pushed: 36
  print("pushed", run("push", numbers({1, 2}, {7, 8})));
  // CHECK: count: 4
  std::printf("count: %d\n", run.state("count").item<int>());
}

/// States are saved where they are asked for.
static void files(const Executable &run, const Program &program, const CompileOptions &options) {
  // CHECK: parameters: weight
  // CHECK: states: count ring total
  std::printf("parameters:");
  for (const auto &[name, value] : run.state_dict())
    std::printf(" %s", name.c_str());
  std::printf("\nstates:");
  for (const auto &[name, value] : run.states())
    std::printf(" %s", name.c_str());
  // CHECK: optimiser: 0
  std::printf("\noptimiser: %zu\n", run.optimizer_state().size());
  StateDict all = run.state_dict();
  all.merge(run.states());
  save_safetensors("all.safetensors", all);
  Executable other = program.compile(options);
  other.load_state_dict(load_safetensors("all.safetensors"));
  // CHECK: read: 1 2 3 4 5 6 7 8
  print("read", other("read", numbers({}, {1})));
}

/// A state that no entry uses has no memory.
static void unused() {
  Program idle("idle");
  idle.state({"unused", f32, {2}});
  idle.entry("negate", {{"x", f32, {2}}}, [](Tensor x) { return -x; });
  Executable other = idle.compile();
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a state of the program that an entry uses (none), got 'unused'
  report([&] { other.state("unused"); });
}

static void mistakes(const Executable &run) {
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a state of the program that an entry uses ('count', 'ring', 'total'), got 'totl'
  report([&] { run.state("totl"); });
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a state or cache of the program ('count', 'ring', 'total'), got 'weight'
  report([&] { run.reset("weight"); });
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a value of state 'total' of shape [3] of f32, got [2] of f32
  report([&] { run.set_state("total", numbers({2}, {0, 0})); });
  Program program("mistakes");
  State state = program.state({"state", f32, {4, 2}});
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected distinct names of states, got 'state' twice
  report([&] { program.state({"state", f32, {2}}); });
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an assignment to state 'state' in the function of an entry, got one outside
  report([&] { state.assign(state); });
  // CHECK: states.cpp:[[#@LINE+3]]:{{[0-9]+}}: expected a value of state 'state' of shape [4, 2] of f32, got [2, 2] of f32
  report([&] {
    program.entry("e", {{"x", f32, {2, 2}}}, [&](Tensor x) {
      state.assign(x);
      return x;
    });
  });
  // CHECK: states.cpp:[[#@LINE+3]]:{{[0-9]+}}: expected at most 4 elements along the axis of slice_update, got 5
  report([&] {
    program.entry("e", {{"x", f32, {5, 2}}, {"p", i32, {}}},
                  [&](Tensor x, Tensor p) { return slice_update(state, 0, p, x); });
  });
  // CHECK: states.cpp:[[#@LINE+3]]:{{[0-9]+}}: expected slices of shape [3, 2] at a vector of positions in slice_update, got [3]
  report([&] {
    program.entry("e", {{"x", f32, {3}}, {"p", i32, {3}}},
                  [&](Tensor x, Tensor p) { return slice_update(state, 0, p, x); });
  });
  // CHECK: states.cpp:[[#@LINE+3]]:{{[0-9]+}}: expected a scalar or a vector as position of slice_update, got shape [1, 3]
  report([&] {
    program.entry("e", {{"x", f32, {3}}, {"p", i32, {1, 3}}},
                  [&](Tensor x, Tensor p) { return slice_update(state, 1, p, x); });
  });
  // CHECK: states.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected names of inputs and states that differ, got 'state' twice
  report([&] {
    program.entry("e", {{"state", f32, {4, 2}}}, [&](Tensor x) {
      state.assign(x);
      return x;
    });
  });
  program.entry("set", {{"x", f32, {4, 2}}}, [&](Tensor x) {
    state.assign(x);
    return x;
  });
  // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an entry without updates to differentiate, got 'set', which updates 'state'
  report([&] { program.vjp("set"); });
  // A position that the entry computes cannot be checked.
  Program computed("computed");
  State kept = computed.state({"kept", f32, {4, 2}});
  computed.entry("e", {{"x", f32, {1, 2}}, {"p", i32, {}}}, [&](Tensor x, Tensor p) {
    // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a position that is an input or state of the entry, which a call can check
    kept.update(0, p + 1, x);
    return x;
  });
  report([&] { computed.compile(); });
}

/// Places by number, of which the last of equal ones counts, and those that the state does not have are left out.
static void places(const Executable &run) {
  run.reset("ring");
  // CHECK: sum: 18
  // CHECK: ring: 7 0 0 5 0 0 0 6
  print("sum", run("put", Array(std::vector<int32_t>{3, -1, 8, 1000000, 3, 7, 0})));
  print("ring", run.state("ring"));
}

/// What an update replaces has no gradient, what replaces it has that of its places; any numbers of rows.
static void gradients(const CompileOptions &options) {
  Program program("gradients");
  Dim rows = dim("rows", {.min = 1, .max = 4});
  program.entry("few", {{"s", f32, {2, 4, 2}}, {"x", f32, {2, 2, 2}}, {"p", i64, {}}},
                [](Tensor s, Tensor x, Tensor p) { return slice_update(s, 1, p, x); });
  program.entry("any", {{"s", f32, {4, 2}}, {"x", f32, {rows, 2}}, {"p", i32, {}}},
                [](Tensor s, Tensor x, Tensor p) { return slice_update(s, 0, p, x); });
  program.vjp("few");
  program.vjp("any");
  Executable run = program.compile(options);
  Array few = numbers({2, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18});
  Arrays out = run.call("few_vjp", {{"s", few}, {"x", Array(f32, {2, 2, 2})}, {"p", int64_t(1)}, {"d_few", few}});
  // CHECK: d_s: 1 2 0 0 0 0 7 8 11 12 0 0 0 0 17 18
  // CHECK: d_x: 3 4 5 6 13 14 15 16
  print("d_s", out.at("d_s"));
  print("d_x", out.at("d_x"));
  Array any = numbers({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  out = run.call("any_vjp", {{"s", any}, {"x", Array(f32, {3, 2})}, {"p", 1}, {"d_any", any}});
  // CHECK: d_s: 1 2 0 0 0 0 0 0
  // CHECK: d_x: 3 4 5 6 7 8
  print("d_s", out.at("d_s"));
  print("d_x", out.at("d_x"));
  Program computed("computed");
  computed.entry("put", {{"s", f32, {4, 2}}, {"x", f32, {3, 2}}, {"p", i32, {3}}}, [](Tensor s, Tensor x, Tensor p) {
    // CHECK: states.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one position in a differentiated slice_update, got 'tensor<3xi32>'
    return slice_update(s, 0, p, x);
  });
  computed.vjp("put");
  report([&] { computed.compile(options); });
}

/// A state of one number is not full where it only says which row is read.
static void rows(const CompileOptions &options) {
  Program program("rows");
  State row = program.state({"row", i32, {}});
  program.entry("pick", {{"x", f32, {3, 2}}}, [&](Tensor x) { return index_select(x, 0, reshape(row, {1})); });
  Executable run = program.compile(options);
  Array last(i32, {});
  last.data<int32_t>()[0] = 5;
  run.set_state("row", last);
  // CHECK: entry 'pick': state 'row': expected elements between 0 and 2, got 5 at index 0
  report([&] { run("pick", numbers({3, 2}, {1, 2, 3, 4, 5, 6})); });
}

/// On a GPU all states stay in its memory: the counter that a call checks is the one there.
int main(int count, char **) {
  CompileOptions options{.device = count > 1 ? cuda() : cpu()};
  Scale scale;
  Program program = makeProgram(scale);
  program.entry("scaled", {{"x", f32, {1, 2}}}, scale);
  Executable run = program.compile(options);
  values(run);
  files(run, program, options);
  unused();
  mistakes(run);
  places(run);
  gradients(options);
  rows(options);
}
