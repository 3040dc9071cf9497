//===- ForwardKernels.cpp - One kernel with and without a gradient --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  func @f(..)     { %o = xf.attention .. }
//          func @f_vjp(..) { %o, %lse = xf.attention ..  xf.attention_vjp .. lse(%lse) .. }
// After:   func @f(..)     { %o = xf.attention .. {xft.has_gradient_kernel} }
//
// Marks attentions without a gradient that share the kernel of an attention with one. Runs before any function is
// tiled, because tiling erases functions one after the other.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/ForwardKernels.h"
#include "compiler/Tile/TileFamilies.h"

using namespace mlir;
using namespace mlir::xf;

bool xf::hasGradient(AttentionOp op) {
  return op.getLse() && llvm::any_of(op.getLse().getUsers(), llvm::IsaPred<AttentionVjpOp>);
}

/// Returns a key that two attentions have in common if they can share a kernel. It has the attributes, among them the
/// solution, and the types that the kernel depends on. The score regions of attentions with equal keys may still
/// differ. Such attentions have two kernels, and a mark then neither saves nor costs anything.
static ArrayAttr kernelKey(AttentionOp op) {
  Builder b(op.getContext());
  auto q = op.getQ().getType(), v = op.getV().getType();
  return b.getArrayAttr({op->getAttrDictionary(), TypeAttr::get(q.getElementType()),
                         b.getDenseI64ArrayAttr({q.getDimSize(3), v.getDimSize(3)}),
                         b.getBoolAttr(op.getScore().empty())});
}

void xf::markGradientKernels(ModuleOp module) {
  DenseSet<Attribute> withGradient;
  module.walk([&](AttentionOp op) {
    if (hasGradient(op))
      withGradient.insert(kernelKey(op));
  });
  module.walk([&](AttentionOp op) {
    if (!withGradient.empty() && !hasGradient(op) && withGradient.contains(kernelKey(op)))
      op->setAttr(kHasGradientKernelAttrName, UnitAttr::get(op.getContext()));
  });
}
