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

namespace mlir::xf {

/// A constraint on the number of keys: ceil(keys / block) = tokens or, with isMultiple, a multiple of `tokens`.
struct TokenRule {
  int64_t block, tokens;
  bool isMultiple;
  std::string reason; ///< the text after "expected .. tokens"

  /// Returns the number of tokens that `keys` keys make.
  int64_t tokensOf(int64_t keys) const;
};

} // namespace mlir::xf

#include "dialects/xf/Interfaces/XfAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfAttributes.h.inc"

namespace mlir::xf {

/// Returns whether the form of a set implies j <= i. (The pattern stage proves it where the form does not.)
bool isCausalByForm(Pattern pattern);

/// Returns whether a stabilizer scales the feature: favor, hyperbolic, trigonometric.
bool isExponential(Feature feature);

/// Return the entry of a kernelised pattern or, where it is absent, its default (spec section 3). The default
/// stabilizer of an exponential feature is running in a causal pattern and sequence elsewhere; the defaults of epsilon
/// and guard are 0 with the stabilizer running.
Stabilizer stabilizerOf(KernelizedPatternAttr pattern);
double epsilonOf(KernelizedPatternAttr pattern);
double guardOf(KernelizedPatternAttr pattern);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFPATTERNS_H
