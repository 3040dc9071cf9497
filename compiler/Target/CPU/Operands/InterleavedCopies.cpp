//===- InterleavedCopies.cpp - Interleaved unrolled copies ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/InterleavedCopies.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

bool cpu::hasLongChains(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isa<math::MathDialect>(op.getDialect()) &&
           !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::SqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
                math::TruncOp, math::RoundEvenOp>(op);
  });
}

Operation *InterleavedCopies::last() {
  Block::iterator point = b.getInsertionPoint();
  return point == b.getInsertionBlock()->begin() ? nullptr : &*std::prev(point);
}

void InterleavedCopies::add(function_ref<void()> build) {
  Operation *before = last();
  build();
  Block::iterator first = before ? std::next(before->getIterator()) : b.getInsertionBlock()->begin();
  SmallVector<Operation *> &ops = copies.emplace_back();
  for (Operation &op : llvm::make_range(first, b.getInsertionPoint()))
    ops.push_back(&op);
}

void InterleavedCopies::interleave() {
  size_t longest = 0;
  for (ArrayRef<Operation *> ops : copies)
    longest = std::max(longest, ops.size());
  for (size_t left = longest; left > 0; --left)
    for (ArrayRef<Operation *> ops : copies)
      if (left <= ops.size())
        ops[ops.size() - left]->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
}
