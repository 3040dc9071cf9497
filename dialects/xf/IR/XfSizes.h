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

/// Returns the name by which sizes of a function's argument without xf.dims are called: NAME.DIMENSION.
std::string sizeName(FunctionOpInterface function, unsigned argument, int64_t dimension);

/// Returns positions in a tensor (offsets of a slice, low ends of a pad), of which those that are kDynamic are the
/// elements of `starts`, in order.
SizeExpressions positionsOf(ArrayRef<int64_t> numbers, ArrayAttr starts);
/// Splits positions into numbers, with kDynamic where a position is no number, and the others.
std::pair<SmallVector<int64_t>, ArrayAttr> splitPositions(MLIRContext *context, ArrayRef<SizeExpression> positions);
/// Returns the attribute that lists the sizes of dynamic dimensions of `shape`; null if it has none.
ArrayAttr sizesAttr(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<SizeExpression> sizes);

/// The sizes of a function's values as expressions of the named sizes of its arguments.
class SymbolicSizes {
public:
  explicit SymbolicSizes(FunctionOpInterface function);

  /// Returns the sizes of a tensor, or null where they are not known.
  const SizeExpressions *of(Value tensor) const {
    auto found = sizes.find(tensor);
    return found == sizes.end() ? nullptr : &found->second;
  }
  /// Returns the declared range of a name; any size if there is none.
  SizeExpression::Range rangeOf(const std::string &name) const;

private:
  void addArguments(FunctionOpInterface function);
  void addBlock(Block &block);
  void addResults(Operation *op);
  std::optional<SizeExpressions> inferred(OpResult result) const;

  DenseMap<Value, SizeExpressions> sizes;
  llvm::StringMap<SizeExpression::Range> ranges;
};

/// Returns the sizes of the dynamic dimensions of a tensor that a function returns, for xf.dims, if one of them is no
/// size of an argument. Returns null if all are, because the result then has to agree with the argument, and where
/// sizes are not known.
ArrayAttr computedSizes(Value result, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFSIZES_H
