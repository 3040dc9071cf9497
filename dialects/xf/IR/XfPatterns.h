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

/// A constraint of a pattern on the number of keys. `block` keys make one token, so there are ceil(keys / block)
/// tokens. This number must equal `tokens` or, with `isMultiple`, be a multiple of it.
struct TokenRule {
  int64_t block, tokens;
  bool isMultiple;
  std::string reason; ///< the text after "expected .. tokens"

  /// Returns ceil(keys / block), the number of tokens of `keys` keys.
  int64_t tokensOf(int64_t keys) const;
};

} // namespace mlir::xf

#include "dialects/xf/Interfaces/XfAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfAttributes.h.inc"

namespace mlir::xf {

/// Returns true if the constraints and members of a pattern show that no query sees a later key. If it returns false,
/// the pattern may still be causal, which the pattern stage can prove.
bool isCausalByForm(Pattern pattern);

/// Returns true if a feature map is an exponential (favor, hyperbolic or trigonometric). A stabilizer scales only such
/// feature maps.
bool isExponential(Feature feature);

/// Return a parameter of a kernelised pattern or, if it is absent, its default (docs/specification.md, "Kernelised
/// attention"). The default stabilizer of an exponential feature is `running` if the pattern is causal and `sequence`
/// otherwise; any other feature has none. The default of guard is 0 if the stabilizer is `running`, and 1e-6 otherwise.
/// The default of epsilon is 1e-3 for relu. For favor it is 1e-6, unless the pattern is causal or the stabilizer is
/// `running`. In all other cases it is 0.
Stabilizer stabilizerOf(KernelizedPatternAttr pattern);
double epsilonOf(KernelizedPatternAttr pattern);
double guardOf(KernelizedPatternAttr pattern);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFPATTERNS_H
