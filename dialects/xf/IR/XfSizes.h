//===- XfSizes.h - Symbolic sizes of a program ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFSIZES_H
#define XF_DIALECTS_XF_IR_XFSIZES_H

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::xf {

using SizeExpressions = SmallVector<SizeExpression>;

/// Returns the name NAME.DIMENSION of a dynamic size of an argument without xf.dims. `dimension` is the dimension of
/// argument number `argument`.
std::string sizeName(FunctionOpInterface function, unsigned argument, int64_t dimension);

/// Returns positions in a tensor, such as offsets of a slice or low ends of a pad. A position is a number or, where
/// `numbers` has kDynamic, the next element of `starts`.
SizeExpressions positionsOf(ArrayRef<int64_t> numbers, ArrayAttr starts);
/// Splits positions into the two arguments of positionsOf. The first one has the constant positions as numbers, and
/// kDynamic in place of the others. The second one has the positions that are not constant.
std::pair<SmallVector<int64_t>, ArrayAttr> splitPositions(MLIRContext *context, ArrayRef<SizeExpression> positions);
/// Returns the attribute with the sizes of the dynamic dimensions of `shape`, or null if all dimensions are static.
ArrayAttr sizesAttr(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<SizeExpression> sizes);

/// The sizes of a function's values as expressions of the named sizes of its arguments.
class SymbolicSizes {
public:
  explicit SymbolicSizes(FunctionOpInterface function);

  /// Returns the sizes of a tensor, or null if they are unknown.
  const SizeExpressions *of(Value tensor) const {
    auto found = sizes.find(tensor);
    return found == sizes.end() ? nullptr : &found->second;
  }
  /// Returns the declared range of the size `name`, or [0, INT32_MAX] if none is declared.
  SizeExpression::Range rangeOf(const std::string &name) const;

private:
  void addArguments(FunctionOpInterface function);
  void addBlock(Block &block);
  void addResults(Operation *op);
  std::optional<SizeExpressions> inferred(OpResult result) const;

  DenseMap<Value, SizeExpressions> sizes;
  llvm::StringMap<SizeExpression::Range> ranges;
};

/// Returns the attribute xf.dims for `result`, which a function returns, if one of its dynamic sizes is computed.
/// Returns null if each dynamic size equals the size of an argument. Also returns null if sizes are unknown.
ArrayAttr computedSizes(Value result, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFSIZES_H
