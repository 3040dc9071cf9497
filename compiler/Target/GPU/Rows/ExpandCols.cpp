//===- ExpandCols.cpp - One loop over the columns of a row, by threads ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands a loop over the columns of a row.
//
// Before:
//   %s = xft.cols ins(%x) combine(add) -> f32 { ^bb0(%column: i64, %e: f32): %t = arith.mulf %e, %e  xft.yield %t }
// After, in thread t of T: aligned registers of 16 bytes, several loads in flight at a time; then the columns before
// and after them; then the reduction over threads (RowThreads.h).
//   %p = scf.for %j = %head + 4 t to .. step 8 T { 2 x load; 2 x region; add }
//   %q = scf.for .. step 4 T { load; region; add }        the registers that are left
//   %r = scf.for %e = t to %count - %aligned step T { column %e, or %e + %aligned behind the registers }
// A row may have several such loops, its phases. A column may belong to different threads in different phases. Other
// threads see what a thread has written when the phase has ended.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Rows/ExpandCols.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/Combine.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr int64_t accessBytes = 16; // of one instruction of a thread

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

int64_t xf::gpu::elementBytes(const RowAccess &row) { return memoryType(row.stored).getIntOrFloatBitWidth() / 8; }

static bool isContiguous(const RowAccess &row) { return row.kind == RowAccess::Contiguous; }

int64_t xf::gpu::registerWidth(ArrayRef<RowAccess> operands) {
  constexpr int64_t most = 8;
  if (llvm::any_of(operands, [](const RowAccess &row) { return row.kind == RowAccess::Strided; }))
    return 1;
  int64_t least = accessBytes;
  for (const RowAccess &row : llvm::make_filter_range(operands, isContiguous))
    least = std::min(least, elementBytes(row));
  return std::min(most, accessBytes / least);
}

int64_t xf::gpu::registerAlignment(const RowAccess &row, int64_t width) {
  return std::min(accessBytes, width * elementBytes(row));
}

int64_t xf::gpu::registersAtOnce(Block &region, ArrayRef<RowAccess> operands, int64_t width) {
  constexpr int64_t mostElements = 48, mostOps = 384, most = 4;
  int64_t elements = width * std::max<int64_t>(1, llvm::count_if(operands, isContiguous));
  int64_t ops = width * std::max<int64_t>(1, llvm::range_size(region.without_terminator()));
  int64_t copies = std::min({most, mostElements / elements, mostOps / ops});
  return copies > 1 ? llvm::bit_floor<uint64_t>(copies) : 1;
}

Value xf::gpu::columnNumbers(KernelBuilder &kb, Block &region, Value first, int64_t lanes) {
  if (region.getArgument(0).use_empty())
    return kb.integer(0);
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  Value iota = kb.constant(DenseElementsAttr::get(kb.vector(kb.i64(), lanes), ArrayRef<int64_t>(numbers)));
  return arith::AddIOp::create(kb.b, kb.loc, kb.broadcast(first, lanes), iota);
}

namespace {
class ColsExpander {
public:
  ColsExpander(RowThreads &team, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
               const IRMapping &scalars)
      : team(team), kb(team.block.kb), op(op), body(op.getBody().front()), columns(columns), operands(operands),
        scalars(scalars), width(registerWidth(operands)), copies(registersAtOnce(body, operands, width)) {}

  SmallVector<Value> expand();

private:
  ArrayRef<RowAccess> ins() { return ArrayRef(operands).take_front(op.getIns().size()); }
  ArrayRef<RowAccess> outs() { return ArrayRef(operands).slice(op.getIns().size(), op.getOuts().size()); }
  ArrayRef<RowAccess> accs() { return ArrayRef(operands).take_back(op.getAccs().size()); }

  /// The columns of a row that are accessed by aligned registers. They begin at `head`, the first column at which the
  /// first contiguous operand is aligned. `count` is 0 if another operand is not aligned at this column.
  struct Registers {
    Value head, count; ///< columns before the first register, columns in registers
  };
  Registers findRegisters();

  /// Returns the values that the region captures, broadcast to registers of `lanes` lanes.
  IRMapping capture(int64_t lanes);
  SmallVector<Value> load(Value column, int64_t lanes);
  void store(Value column, ValueRange yielded);
  /// Builds the region once for each column in `first`, for the `lanes` columns that begin there. Stores the results of
  /// the region, and combines the results of reductions into `state`.
  void build(ArrayRef<Value> first, int64_t lanes, const IRMapping &captured, MutableArrayRef<Value> state);
  SmallVector<Value> identities(int64_t lanes);
  SmallVector<Value> buildRegisters(const Registers &registers);
  SmallVector<Value> buildRest(const Registers &registers, SmallVector<Value> state);

  RowThreads &team;
  KernelBuilder &kb;
  xft::ColsOp op;
  Block &body;
  TileColumns columns;
  SmallVector<RowAccess> operands;
  const IRMapping &scalars;
  int64_t width, copies; ///< columns of a register; registers of an operand in flight at a time
  SmallVector<Value> singles;
};
} // namespace

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

IRMapping ColsExpander::capture(int64_t lanes) {
  IRMapping captured;
  for (auto [from, to] : scalars.getValueMap())
    if (!isa<MemRefType>(from.getType()))
      captured.map(from, kb.broadcast(to, lanes));
  return captured;
}

SmallVector<Value> ColsExpander::load(Value column, int64_t lanes) {
  SmallVector<Value> arguments = {columnNumbers(kb, body, kb.add(columns.first, column), lanes)};
  for (auto [row, single] : llvm::zip_equal(ins(), singles))
    arguments.push_back(single ? kb.broadcast(single, lanes) : row.load(kb, column, lanes));
  return arguments;
}

