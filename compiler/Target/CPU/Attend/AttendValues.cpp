//===- AttendValues.cpp - o += P V for a group of rows and a key block ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes o += P V. Keys that all rows see need no care. If a key is masked for some rows, its P is -0 in these rows.
// This changes no sum, unless the value of the key is infinite or NaN. In that case the sum is NaN, and the sums are
// computed again with zeros in place of the values of masked pairs. Every row adds its keys in order, whatever the
// other rows see.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/CPU/Attend/MaskedPairs.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns whether some sum is NaN (i1). Also true if sums are infinite with both signs.
static Value buildHasNan(AttendKernel &k, ValueRange sums) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> level(sums);
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t n = 0; n + 1 < level.size(); n += 2)
      next.push_back(kb.addf(level[n], level[n + 1]));
    if (level.size() % 2)
      next.push_back(level.back());
    level = next;
  }
  Value isNan = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNO, level[0], level[0]);
  return vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, isNan);
}

/// Computes o += P V for the group of rows that begins at `row` and `registers` registers of o from `column` on. `ends`
/// tells whether the key block is the first or the last that the group sees. `loop` builds the loops over keys. If
/// `again` is not null, it builds the loops that compute the sums again if some become NaN.
static void chunk(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const GroupOutput &ends,
                  ValueLoop loop, ValueLoop again, int64_t registers, Value column) {
  KernelBuilder &kb = k.kb;
  RegisterTile shape{k.tile.getRows(), registers};
  Value output = kb.at(k.real, k.at(k.buffers.output, row, k.valueColumns()), column);
  Type packed = k.product.packed;
  int64_t terms = k.product.terms;
  Value values = kb.at(packed, k.valuesAt(piece, keyBlock), kb.mul(column, terms));
  auto slot = [&](int64_t n, int64_t c) { return kb.at(k.real, output, n * k.valueColumns() + c * k.lanes); };
  TileTerms weights{k.buffers.p.pointer, kb.integer(1), kb.integer(k.tile.getKeys())};
  TileTerms rows{values, piece.valueStride, kb.integer(k.lanes * terms)};
  auto visible = [&](Value p) { return isVisible(k, p); };
  TermMask mask{visible};
  auto careful = [&](ValueRange sums, Value begin, Value end) {
    return multiplyInto({kb, k.product, shape}, sums, {begin, end}, weights, rows, mask);
  };
  auto whole = [&](ValueRange sums, Value begin, Value end) {
    return multiplyInto({kb, k.product, shape}, sums, {begin, end}, weights, rows);
  };
  k.prefetches.build(kb);
  SmallVector<Type> types(shape.size(), k.vector());
  auto loaded = [&] { return shape.fill([&](int64_t n, int64_t c) { return kb.load(k.vector(), slot(n, c)); }); };
  auto zeros = [&] { return SmallVector<Value>(shape.size(), kb.real(k.vector(), 0)); };
  auto before = [&] { return ends ? kb.ifElse(ends.isFirst, types, zeros, loaded) : loaded(); };
  SmallVector<Value> sums = loop(before(), careful, whole);
  if (again)
    sums =
        kb.ifElse(buildHasNan(k, sums), types, [&] { return again(before(), careful, whole); }, [&] { return sums; });
  auto store = [&] {
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < registers; ++c)
        kb.store(shape.at(sums, n, c), slot(n, c));
    return SmallVector<Value>();
  };
  auto finish = [&] {
    buildOutput(k, shape, sums, row, column);
    return SmallVector<Value>();
  };
  if (ends)
    kb.ifElse(ends.isLast, {}, finish, store);
  else
    store();
}

/// Multiplies the values by 0 and adds the products. Their sum is 0 if all values are finite, else NaN.
Value cpu::buildHasFiniteValues(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                                ArrayRef<std::pair<Value, Value>> columns) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t unrolled = 32;                                                          // registers
  int64_t registers = k.valueColumns() / k.lanes, chains = std::min<int64_t>(4, registers); // sums that do not wait
  int64_t rest = registers <= unrolled ? registers : registers % unrolled, whole = registers - rest;
  const ProductForm &form = k.product;
  Type packed = form.packed;
  Value zero = kb.real(k.vector(), 0), zeros = kb.real(form.operands(kb), 0);
  auto addRegisters = [&](Value line, ValueRange sums, int64_t count) {
    SmallVector<Value> next(sums);
    for (int64_t c = 0; c < count; ++c)
      next[c % chains] =
          form.emit(kb, form.loadRight(kb, kb.at(packed, line, c * k.lanes * form.terms)), zeros, next[c % chains]);
    return next;
  };
  auto add = [&](Value key, ValueRange sums) {
    Value line = k.valuesAt(piece, keyBlock, key);
    SmallVector<Value> next(sums);
    if (whole)
      next =
          kb.loop(kb.integer(0), kb.integer(whole * k.lanes), unrolled * k.lanes, next, [&](Value c, ValueRange sums) {
            return addRegisters(kb.at(packed, line, kb.mul(c, form.terms)), sums, unrolled);
          });
    return addRegisters(kb.at(packed, line, whole * k.lanes * form.terms), next, rest);
  };
  SmallVector<Value> sums(chains, zero);
  for (auto [begin, end] : columns)
    sums = kb.loop(k.firstTerm(begin), k.lastTerm(end), form.terms, sums, add);
  Value total = sums[0];
  for (Value sum : ArrayRef(sums).drop_front())
    total = kb.addf(total, sum);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kb.reduceAdd(total), kb.real(k.real, 0));
}

void cpu::buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ValueLoop loop,
                      ValueLoop careful) {
  KernelBuilder &kb = k.kb;
  int64_t registers = k.valueColumns() / k.lanes, rest = registers % k.tile.getRegisters();
  int64_t whole = (registers - rest) * k.lanes;
  GroupOutput ends = buildGroupOutput(k, piece, row, keyBlock);
  kb.loop(kb.integer(0), kb.integer(whole), k.width(),
          [&](Value column) { chunk(k, piece, row, keyBlock, ends, loop, careful, k.tile.getRegisters(), column); });
  if (rest)
    chunk(k, piece, row, keyBlock, ends, loop, careful, rest, kb.integer(whole));
}
