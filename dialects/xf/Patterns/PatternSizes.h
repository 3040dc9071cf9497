//===- PatternSizes.h - Rules for the number of keys ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns constrain the number of keys: a grid has as many tokens as the key axis, a permutation moves all of them,
// layers are equally long. Queries may be fewer: they are the last tokens. A verifier checks a static number of keys,
// the host program of a call a dynamic one.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
#define XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// Returns the rule of a row-major grid whose tokens are blocks of `block` keys: as many as its extents multiply to.
TokenRule gridRule(DenseI64ArrayAttr extents, int64_t block);

/// Returns the number of keys of `count` blocks of `block` keys, at most 2^48: no memory holds so many keys, so that a
/// larger block holds all keys in any case.
int64_t keysOfBlocks(int64_t block, int64_t count);

/// Returns the rules of all parts of a pattern, outer parts first.
SmallVector<TokenRule> tokenRules(Pattern pattern);

/// Verifies that all rules hold for `keys` keys; emits one error for the first rule that does not.
LogicalResult verifyTokens(Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
