//===- RegisterTranspose.cpp - Square blocks in registers -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes square blocks of elements. First transposes within 128-bit groups, which x86 interleaves in one
// instruction (unpcklps, unpcklpd). Then exchanges whole groups between registers (vperm2f128, vshuff32x4).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Builds a shuffle of two registers: lane l of the result is element `pick(l)` of x ++ y.
static Value shuffle(KernelBuilder &kb, Value x, Value y, function_ref<int64_t(int64_t)> pick) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  SmallVector<int64_t> mask = llvm::map_to_vector(llvm::seq<int64_t>(0, lanes), pick);
  return vector::ShuffleOp::create(kb.b, kb.loc, x, y, mask);
}

/// Interleaves chunks of `chunk` elements of x with chunks of y, within each group of `group` elements. Takes the upper
/// half of the group if `upper`, else its lower half.
static Value interleave(KernelBuilder &kb, Value x, Value y, int64_t group, int64_t chunk, bool upper) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  return shuffle(kb, x, y, [&](int64_t lane) {
    int64_t base = lane / group * group, within = lane % group;
    int64_t source = base + (upper ? group / 2 : 0) + within / (2 * chunk) * chunk + within % chunk;
    return source + (within / chunk % 2 ? lanes : 0);
  });
}

/// Transposes blocks. Block n consists of group n (`group` elements) of every row. The number of rows is `group` or a
/// smaller power of two. If there are fewer rows, a result holds several columns of every block, one after the other,
/// so that they fill a group.
static SmallVector<Value> transposeGroups(KernelBuilder &kb, ArrayRef<Value> rows, int64_t group) {
  int64_t half = rows.size() / 2;
  if (half == 0)
    return {rows[0]};
  SmallVector<Value> upperRows = transposeGroups(kb, rows.take_front(half), group);
  SmallVector<Value> lowerRows = transposeGroups(kb, rows.take_back(half), group), columns;
  for (auto [x, y] : llvm::zip_equal(upperRows, lowerRows))
    for (bool upper : {false, true})
      columns.push_back(interleave(kb, x, y, group, half, upper));
  return columns;
}

SmallVector<Value> kernel::transposeRegisters(KernelBuilder &kb, ArrayRef<Value> rows) {
  auto type = cast<VectorType>(rows[0].getType());
  int64_t lanes = type.getNumElements(), group = std::min<int64_t>(lanes, 128 / type.getElementTypeBitWidth());
  if (lanes == 1)
    return {rows[0]};
  SmallVector<Value> blocks;
  for (int64_t i = 0; i < lanes; i += group)
    llvm::append_range(blocks, transposeGroups(kb, rows.slice(i, group), group));
  // Now a transposition of groups: exchange them along each bit of their number.
  for (int64_t step = group; step < lanes; step *= 2) {
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & step)
        continue;
      Value x = blocks[i], y = blocks[i + step];
      blocks[i] = shuffle(kb, x, y, [&](int64_t l) { return l & step ? lanes + l - step : l; });
      blocks[i + step] = shuffle(kb, x, y, [&](int64_t l) { return l & step ? lanes + l : l + step; });
    }
  }
  return blocks;
}

SmallVector<Value> kernel::loadTransposed(KernelBuilder &kb, Type stored, ArrayRef<Value> rows) {
  int64_t lanes = rows.size(), group = 128 / stored.getIntOrFloatBitWidth();
  if (computeType(stored) != stored || lanes <= group)
    return transposeRegisters(
        kb, llvm::map_to_vector(rows, [&](Value row) { return loadRegister(kb, stored, lanes, row); }));
  // Register i: elements [column, column + group) of rows i, i + group, ..
  auto concat = [&](Value x, Value y) {
    int64_t both = 2 * cast<VectorType>(x.getType()).getNumElements();
    return Value(vector::ShuffleOp::create(kb.b, kb.loc, x, y, llvm::to_vector(llvm::seq<int64_t>(0, both))));
  };
  SmallVector<Value> columns;
  for (int64_t column = 0; column < lanes; column += group) {
    SmallVector<Value> registers;
    for (int64_t i = 0; i < group; ++i) {
      SmallVector<Value> parts;
      for (int64_t row = i; row < lanes; row += group)
        parts.push_back(kb.load(kb.vector(stored, group), kb.at(stored, rows[row], column)));
      for (; parts.size() > 1; parts.truncate(parts.size() / 2))
        for (size_t n = 0; n < parts.size() / 2; ++n)
          parts[n] = concat(parts[2 * n], parts[2 * n + 1]);
      registers.push_back(parts[0]);
    }
    llvm::append_range(columns, transposeGroups(kb, registers, group));
  }
  return columns;
}

SmallVector<Value> kernel::loadTransposedPairs(KernelBuilder &kb, Type stored, ArrayRef<Value> rows) {
  int64_t lanes = rows.size();
  Type half = kb.vector(kb.b.getI16Type(), lanes);
  VectorType word = kb.vector(kb.b.getI32Type(), lanes);
  SmallVector<Value> columns;
  for (Value pairs : loadTransposed(kb, kb.b.getF32Type(), rows)) {
    Value words = arith::BitcastOp::create(kb.b, kb.loc, word, pairs);
    Value upper = arith::ShRUIOp::create(kb.b, kb.loc, words, kb.integerOf(word, 16));
    for (Value x : {words, upper})
      columns.push_back(fromMemory(kb, arith::TruncIOp::create(kb.b, kb.loc, half, x), stored));
  }
  return columns;
}
