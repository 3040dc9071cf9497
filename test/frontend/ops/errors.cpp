//===- errors.cpp - Mistakes in calls of functions point at their lines -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-function-errors | FileCheck %s

#include "frontend/Show.h"

using namespace xf;

/// Every function with an axis checks it; the functions of rows need floats.
static void axes() {
  Tensor x = input({2, 3}), one = input({}), ids = input({2, 3}, i64);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { topk(x, 1, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got -3
  report([&] { sort(x, -3); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { argsort(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { argmin(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected rank 1 or more in argmax, got a scalar
  report([&] { argmax(one); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { index_select(x, 2, ids); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { gather(x, 2, ids); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { cumsum(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected floats or integers in cumsum, got i1
  report([&] { cumsum(x == x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { min(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { prod(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { var(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { stddev(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { logsumexp(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { softmax(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { log_softmax(x, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected more than 3 elements in var, got 3
  report([&] { var(x, 1, false, 3); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static size along the axis of prod, got tokens
  report([&] { prod(input({dim("tokens")}), 0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a tensor in logsumexp, got an empty one
  report([&] { logsumexp(Tensor()); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected low <= high in clamp, got 1 and -1
  report([&] { clamp(x, 1, -1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one element type in atan2, got f32 and f64
  report([&] { return atan2(x, input({3}, f64)); });
}

static void indices() {
  Tensor x = input({2, 3}), ids = input({4}, i64), places = input({2, 4}, i64);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected k in [0, 3] in topk, got 4
  report([&] { topk(x, 4); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected k in [0, 3] in topk, got -1
  report([&] { topk(x, -1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least one element in argmax, got shape [2, 0]
  report([&] { argmax(input({2, 0})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected i32 or i64 in the ids of index_select, got f32
  report([&] { index_select(x, 0, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected i32 or i64 in the indices of gather, got f32
  report([&] { gather(x, 0, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the sizes [2, 3] but along axis 0 in the indices of gather, got [2, 4]
  report([&] { gather(x, 0, places); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected updates of shape [2, 4] of f32 in scatter_add, got [2, 3] of f32
  report([&] { scatter_add(x, 1, places, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected updates of shape [2, 4] of f32 in scatter_add, got [2, 4] of f64
  report([&] { scatter_add(x, 1, places, input({2, 4}, f64)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected i32 or i64 in the rows of gather_rows, got f32
  report([&] { gather_rows(x, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the leading sizes of [2, 3] in the rows of gather_rows, got [2, 4]
  report([&] { gather_rows(x, places); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static number of rows in gather_rows, got tokens
  report([&] { gather_rows(input({dim("tokens"), 3}), ids); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected updates of shape [2, 4, 3] of f32 in scatter_add_rows, got [2, 3]
  report([&] { scatter_add_rows(input({2, 5, 3}), places, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected updates of shape [2, 4] of f32 in index_add, got [2, 3] of f32
  report([&] { index_add(x, 1, ids, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected rank 1 in the ids of index_add, got shape [2, 4]
  report([&] { index_add(x, 1, places, x); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static size along the axis of index_add, got tokens
  report([&] { index_add(input({dim("tokens"), 3}), 0, ids, input({4, 3})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a padding row in [0, 2) in embedding, got 2
  report([&] { embedding(x, ids, {.padding = 2}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a padding row in [0, 2) in embedding, got -1
  report([&] { nn::Embedding(2, 3, {.padding = -1}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected i32 or i64 in the ids of one_hot, got f32
  report([&] { one_hot(x, 4); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least one class in one_hot, got 0
  report([&] { one_hot(ids, 0); });
}

static void arrangements() {
  Tensor x = input({2, 3}), tokens = input({dim("tokens"), 3});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a size >= 1 in split, got 0
  report([&] { split(x, 0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes whose sum is 3 in split, got 4
  report([&] { split(x, {1, 3}, 1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected sizes >= 0 in split, got -1
  report([&] { split(x, {4, -1}, 1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-2, 2), got 2
  report([&] { split(x, 1, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a count >= 1 in chunk, got 0
  report([&] { chunk(x, 0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static size along the axis of chunk, got tokens
  report([&] { chunk(tokens, 2); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least one tensor in stack, got none
  report([&] { stack({}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected tensors of one shape in stack, got [2, 3] and [3, 2]
  report([&] { stack({x, input({3, 2})}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-3, 3), got 3
  report([&] { stack({x, x}, 3); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one element type in stack, got f32 and f64
  report([&] { stack({x, input({2, 3}, f64)}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a size of 1 along the axis of squeeze, got 3
  report([&] { squeeze(x, 1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an axis in [-3, 3), got 3
  report([&] { unsqueeze(x, 3); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected first <= last in flatten, got 1 and 0
  report([&] { flatten(x, 1, 0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static size along the axis of flip, got tokens
  report([&] { flip(tokens, 0); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at most 2 elements to take away in pad, got 2 and 1
  report([&] { pad(x, {{0, -2, -1}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected low and high of less than 2^62 in pad, got 9223372036854775807 and 1
  report([&] { pad(x, {{0, INT64_MAX, 1}}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected each axis once in pad, got -1 twice
  report([&] { pad(x, {{1, 1, 1}, {-1, 1, 1}}); });
}

static void numbers() {
  Tensor ids = input({2}, i32);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a number that fits into i32, got 3e+09
  report([&] { ids + 3e9; });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one element type in +, got i32 and i64
  report([&] { ids + input({2}, i64); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least one element in max, got shape [2, 0]
  report([&] { max(input({2, 0}), 1); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected k in [0, n] in topk, got 9
  report([&] { topk(input({dim("n", {.max = 8})}), 9); });
}

static void equations() {
  Tensor x = input({2, 3}), y = input({3, 4});
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 3 tensors in einsum "ij,jk,kl->il", got 2
  report([&] { einsum("ij,jk,kl->il", {x, y}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected letters in einsum, got '.'
  report([&] { einsum("..j,jk->..k", {x, y}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at least 3 dimensions for 'i...jk' in einsum, got 2
  report([&] { einsum("i...jk->...", {x}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected letters in einsum, got '-'
  report([&] { einsum("ij->ji->ij", {x}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one result in einsum "ij,jk->i,k", got 2
  report([&] { einsum("ij,jk->i,k", {x, y}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one size of 'i' in einsum, got 2 and 3
  report([&] { einsum("ii->i", {x}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static size of 'i', which occurs twice in an operand of einsum, got n
  report([&] { einsum("ii->i", {input({dim("n"), dim("n")})}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected each letter once in 'kk' of einsum, got 'k' twice
  report([&] { einsum("ij,jk->kk", {x, y}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a letter for each of 2 dimensions in einsum, got 'ijk'
  report([&] { einsum("ijk->i", {x}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected letters of operands on the right of -> in einsum, got 'z'
  report([&] { einsum("ij->z", {x}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one size of 'j' in einsum, got 3 and 4
  report([&] { einsum("ij,kj->ik", {x, y}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a floating-point tensor in einsum, got i64
  report([&] { einsum("ij->j", {input({2, 3}, i64)}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected one element type in einsum, got f32 and f64
  report([&] { einsum("ij,jk->ik", {x, input({3, 4}, f64)}); });
}

static void losses() {
  Tensor x = input({2, 3}), targets = input({2}, i64);
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected targets of shape [2] in cross_entropy, got [3]
  report([&] { cross_entropy(x, input({3}, i64), {.label_smoothing = 0.1}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected label_smoothing in [0, 1] in cross_entropy, got 1.5
  report([&] { cross_entropy(x, targets, {.label_smoothing = 1.5}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected none, sum or mean in cross_entropy
  report([&] { cross_entropy(x, targets, {.reduction = Reduction::batch_mean}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 3 elements in the weight of cross_entropy, got 2
  report([&] { cross_entropy(x, targets, {.weight = input({2})}); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a target of shape [2, 3] of f32 in mse_loss, got [3] of f32
  report([&] { mse_loss(x, input({3})); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a target of shape [2, 3] of f32 in bce_with_logits, got [2, 3] of f64
  report([&] { bce_with_logits(x, input({2, 3}, f64)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a floating-point tensor in kl_div, got i64
  report([&] { kl_div(x, input({2, 3}, i64)); });
  // CHECK: errors.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a first dimension for the mean over a batch in kl_div, got [0, 3]
  report([&] { kl_div(input({0, 3}), input({0, 3}), Reduction::batch_mean); });
}

int main() {
  axes();
  indices();
  arrangements();
  numbers();
  equations();
  losses();
}
