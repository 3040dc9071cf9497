//===- errors.cpp - Mistakes point at the user's own line -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-errors | FileCheck %s

#include "frontend/Show.h"

#include <cmath>

using namespace xf;

static void shapes() {
  Tensor x = input({2, 3});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected equal inner sizes in matmul, got 3 and 4 ([2, 3] times [4, 5])
  report([&] { matmul(x, input({4, 5})); });
  // An operator reports the line that it is written on.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected shapes that broadcast, got [2, 3] and [4]
  report([&] { return x + input({4}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one element type in *, got f32 and i64
  report([&] { return x * input({3}, i64); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an integer beside a tensor of i64, got 0.5
  report([&] { return input({3}, i64) + 0.5; });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected as many elements as in [2, 3] in reshape, got [4, 2]
  report([&] { reshape(x, {4, 2}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes that divide 6 elements in reshape, got [4]
  report([&] { reshape(x, {-1, 4}); });
  // Only -1 stands for a size.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes of at least 0, got -2 in [-2, 3]
  report([&] { reshape(x, {-2, 3}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a shape that [2, 3] broadcasts to, got [-4, 3]
  report([&] { broadcast_to(x, {-4, 3}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static shape of a constant, got [-3]
  report([&] { zeros({-3}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { sum(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 0 <= begin <= end <= 3 in slice, got 1 and 4
  report([&] { slice(x, 1, 1, 4); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a last dimension of 4 in linear, got 3 (shape [2, 3])
  report([&] { linear(x, input({5, 4})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected targets of shape [2] in cross_entropy, got [3]
  report([&] { cross_entropy(x, input({3}, i64)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in exp, got an empty one
  report([&] { exp(Tensor()); });
  // An undefined tensor is no number.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in +, got an empty one
  report([&] { return x + Tensor(); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in -, got an empty one
  report([&] { return Tensor() - x; });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in *, got an empty one
  report([&] { return 2.0 * Tensor(); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in /, got an empty one
  report([&] { return x / Tensor(); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in <, got an empty one
  report([&] { return Tensor() < 0.0; });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in where, got an empty one
  report([&] { return where(x == 0.0, x, Tensor()); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in shape, got an empty one
  report([&] { return Tensor().shape(); });
}

static void dimensions() {
  Dim batch = dim("batch"), tokens = dim("tokens");
  // Names that differ are sizes that may differ.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected shapes that broadcast, got [batch, 4] and [tokens, 4]
  report([&] { return input({batch, 4}) + input({tokens, 4}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 0 <= min <= max for dimension 'batch', got min = 5, max = 4
  report([&] { dim("batch", {.min = 5, .max = 4}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a dimension name of letters, digits and _, got 'a b'
  report([&] { dim("a b"); });
}

static void attention() {
  Tensor q = input({1, 4, 8, 16});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected query heads that are a multiple of the heads of k, got 4 and 3
  report([&] { scaled_dot_product_attention(q, input({1, 3, 8, 16}), q); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected keys of the queries' size 16, got 8
  report([&] { scaled_dot_product_attention(q, input({1, 4, 8, 8}), q); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a finite scale, got inf
  report([&] { scaled_dot_product_attention(q, q, q, {.scale = HUGE_VAL}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected lengths of shape [1], got [2]
  report([&] { scaled_dot_product_attention(q, q, q, {.lengths = input({2}, i64)}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 1 symbols for the pattern, got 0
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = causal() & prefix()}); });
  // A member is visited once, however deep differences nest.
  Pattern nested = prefix();
  for (int64_t depth = 0; depth < 64; ++depth)
    nested = nested - keys({{depth, depth + 1}});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 1 symbols for the pattern, got 0
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = nested}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a symbol of shape [], [1] or [1, 4], got [1, 3]
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = prefix(), .symbols = {input({1, 3}, i64)}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected positions, heads and tensors in a score, got a symbol of a pattern
  report([&] { scaled_dot_product_attention(q, q, q, {.score = [](Score s) { return s.value + symbol(); }}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the number of a symbol from 0 to 15, got 16
  report([&] { symbol(16); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static pattern, got a prefix whose length is a symbol
  report([&] { contains(prefix(), 0, 3, 4, 8); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a seed beside attention dropout, got none
  report([&] { scaled_dot_product_attention(q, q, q, {.dropout = 0.1}); });
  Pattern linear = kernelized({.feature = Feature::elu, .of = causal()});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a kernelised pattern beside decay, beta, relative or feature, got another one
  report([&] { scaled_dot_product_attention(q, q, q, {.decay = input({1, 4, 8})}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta of shape [1, 4, 8], got [4, 8]
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = linear, .beta = input({4, 8})}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected relative of f32, got f64
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = linear, .relative = input({4, 15}, f64)}); });
  // CHECK: errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected one row of f32 from a feature map, got shape [] of f32
  auto total = [](const Tensor &row) { return sum(row); };
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = linear, .feature = total}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one token of phi_k, got shape [1, 4, 8, 16]
  report([&] { linear_attention_step(slice(q, 2, 0, 1), q, q, q, input({1, 4, 16})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least one feature of at least one element, got 0 of 16
  report([&] { random_features(0, 16); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected table_columns of 2 to 4 dimensions without table_offsets, got [7]
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = table(2), .table_columns = input({7}, i32)}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected table_columns beside table_offsets, got none
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = table(2), .table_offsets = input({7}, i32)}); });
  // CHECK: errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected 2 indices for a tensor of shape [4, 8], got 1
  Tensor table = input({4, 8});
  report([&] { scaled_dot_product_attention(q, q, q, {.score = [&](Score s) { return s.value + table(s.h); }}); });
}

/// Scores that read where nothing is, and clauses that would not count.
static void clauses() {
  Tensor q = input({2, 2, 8, 16}), table = input({2, 3});
  auto attend = [&](Pattern pattern, auto score, Here here = Here::current()) {
    scaled_dot_product_attention(q, q, q, {.pattern = std::move(pattern), .score = score}, here);
  };
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an index in [0, 3) in dimension 1 of a tensor of shape [2, 3], got 9
  report([&] { attend(causal(), [&](Score s) { return s.value + table(s.h, 9); }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an index in [0, 3) in dimension 1 of a tensor of shape [2, 3], got -7 to 7
  report([&] { attend(dense(), [&](Score s) { return s.value + table(s.h, s.i - s.j); }); });
  // All heads have pairs in any pattern.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an index in [0, 2) in dimension 0 of a tensor of shape [2, 3], got 0 to 2
  report([&] { attend(window(1), [&](Score s) { return s.value + table(s.h * 2, 0); }); });
  // The line of a named score is that of its making.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an index in [0, 3) in dimension 1 of a tensor of shape [2, 3], got -6 to 8
  report([&] { attend(dense(), scores::distance_bias(table)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 7 offsets along an axis, got [3, 16]
  report([&] { scores::image_products(q, input({3, 16}), input({3, 16}), {4, 2}, {2, 2}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes of which one divides the other, got 2 queries and 3 keys along an axis
  report([&] { scores::image_products(q, input({7, 16}), input({5, 16}), {4, 2}, {4, 3}); });
  // What a pattern may leave out, and what stays in bounds, is no mistake.
  // CHECK-COUNT-4: no error
  report([&] { attend(window(2), [&](Score s) { return s.value + table(s.h, s.i - s.j); }); });
  report([&] { attend(dense(), [&](Score s) { return s.value + table(s.h, s.i / 4 + s.j / 7); }); });
  report([&] { attend(dense(), [&](Score s) { return s.value + table(s.h, (s.i - s.j) % 3); }); });
  report([&] { attend(dense(), scores::distance_bias(input({2, 15}))); });
  // Tables of more heads than the attention has.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a bias by distance for the 2 heads of the attention, got 3
  report([&] { attend(dense(), scores::distance_bias(input({3, 15}))); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a bias for the 2 heads of the attention, got 3
  report([&] { attend(dense(), scores::bias(input({3, 8, 8}))); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected factors for each of the 2 heads, got 3
  report([&] { attention_with_signed_factors(q, q, q, input({3, 15})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected alibi for the 2 heads of the attention, got 8
  report([&] { attend(causal(), scores::chain({scores::soft_cap(30), scores::alibi(8)})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at most one pattern for each head in heads(), got 3 for 2 heads
  report([&] { scaled_dot_product_attention(q, q, q, {.pattern = heads({causal(), dense(), window(2)}) & causal()}); });
  nn::MultiheadAttention module({.width = 32, .heads = 2, .score = scores::soft_cap(30), .scale = 1});
  Tensor x = input({1, 8, 32});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a score of the module or of the call, got both
  report([&] { module(x, x, {.score = scores::soft_cap(20)}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a scale of the module or of the call, got both
  report([&] { module(x, x, {.scale = 2}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one sink for each of the 2 heads, got 3
  report([&] { attention_with_sinks(q, q, q, input({3})); });
  // Options that would do nothing.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected .fused = true with the name 'qkv' of a fused projection
  report([&] { nn::MultiheadAttention({.width = 32, .heads = 2, .names = {.fused = "qkv"}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected no names of the projections q, k and v with fused projections, got 'query', 'k_proj' and 'v_proj'
  report([&] { nn::MultiheadAttention({.width = 32, .heads = 2, .fused = true, .names = {.q = "query"}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected .head_norm beside .norm_eps, got none
  report([&] { nn::MultiheadAttention({.width = 32, .heads = 2, .norm_eps = 1e-5}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected .features >= 1 beside .feature_rows, got 0
  report([&] { nn::MultiheadAttention({.width = 32, .heads = 2, .feature_rows = FeatureRows::iid}); });
}

/// A feature map is computed for all rows at once.
static void features() {
  Tensor q = input({1, 2, 8, 16}), matrix = input({16, 4});
  AttentionOptions options{.pattern = kernelized({.feature = Feature::identity, .of = causal()})};
  options.feature = [](const Tensor &row) {
    // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected element-wise operations, {{.*}} of the row in a feature map, got another operation
    return topk(exp(row), 4).values;
  };
  report([&] { scaled_dot_product_attention(q, q, q, options); });
  // CHECK: no error
  options.feature = [](const Tensor &row) { return sum(reshape(exp(row), {4, 4}), 1); };
  report([&] { scaled_dot_product_attention(q, q, q, options); });
  // What does not depend on the row is computed as anywhere.
  // CHECK: no error
  options.feature = [&](const Tensor &row) { return softmax(concat({linear(row, transpose(matrix)), row * row}, 0)); };
  report([&] { scaled_dot_product_attention(q, q, q, options); });
}

static void patterns() {
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a radius for each of 2 extents, got 1
  report([] { window_nd({.extents = {3, 4}, .radius = {1}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis of 2 from 0 on, got 2
  report([] { lift({.extents = {3, 4}, .axis = 2, .of = causal()}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a permutation of the 3 positions from 0 on, got 1 too often or outside
  report([] { permute({0, 1, 1}, causal()); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected rows of a relation of one length, got 2 and 1
  report([] { segments({{true, false}, {true}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected summary <= block, got summary = 9, block = 8
  report([] { fixed(8, 9); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected summary (slot + 1) <= block, got summary = 3, slot = 2, block = 8
  report([] { fixed(8, 3).slot(2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected stride >= 1, got 0
  report([] { strided(0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a window with -left <= right, got left = -3, right = 2
  report([] { window(-3, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a product with a constant in a pattern, got one of two expressions
  report([] { pattern([](Index i, Index j) { return i * j >= 0; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected numbers that stay below 2^62 in a pattern, got larger products
  report([] { pattern([](Index i, Index j) { return i * 4 * (int64_t{1} << 62) >= j; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a partition of 1 to layers = 2, got 3
  report([] { nn::OmniNet({.width = 16, .heads = 2, .layers = 2, .partition = 3}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a positive constant on the right of %, got 0
  report([] { pattern([](Index i, Index j) { return (i - j) % 0 == 0; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a positive constant on the right of /, got an expression
  report([] { pattern([](Index i, Index j) { return i / j == 0; }); });
  // Ten alternatives, each of two, are 1024.
  report([] {
    pattern([](Index i, Index j) {
      Condition all = i >= j;
      for (int n = 0; n < 10; ++n)
        // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at most 256 alternatives in a pattern, got 512
        all = (i + n >= 0 || j + n >= 0) && all;
      return all;
    });
  });
}

static void programs() {
  TensorSpec x{"x", f32, {4}};
  Program program("test");
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 2 inputs, as the function takes, got 1
  report([&] { program.entry("f", {x}, [](Tensor a, Tensor b) { return a + b; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected distinct names of inputs, got 'x' twice
  report([&] { program.entry("f", {x, x}, [](Tensor a, Tensor b) { return a + b; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an entry name of letters, digits and _, got 'f-1'
  report([&] { program.entry("f-1", {x}, [](Tensor a) { return a; }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the name of an entry, got 'f' before any entry was added
  report([&] { program.vjp("f"); });
  // Sizes come from inputs, also those of what a checkpoint computes and places in a slice.
  Dim n = dim("n"), m = dim("m");
  TensorSpec y{"y", f32, {n, 4}};
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes that inputs of entry 'f' have (n), got m + 1
  report([&] { program.entry("f", {y}, [&](Tensor) { return zeros({m + 1}); }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes that inputs of entry 'f' have (none has a name), got m
  report([&] { program.entry("f", {x}, [&](Tensor a) { return checkpoint([&] { return a + sum(ones({m})); }); }); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes that inputs of entry 'f' have (n), got m
  report([&] { program.entry("f", {y}, [&](Tensor a) { return slice(a, 0, m, m + 2); }); });
  // Modules and functions of the library report the line of the entry that they are given to.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a last dimension of 3 in linear, got 4 (shape [4])
  report([&] { program.entry("layer", {x}, nn::Linear(3, 2)); });
  nn::Sequential layers(nn::LayerNorm(4), gelu, nn::Linear(3, 2));
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a last dimension of 3 in linear, got 4 (shape [4])
  report([&] { program.entry("layers", {x}, layers); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a last dimension of 3 in linear, got 4 (shape [4])
  report([&] { checkpoint(layers, input({4})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a last dimension of 3 in linear, got 4 (shape [4])
  report([&] { value_and_grad(layers, layers)(input({4})); });
}

static void values() {
  TensorSpec x{"x", f32, {4}};
  Program program("test");
  // A tensor of one entry means nothing in another; the line is that of its use.
  Tensor leaked;
  program.entry("first", {x}, [&](Tensor a) { return leaked = a; });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected values of entry 'second', got an input of another entry or function
  program.entry("second", {x}, [&](Tensor a) { return a + leaked; });
  report([&] { program.str(); });

  // A parameter gets its name from a module; the line is that of its making.
  Program nameless("nameless");
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a parameter of a model that the program uses, got one without a name; give the model to Program(name, model), and name its members by XF_MEMBERS
  Parameter scale({4}, constant_init(1));
  nameless.entry("f", {x}, [&](Tensor a) { return a * scale; });
  report([&] { nameless.str(); });

  // A model was given: a member is missing in its XF_MEMBERS.
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a parameter of a model that the program uses, got one without a name; does XF_MEMBERS of its module name it?
  struct Half : nn::Module {
    nn::Linear named{4, 4};
    nn::Linear forgotten{4, 4};
    XF_MEMBERS(named)
    Tensor operator()(Tensor x) const { return forgotten(named(x)); }
  };
  Half whole;
  Program half("half", whole);
  half.entry("f", {x}, whole);
  report([&] { half.str(); });

  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected models whose parameters have distinct names, got 'weight' twice
  report([&] { nameless.use(nn::Linear(4, 4)).use(nn::LayerNorm(4)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: cannot write '/nowhere/x.mlir': No such file or directory
  report([&] { Program("empty").save("/nowhere/x.mlir"); });
}

static void training() {
  TensorSpec x{"x", f32, {4}};
  nn::Linear layer(4, 4);
  Program program("test");
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a scalar from a function to differentiate, got shape [4]
  report([&] { program.train_step("train", layer, {x}, [&](Tensor a) { return layer(a); }, optim::SGD{}); });
  struct Forgetful : nn::Module {
    nn::Linear layer{4, 4};
  } forgetful;
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a model with parameters, got none; does it have XF_MEMBERS?
  report([&] { program.train_step("train", forgetful, {x}, [&](Tensor a) { return sum(a); }, optim::SGD{}); });

  auto loss = [&](const Tensor &a) { return mean(layer(a)); };
  auto train = [&](const optim::Optimizer &optimizer, Here here = Here::current()) {
    report([&] { program.train_step("train", layer, {x}, loss, optimizer, here); });
  };
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected groups that match a parameter, got 'embed*', which matches none of 2: 'weight', 'bias'
  train(optim::AdamW{.groups = {{"bias", {.weight_decay = 0}}, {"embed*", {.frozen = true}}}});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a parameter to train, got 2, all frozen
  train(optim::SGD{.groups = {{"*", {.frozen = true}}}});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected weight_decay of group 'bias' >= 0, got -1
  train(optim::Lion{.groups = {{"bias", {.weight_decay = -1}}}});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected learning_rate_factor of group 'bias' >= 0, got -2
  train(optim::Lion{.groups = {{"bias", {.learning_rate_factor = -2}}}});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta1 in [0, 1), got -0.1
  train(optim::AdamW{.beta1 = -0.1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta2 in [0, 1), got 1
  train(optim::Adam{.beta2 = 1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta2 in [0, 1), got nan
  train(optim::Lion{.beta2 = std::nan("")});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected eps >= 0, got -1
  train(optim::Adam{.eps = -1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected weight_decay >= 0, got -1
  train(optim::AdamW{.weight_decay = -1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected learning_rate >= 0, got -1
  train(optim::SGD{.learning_rate = -1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected momentum > 0 with nesterov, got 0
  train(optim::SGD{.nesterov = true});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta2_decay <= 0, got 0.8
  train(optim::Adafactor{.beta2_decay = 0.8});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected beta2_decay <= 0, got -inf
  train(optim::Adafactor{.beta2_decay = -std::numeric_limits<double>::infinity()});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected clip_threshold > 0, got 0
  train(optim::Adafactor{.clip_threshold = 0});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected clip_norm >= 0, got -1
  train(optim::AdamW{.clip_norm = -1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected accumulate >= 1, got 0
  train(optim::AdamW{.accumulate = 0});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected ema in [0, 1), got 1
  train(optim::AdamW{.ema = 1});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected masters of f32, or none, got f64
  train(optim::AdamW{.master = f64});
}

static void metrics() {
  TensorSpec x{"x", f32, {4}};
  nn::Linear layer(4, 4);
  Program program("test");
  auto train = [&](const char *name, bool whole, Here here = Here::current()) {
    auto loss = [&](const Tensor &a) {
      Tensor y = layer(a);
      return Losses{mean(y), {{name, whole ? y : max(y)}}};
    };
    report([&] { program.train_step("train", layer, {x}, loss, optim::SGD{}, here); });
  };
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a scalar as metric 'each', got shape [4]
  train("each", true);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected other names of metrics than loss, gradient_norm and those of parameters and other metrics, got 'weight'
  train("weight", false);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected other names of metrics than loss, {{.*}}, got 'gradient_norm'
  train("gradient_norm", false);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected names of what a loss function returns beside the loss, got none
  train("", false);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected steps >= 1 in schedule::warmup, got 0
  report([&] { schedule::warmup(0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a factor >= 0 in schedule::cosine, got -1
  report([&] { schedule::cosine(10, -1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a schedule with an end before another one, got schedule::inverse_sqrt
  report([&] { schedule::inverse_sqrt(10) | schedule::linear(5); });
}

/// What a terminal would obey is shown as numbers.
static void names() {
  Program program("test");
  TensorSpec x{"x", f32, {4}};
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an entry name of letters, digits and _, got 'a\x1b[31m\xff'
  report([&] { program.entry("a\x1b[31m\xff", {x}, [](Tensor a) { return a; }); });
}

int main() {
  shapes();
  dimensions();
  attention();
  clauses();
  features();
  patterns();
  programs();
  values();
  training();
  metrics();
  names();
}
