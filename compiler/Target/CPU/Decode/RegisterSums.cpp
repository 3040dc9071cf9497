//===- RegisterSums.cpp - Sums over the lanes of registers ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/RegisterSums.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Adds two shuffles of x ++ y: lane l of the result is the sum of elements pick(l, false) and pick(l, true).
static Value addShuffled(KernelBuilder &kb, Value x, Value y, function_ref<int64_t(int64_t, bool)> pick) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  auto shuffle = [&](bool isUpper) {
    auto mask = llvm::map_to_vector(llvm::seq<int64_t>(0, lanes), [&](int64_t lane) { return pick(lane, isUpper); });
    return vector::ShuffleOp::create(kb.b, kb.loc, x, y, mask);
  };
  return kb.addf(shuffle(false), shuffle(true));
}

/// Reduces a list of registers to one: replaces neighbours x and y by add(x, y, count), until one register is left.
/// Each of x and y is already the sum of `count` registers.
static Value addInPairs(ArrayRef<Value> registers, function_ref<Value(Value x, Value y, int64_t count)> add) {
  SmallVector<Value> level(registers);
  for (int64_t count = 1; level.size() > 1; count *= 2) {
    for (size_t n = 0; n < level.size() / 2; ++n)
      level[n] = add(level[2 * n], level[2 * n + 1], count);
    level.truncate(level.size() / 2);
  }
  return level[0];
}

Value cpu::addWithinGroups(KernelBuilder &kb, ArrayRef<Value> registers) {
  int64_t lanes = cast<VectorType>(registers[0].getType()).getNumElements(), group = registers.size();
  return addInPairs(registers, [&](Value x, Value y, int64_t chunk) {
    // Interleaves chunks of x and y from one half of each group: unpcklps, unpcklpd and their upper forms.
    return addShuffled(kb, x, y, [&](int64_t lane, bool isUpper) {
      int64_t within = lane % group, half = isUpper ? group / 2 : 0;
      int64_t source = lane - within + half + within / (2 * chunk) * chunk + within % chunk;
      return source + (within / chunk % 2 ? lanes : 0);
    });
  });
}

Value cpu::addAcrossGroups(KernelBuilder &kb, ArrayRef<Value> registers, int64_t width) {
  int64_t lanes = cast<VectorType>(registers[0].getType()).getNumElements();
  return addInPairs(registers, [&](Value x, Value y, int64_t count) {
    // Every register of `count` holds a block of x or y. Halves of blocks: those of x, then those of y (vshuff32x4).
    int64_t half = width / count / 2;
    return addShuffled(kb, x, y, [&](int64_t lane, bool isUpper) {
      int64_t part = lane % width, within = part % (width / 2), block = within / half;
      int64_t source = lane - part + block * 2 * half + (isUpper ? half : 0) + within % half;
      return source + (part < width / 2 ? 0 : lanes);
    });
  });
}
