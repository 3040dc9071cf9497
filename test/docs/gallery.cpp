//===- gallery.cpp - The patterns of docs/patterns.md ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir -p %t/programs
// RUN: %cxx -std=c++20 -I%source/frontend/include %s -L%runtime_lib -Wl,-rpath,%runtime_lib -lxf -o %t/gallery
// RUN: %t/gallery %t/programs
// RUN: %python %S/Inputs/gallery.py %build/bin/xfc %t/programs %t/docs
//
// The page and its pictures are what the compiler says. Where that has changed, run the last command with %source/docs.
// RUN: diff %source/docs/patterns.md %t/docs/patterns.md
// RUN: diff -r %source/docs/figures/patterns %t/docs/figures/patterns

#include <xf/xf.h>

#include <cstdio>
#include <fstream>

using namespace xf;

namespace {
struct Named {
  const char *name, *text; ///< text: the C++ expression
  Pattern pattern;
};
} // namespace

#define PATTERN(name, ...) {name, #__VA_ARGS__, __VA_ARGS__}

/// A permutation that reads 32 positions in the order of their reversed bits.
static std::vector<int64_t> reversed_bits() {
  std::vector<int64_t> order;
  for (int64_t n = 0; n < 32; ++n)
    order.push_back((n & 1) << 4 | (n & 2) << 2 | (n & 4) | (n & 8) >> 2 | (n & 16) >> 4);
  return order;
}

/// What pictures show: 32 queries and keys.
static const std::vector<Named> small = {
    PATTERN("dense", dense()),
    PATTERN("causal", causal()),
    PATTERN("window", window(5)),
    PATTERN("dilated", dilated({.left = 12, .step = 3})),
    PATTERN("strided", strided(6)),
    PATTERN("fixed", fixed(8, 2)),
    PATTERN("heads", heads({fixed(8, 2).local(), fixed(8, 2).column()})),
    PATTERN("prefix", prefix(8)),
    PATTERN("sinks", (window(5) | keys({{0, 2}})) & causal()),
    PATTERN("longformer", window(2, 2) | global({0, 1})),
    PATTERN("far", causal() - window(7)),
    PATTERN("block", block(4, window(1, 1))),
    PATTERN("bigbird", bigbird({.block = 2})),
    PATTERN("random", random(4, 1)),
    PATTERN("window_nd", window_nd({.extents = {4, 8}, .radius = {1, 1}})),
    PATTERN("clamped", window_nd({.extents = {4, 8}, .radius = {1, 1}, .clamp = true})),
    PATTERN("axial", lift({.extents = {4, 8}, .axis = 0, .of = window(0)}) |
                         lift({.extents = {4, 8}, .axis = 1, .of = window(0)})),
    PATTERN("swin", swin({.extents = {4, 8}, .window = {2, 4}, .shift = {1, 2}})),
    PATTERN("grid", grid({.layers = 4, .of = causal(), .granularity = Granularity::position})),
    PATTERN("permute", permute(reversed_bits(), causal())),
    PATTERN("condition", pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 6 == 0; }) | window(1)),
};

/// What costs are of: 4096 queries and keys.
static const std::vector<Named> large = {
    PATTERN("dense", dense()),
    PATTERN("causal", causal()),
    PATTERN("window", window(255)),
    PATTERN("dilated", dilated({.left = 1020, .step = 4})),
    PATTERN("strided", strided(64)),
    PATTERN("fixed", fixed(128, 32)),
    PATTERN("heads", heads({fixed(128, 32).local(), fixed(128, 32).column()})),
    PATTERN("prefix", prefix(512)),
    PATTERN("sinks", (window(255) | keys({{0, 4}})) & causal()),
    PATTERN("longformer", window(256, 256) | global({0, 1})),
    PATTERN("far", causal() - window(255)),
    PATTERN("block", block(64, window(1, 1))),
    PATTERN("bigbird", bigbird()),
    PATTERN("random", random(32, 1)),
    PATTERN("window_nd", window_nd({.extents = {64, 64}, .radius = {3, 3}})),
    PATTERN("clamped", window_nd({.extents = {64, 64}, .radius = {3, 3}, .clamp = true})),
    PATTERN("axial", lift({.extents = {64, 64}, .axis = 0, .of = window(0)}) |
                         lift({.extents = {64, 64}, .axis = 1, .of = window(0)})),
    PATTERN("swin", swin({.extents = {64, 64}, .window = {8, 8}, .shift = {4, 4}})),
    PATTERN("grid", grid({.layers = 4, .of = causal(), .granularity = Granularity::position})),
    PATTERN("condition", pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; }) | window(5)),
};

/// Writes a module with one attention to `folder`/`name`.mlir, and the expression beside it.
static void write(const std::string &folder, const Named &named, const char *suffix, const Dim &tokens) {
  Program program("gallery");
  TensorSpec q{"q", f32, {1, 2, tokens, 64}}, k{"k", f32, {1, 2, tokens, 64}}, v{"v", f32, {1, 2, tokens, 64}};
  program.entry("attend", {q, k, v}, [&](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = named.pattern});
  });
  std::string path = folder + "/" + named.name + "." + suffix;
  std::ofstream(path + ".mlir") << program.str();
  std::ofstream(path + ".txt") << named.text;
}

int main(int, char **arguments) {
  std::string folder = arguments[1];
  for (const Named &named : small)
    write(folder, named, "small", 32);
  for (const Named &named : large)
    write(folder, named, "large", 4096);
}
