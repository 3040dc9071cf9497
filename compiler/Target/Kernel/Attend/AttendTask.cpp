//===- AttendTask.cpp - The keys that each row sees -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the affine bounds of a piece, row by row, as an interval [lower, upper) of the ranks of keys.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/AttendTask.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

void AttendTask::setPart(Value clause) {
  if (!clause)
    return;
  View view = View::of(kb, clause);
  auto number = [&](int64_t n) { return kb.loadIndex(view.element, view.at(kb, {kb.integer(0), kb.integer(n)})); };
  part.first = kb.mul(number(0), nq);
  part.all = kb.mul(number(1), nq);
}

Value kernel::headOf(AttendTask &task, const View &keys, Value head) {
  return task.kb.div(head, task.kb.div(task.q.sizes[1], keys.sizes[1]));
}

Value kernel::loadPerHead(AttendTask &task, Value operand) {
  KernelBuilder &kb = task.kb;
  View view = View::of(kb, operand);
  SmallVector<Value> indices = {task.b, task.h};
  indices.truncate(view.sizes.size());
  for (auto [dimension, index] : llvm::enumerate(indices))
    if (cast<MemRefType>(operand.getType()).getDimSize(dimension) == 1)
      index = kb.integer(0);
  Value element = kb.load(view.element, view.at(kb, indices));
  return view.element.isInteger(64) ? element : Value(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), element));
}

PieceBounds PieceBounds::of(AttendTask &task, PieceAttr piece) {
  KernelBuilder &kb = task.kb;
  PieceBounds bounds{task, piece, {task.queryCount(), task.nk}, task.nk, Value()};
  for (Value symbol : task.limits.symbols)
    bounds.symbols.push_back(loadPerHead(task, symbol));
  if (task.limits.lengths)
    bounds.keyLimit = kb.clamp(loadPerHead(task, task.limits.lengths), kb.integer(0), task.nk);
  if (task.limits.queryLengths)
    bounds.rowLimit = loadPerHead(task, task.limits.queryLengths);
  return bounds;
}

SmallVector<Value> PieceBounds::evaluate(AffineMap map, Value position) {
  SmallVector<Value> results;
  if (map)
    for (AffineExpr expression : map.getResults())
      results.push_back(buildAffine(task.kb, expression, position, symbols));
  return results;
}

std::pair<Value, Value> PieceBounds::interval(const ResidueMap &keys, Value row) {
  KernelBuilder &kb = task.kb;
  Value position = kb.add(row, task.firstPosition());
  Value first = kb.integer(0), limit = keyLimit;
  for (Value bound : evaluate(piece.getLower(), position))
    first = kb.max(first, bound);
  for (Value bound : evaluate(piece.getUpper(), position))
    limit = kb.min(limit, kb.add(bound, 1));
  Value lower = keys.rank(kb, first), upper = kb.max(keys.rank(kb, limit), lower);
  for (Value condition : evaluate(piece.getRows(), position))
    upper = kb.select(kb.compare(slt, condition, kb.integer(0)), lower, upper);
  if (rowLimit)
    upper = kb.select(kb.compare(slt, task.rowNumber(row), rowLimit), upper, lower);
  return {lower, upper};
}

std::pair<Value, Value> kernel::buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last,
                                                int64_t step, function_ref<void(Value &, Value &)> join) {
  KernelBuilder &kb = task.kb;
  ResidueMap queries = ResidueMap::of(kb, piece.getQueries(), task.r);
  Value offset = task.firstPosition(), origin = queries.rank(kb, offset);
  if (!piece.getHasInverse())
    return {kb.integer(0), kb.sub(queries.rank(kb, task.endPosition()), origin)};
  PieceBounds bounds = PieceBounds::of(task, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), task.r);
  Value behind = task.endPosition();
  SmallVector<Value> empty = {behind, offset};
  auto positions = kb.loop(first, last, step, empty, [&](Value rank, ValueRange positions) {
    Value key = keys.at(kb, rank), lower = offset, upper = behind;
    for (Value bound : bounds.evaluate(piece.getQueryLower(), key))
      lower = kb.max(lower, bound);
    for (Value bound : bounds.evaluate(piece.getQueryUpper(), key))
      upper = kb.min(upper, kb.add(bound, 1));
    for (Value condition : bounds.evaluate(piece.getColumns(), key))
      upper = kb.select(kb.compare(slt, condition, kb.integer(0)), lower, upper);
    Value seen = kb.compare(slt, lower, upper);
    return SmallVector<Value>{kb.select(seen, kb.min(positions[0], lower), positions[0]),
                              kb.select(seen, kb.max(positions[1], upper), positions[1])};
  });
  if (join)
    join(positions[0], positions[1]);
  return {kb.sub(queries.rank(kb, positions[0]), origin), kb.sub(queries.rank(kb, positions[1]), origin)};
}