void ColsExpander::store(Value column, ValueRange yielded) {
  size_t reductions = op.getNumResults();
  int64_t lanes = cast<VectorType>(yielded.front().getType()).getNumElements();
  for (auto [n, row] : llvm::enumerate(outs()))
    row.store(kb, yielded[reductions + n], column);
  for (auto [n, row] : llvm::enumerate(accs())) {
    Value term = yielded[reductions + outs().size() + n];
    row.store(kb, combine(kb, op.getCombiner(reductions + n), row.load(kb, column, lanes), term), column);
  }
}

/// Issues all loads before the computation. LLVM could not move them across the stores of earlier columns, which may
/// alias.
void ColsExpander::build(ArrayRef<Value> first, int64_t lanes, const IRMapping &captured,
                         MutableArrayRef<Value> state) {
  SmallVector<SmallVector<Value>> arguments, yielded;
  for (Value column : first)
    arguments.push_back(load(column, lanes));
  for (ArrayRef<Value> elements : arguments)
    yielded.push_back(vectorize(body, elements, lanes, kb, captured));
  for (auto [column, results] : llvm::zip_equal(first, yielded)) {
    for (auto [n, partial] : llvm::enumerate(state))
      partial = combine(kb, op.getCombiner(n), partial, results[n]);
    store(column, results);
  }
}

//===----------------------------------------------------------------------===//
// All columns
//===----------------------------------------------------------------------===//

ColsExpander::Registers ColsExpander::findRegisters() {
  Value head, apart = kb.integer(0);
  for (RowAccess &row : llvm::make_filter_range(operands, isContiguous)) {
    int64_t bytes = elementBytes(row);
    row.alignment = registerAlignment(row, width);
    Value address = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), row.pointer);
    if (!head)
      head = kb.floorMod(kb.sub(kb.integer(0), kb.floorDiv(address, bytes)), width);
    Value beyond = kb.floorMod(kb.add(address, kb.mul(head, bytes)), row.alignment);
    apart = arith::OrIOp::create(kb.b, kb.loc, apart, beyond);
  }
  Value isAligned = kb.compare(arith::CmpIPredicate::eq, apart, kb.integer(0));
  Value behind = kb.max(kb.sub(columns.count, head), kb.integer(0));
  Value whole = kb.mul(kb.floorDiv(behind, width), width);
  return {head, kb.select(isAligned, whole, kb.integer(0))};
}

SmallVector<Value> ColsExpander::identities(int64_t lanes) {
  SmallVector<Value> state;
  for (auto [n, type] : llvm::enumerate(op.getResultTypes()))
    state.push_back(combinerIdentity(kb, op.getCombiner(n), kb.vector(type, lanes)));
  return state;
}

SmallVector<Value> ColsExpander::buildRegisters(const Registers &registers) {
  IRMapping captured = capture(width);
  Value step = kb.mul(team.threads, width), end = kb.add(registers.head, registers.count);
  SmallVector<Value> state = {kb.add(registers.head, kb.mul(team.thread, width))};
  llvm::append_range(state, identities(width));
  auto loop = [&](int64_t count) {
    Value last = kb.sub(end, kb.mul(step, count - 1)), stride = kb.mul(step, count);
    state = kb.loop(state.front(), last, stride, state, [&](Value column, ValueRange carried) {
      SmallVector<Value> next(carried), first = {column};
      while (first.size() < static_cast<size_t>(count))
        first.push_back(kb.add(first.back(), step));
      build(first, width, captured, MutableArrayRef(next).drop_front());
      next.front() = kb.add(column, stride);
      return next;
    });
  };
  if (copies > 1)
    loop(copies);
  loop(1);
  return SmallVector<Value>(ArrayRef(state).drop_front());
}

/// Builds the loop over the columns that `registers` does not cover, one column at a time. Returns `state` (the partial
/// results of the reductions), combined with these columns.
SmallVector<Value> ColsExpander::buildRest(const Registers &registers, SmallVector<Value> state) {
  IRMapping captured = capture(1);
  for (RowAccess &row : operands)
    row.alignment = 0;
  Value end = kb.sub(columns.count, registers.count);
  return kb.loop(team.thread, end, team.threads, state, [&](Value number, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value isBefore = kb.compare(arith::CmpIPredicate::slt, number, registers.head);
    Value column = kb.select(isBefore, number, kb.add(number, registers.count));
    build(column, 1, captured, next);
    return next;
  });
}

SmallVector<Value> ColsExpander::expand() {
  for (const RowAccess &row : ins())
    singles.push_back(row.kind == RowAccess::Single ? row.loadElement(kb, kb.integer(0)) : Value());
  Registers registers = {kb.integer(0), kb.integer(0)};
  SmallVector<Value> state = identities(1);
  SmallVector<xft::Combiner> combiners;
  for (size_t n = 0; n < op.getNumResults(); ++n)
    combiners.push_back(op.getCombiner(n));
  if (width > 1) {
    registers = findRegisters();
    state = buildRegisters(registers);
    for (auto [combiner, partial] : llvm::zip_equal(combiners, state))
      partial = kb.broadcast(combineLanes(kb, combiner, partial), 1);
  }
  state = buildRest(registers, state);
  for (auto [combiner, partial] : llvm::zip_equal(combiners, state))
    partial = combineLanes(kb, combiner, partial);
  return team.combine(combiners, state);
}

SmallVector<Value> xf::gpu::expandCols(RowThreads &team, xft::ColsOp op, ArrayRef<RowAccess> operands,
                                       TileColumns columns, const IRMapping &scalars) {
  return ColsExpander(team, op, operands, columns, scalars).expand();
}

void xf::gpu::forColumns(RowThreads &team, TileColumns columns, function_ref<void(Value column)> body) {
  team.block.kb.loop(team.thread, columns.count, team.threads, body);
}
