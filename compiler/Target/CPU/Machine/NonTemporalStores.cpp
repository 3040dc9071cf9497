//===- NonTemporalStores.cpp - Results that bypass the caches -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/NonTemporalStores.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/RowAccess.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static int64_t storedBytes(Value memref) {
  return memoryType(cast<MemRefType>(memref.getType()).getElementType()).getIntOrFloatBitWidth() / 8;
}

static bool isContiguous(Value memref) {
  return RowAccess::kindOf(cast<MemRefType>(memref.getType())) == RowAccess::Contiguous;
}

/// Returns whether exactly one phase of `op` writes `memref` and no phase reads it. Stores of single elements to
/// `memref` are few, and do not count as writes.
static bool isWrittenByOnePhase(xft::RowsOp op, Value memref) {
  unsigned phases = 0;
  for (OpOperand &use : memref.getUses()) {
    if (use.getOwner()->getParentOp() != op || isa<xft::ElementStoreOp>(use.getOwner()))
      continue;
    auto cols = dyn_cast<xft::ColsOp>(use.getOwner());
    if (!cols || !llvm::is_contained(cols.getOuts(), memref))
      return false;
    ++phases;
  }
  return phases == 1;
}

NonTemporalStores::NonTemporalStores(KernelBuilder &kb, xft::RowsOp op, const llvm::MapVector<Value, View> &views,
                                     Value elements) {
  int64_t bytes = 0;
  for (auto cols : op.getBody().getOps<xft::ColsOp>())
    for (Value out : cols.getOuts())
      if (views.count(out) && isContiguous(out) && storedBytes(out) >= 4 && isWrittenByOnePhase(op, out)) {
        results.push_back(out);
        bytes += storedBytes(out);
      }
  if (results.empty())
    return;
  large = kb.compare(arith::CmpIPredicate::sgt, kb.mul(elements, bytes), kb.integer(machineOf(kb).lastCacheBytes / 2));
  for (Value result : results)
    for (auto &[operand, view] : views) {
      if (contains(operand) || !isContiguous(operand))
        continue;
      Value apart =
          LLVM::ICmpOp::create(kb.b, kb.loc, LLVM::ICmpPredicate::ne, views.lookup(result).pointer, view.pointer);
      large = arith::AndIOp::create(kb.b, kb.loc, large, apart);
    }
}

void NonTemporalStores::finish(KernelBuilder &kb) const {
  if (large)
    kb.ifThen(large, [&] { LLVM::FenceOp::create(kb.b, kb.loc, LLVM::AtomicOrdering::seq_cst); });
}
