//===- PatternSizes.h - Rules for the number of keys ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints of patterns on the number of keys. For example, a grid has as many tokens as the key axis, a permutation
// moves all tokens, and layers are equally long. There may be fewer queries: these are the last tokens. A verifier
// checks a static number of keys. At run time, the host program of a call checks a dynamic one.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
#define XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// Returns the constraint of a row-major grid that the number of tokens is the product of `extents`. A token is a block
/// of `block` keys.
TokenRule gridRule(DenseI64ArrayAttr extents, int64_t block);

/// Returns block * count, the number of keys in `count` blocks of `block` keys, or 2^48 if the product is larger. No
/// memory holds 2^48 keys, so a single block of 2^48 keys already has all keys.
int64_t keysOfBlocks(int64_t block, int64_t count);

/// Returns all constraints of a pattern and of its nested patterns on the number of keys. The constraints of outer
/// patterns come first.
SmallVector<TokenRule> tokenRules(Pattern pattern);

/// Verifies that `keys` keys satisfy the constraints of a pattern on their number (tokenRules). Emits one error and
/// fails at the first constraint that is not satisfied.
LogicalResult verifyTokens(Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_PATTERNSIZES_H
