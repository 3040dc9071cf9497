//===- CumulativeSums.h - Elements of sums so far ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_CUMULATIVESUMS_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_CUMULATIVESUMS_H

#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"

namespace mlir::xf::kernel {

/// The arithmetic of an xft.cumsum, on scalars or on registers with one row in each lane.
class CumulativeSums {
public:
  CumulativeSums(KernelBuilder &kb, xft::CumsumOp op, Value columns)
      : kb(kb), stored(cast<MemRefType>(op.getX().getType()).getElementType()), isReverse(op.getReverse()),
        columns(columns) {}

  /// Returns the type of sums: f64 for floats, else the type of elements.
  Type type() { return isa<FloatType>(stored) ? Type(kb.b.getF64Type()) : stored; }
  Value zero(int64_t lanes) { return kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(likeLanes(type(), lanes)))); }
  /// Returns the column that is added in step `number`, counted from 0.
  Value column(Value number) { return isReverse ? kb.sub(kb.add(columns, -1), number) : number; }
  Value load(Value pointer, int64_t lanes) {
    Value x = kb.load(likeLanes(memoryType(stored), lanes), pointer);
    return isa<FloatType>(stored) ? convertFloat(kb, fromMemory(kb, x, stored), type()) : x;
  }
  void store(Value sum, Value pointer) { kb.store(toMemory(kb, sum, stored, Subnormals::kept), pointer); }
  Value add(Value x, Value y) {
    return isa<FloatType>(stored) ? Value(arith::AddFOp::create(kb.b, kb.loc, x, y))
                                  : Value(arith::AddIOp::create(kb.b, kb.loc, x, y));
  }

private:
  Type likeLanes(Type element, int64_t lanes) { return lanes == 1 ? element : Type(kb.vector(element, lanes)); }

  KernelBuilder &kb;
  Type stored;
  bool isReverse;
  Value columns;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_CUMULATIVESUMS_H
