//===- XfVerifiers.h - Checks that several ops share ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers that several ops share. If a condition does not hold, a verifier emits one error at the op, `expected X,
// got Y`. A dynamic size is compatible with every size.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFVERIFIERS_H
#define XF_DIALECTS_XF_OPS_XFVERIFIERS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Returns `shape` as text, such as "[2, ?]".
std::string shapeText(ArrayRef<int64_t> shape);

/// Returns the shape of a ranked tensor.
ArrayRef<int64_t> shapeOf(Value value);

/// Returns whether two shapes can be equal: they have as many dimensions, of sizes that can be equal.
bool compatible(ArrayRef<int64_t> a, ArrayRef<int64_t> b);

/// Verifies that the product of a tensor's static sizes gives less than 2^63 bytes. A size of 0 counts as 1, because
/// strides are products of the other sizes.
LogicalResult verifyBytes(Type type, function_ref<InFlightDiagnostic()> emitError);
/// Verifies that every result and block argument within `root` has less than 2^63 bytes.
LogicalResult verifyBytes(Operation *root);

/// Returns the product of the sizes. Returns kDynamic if one of them is dynamic, and nullopt if the product is 2^63 or
/// more.
std::optional<int64_t> checkedProduct(ArrayRef<int64_t> sizes);

/// Verifies that `value` has the shape `expected`. Error messages call the value `what`. A null value is valid.
LogicalResult verifyShape(Operation *op, StringRef what, Value value, ArrayRef<int64_t> expected);

/// Verifies that operands and results have the shapes that the op's row of dimension factors states. `names` has a name
/// for each entry of the row, which messages show. If a name is empty, the entry is not verified.
LogicalResult verifyRow(Operation *op, ArrayRef<StringRef> names);

LogicalResult verifyRank(Operation *op, StringRef what, Value value, int64_t rank);

/// Verifies that all values that are not null have the same element type.
LogicalResult verifyOneElementType(Operation *op, ArrayRef<Value> values);

/// Verifies that `number` is in [least, most], and not a NaN. Error messages call the number `what`.
LogicalResult verifyNumber(Operation *op, StringRef what, const APFloat &number, double least, double most);

/// Verifies that the block ends in xf.yield and otherwise holds only arith and math ops on scalars. With `mayExtract`,
/// it may also hold tensor.extract and tensor.dim.
LogicalResult verifyScalarRegion(Operation *op, Block &body, bool mayExtract);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFVERIFIERS_H
