//===- XfVerifiers.h - Checks that several ops share ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each emits one error on the op, `expected X, got Y`, where a fact does not hold. Dynamic sizes agree with every size.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFVERIFIERS_H
#define XF_DIALECTS_XF_IR_XFVERIFIERS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// "[2, ?]".
std::string shapeText(ArrayRef<int64_t> shape);

/// The shape of a ranked tensor.
ArrayRef<int64_t> shapeOf(Value value);

/// True where the ranks are equal and every two sizes can be.
bool compatible(ArrayRef<int64_t> a, ArrayRef<int64_t> b);

/// Whether a tensor's static sizes give less than 2^63 bytes. Sizes of 0 count as 1: strides are products of the
/// others.
LogicalResult verifyBytes(Type type, function_ref<InFlightDiagnostic()> emitError);
/// The same of every result and block argument within `root`.
LogicalResult verifyBytes(Operation *root);

/// The product of the sizes: dynamic if one of them is, nothing from 2^63 on.
std::optional<int64_t> checkedProduct(ArrayRef<int64_t> sizes);

/// `value`, called `what`, has the shape `expected`. An absent value does.
LogicalResult verifyShape(Operation *op, StringRef what, Value value, ArrayRef<int64_t> expected);

LogicalResult verifyRank(Operation *op, StringRef what, Value value, int64_t rank);

/// The values that are there have one element type.
LogicalResult verifyOneElementType(Operation *op, ArrayRef<Value> values);

/// `number` is in [least, most]; NaN is not.
LogicalResult verifyNumber(Operation *op, StringRef what, const APFloat &number, double least, double most);

/// The block holds arith and math ops on scalars, and tensor.extract and dim where `mayExtract`, and ends in xf.yield.
LogicalResult verifyScalarRegion(Operation *op, Block &body, bool mayExtract);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFVERIFIERS_H
