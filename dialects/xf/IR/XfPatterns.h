//===- XfPatterns.h - Attention patterns ----------------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFPATTERNS_H
#define XF_DIALECTS_XF_IR_XFPATTERNS_H

#include "dialects/xf/IR/XfDialect.h"
#include "mlir/IR/IntegerSet.h"

#include "dialects/xf/Interfaces/XfAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfAttributes.h.inc"

namespace mlir::xf {

/// Whether the form of a set says j <= i. (The pattern stage proves it where the form does not.)
bool isCausalByForm(Pattern pattern);

/// favor, hyperbolic, trigonometric: features that a stabiliser scales.
bool isExponential(Feature feature);

/// What a kernelised pattern says or, where an entry is absent, its default (spec section 3): running in a causal
/// pattern and sequence elsewhere of an exponential feature; epsilon and guard 0 with the stabiliser running.
Stabilizer stabilizerOf(KernelizedPatternAttr pattern);
double epsilonOf(KernelizedPatternAttr pattern);
double guardOf(KernelizedPatternAttr pattern);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFPATTERNS_H
