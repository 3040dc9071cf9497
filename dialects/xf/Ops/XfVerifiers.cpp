//===- XfVerifiers.cpp - Checks that several ops share --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfVerifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::string xf::shapeText(ArrayRef<int64_t> shape) {
  auto sizeText = [](int64_t size) { return ShapedType::isDynamic(size) ? "?" : std::to_string(size); };
  return "[" + llvm::join(llvm::map_range(shape, sizeText), ", ") + "]";
}

ArrayRef<int64_t> xf::shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

bool xf::compatible(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](auto sizes) { return compatible(std::get<0>(sizes), std::get<1>(sizes)); });
}

LogicalResult xf::verifyBytes(Type type, function_ref<InFlightDiagnostic()> emitError) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return success();
  std::optional<int64_t> bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  for (int64_t extent : tensor.getShape())
    if (bytes && !ShapedType::isDynamic(extent))
      bytes = llvm::checkedMul<int64_t>(*bytes, std::max<int64_t>(extent, 1));
  if (bytes)
    return success();
  return emitError() << "expected a tensor of less than 2^63 bytes, got " << type;
}

LogicalResult xf::verifyBytes(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    auto fit = [&](TypeRange types) {
      return llvm::all_of(types,
                          [&](Type type) { return succeeded(verifyBytes(type, [&] { return op->emitError(); })); });
    };
    bool isGood = fit(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        isGood = isGood && fit(block.getArgumentTypes());
    return isGood ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

std::optional<int64_t> xf::checkedProduct(ArrayRef<int64_t> sizes) {
  if (ShapedType::isDynamicShape(sizes))
    return ShapedType::kDynamic;
  if (llvm::is_contained(sizes, 0))
    return 0;
  std::optional<int64_t> product = 1;
  for (int64_t size : sizes)
    if (product)
      product = llvm::checkedMul(*product, size);
  return product;
}

LogicalResult xf::verifyShape(Operation *op, StringRef what, Value value, ArrayRef<int64_t> expected) {
  if (!value || compatible(shapeOf(value), expected))
    return success();
  return op->emitOpError("expected ") << what << " of shape " << shapeText(expected) << ", got " << value.getType();
}

LogicalResult xf::verifyRank(Operation *op, StringRef what, Value value, int64_t rank) {
  if (static_cast<int64_t>(shapeOf(value).size()) == rank)
    return success();
  return op->emitOpError("expected ") << what << " of rank " << rank << ", got " << value.getType();
}

//===----------------------------------------------------------------------===//
// Elements and numbers
//===----------------------------------------------------------------------===//

LogicalResult xf::verifyOneElementType(Operation *op, ArrayRef<Value> values) {
  Type first = getElementTypeOrSelf(values.front());
  for (Value value : values)
    if (value && getElementTypeOrSelf(value) != first)
      return op->emitOpError("expected one element type, got ") << first << " and " << getElementTypeOrSelf(value);
  return success();
}

/// Returns the shortest text from which the parser gets the same number.
static std::string numberText(const APFloat &number) {
  SmallString<24> text;
  number.toString(text);
  return text.str().str();
}

LogicalResult xf::verifyNumber(Operation *op, StringRef what, const APFloat &number, double least, double most) {
  double value = number.convertToDouble();
  if (value >= least && value <= most)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected ") << what;
  if (std::isfinite(most))
    error << " in [" << numberText(APFloat(least)) << ", " << numberText(APFloat(most)) << "]";
  else
    error << " >= " << numberText(APFloat(least));
  return error << ", got " << numberText(number);
}

//===----------------------------------------------------------------------===//
// Regions of scalars
//===----------------------------------------------------------------------===//

static bool isScalar(Type type) {
  return type.isIndex() || type.isInteger(1) || type.isInteger(32) || type.isInteger(64) || type.isF16() ||
         type.isBF16() || type.isF32() || type.isF64();
}

LogicalResult xf::verifyScalarRegion(Operation *op, Block &body, bool mayExtract) {
  for (Operation &inner : body.without_terminator()) {
    bool isKnown = OpTrait::hasElementwiseMappableTraits(&inner) || isa<arith::ConstantOp>(inner) ||
                   (mayExtract && isa<tensor::ExtractOp, tensor::DimOp>(inner));
    if (!isKnown || !isa_and_present<arith::ArithDialect, math::MathDialect, tensor::TensorDialect>(inner.getDialect()))
      return inner.emitOpError("expected an element-wise arith or math op")
             << (mayExtract ? " or tensor.extract" : "") << " inside " << op->getName();
    if (auto found = llvm::find_if_not(inner.getResultTypes(), isScalar); found != inner.result_type_end())
      return inner.emitOpError("expected f16, bf16, f32, f64, i1, i32, i64 or index inside ")
             << op->getName() << ", got " << *found;
  }
  if (!isa<YieldOp>(body.back()))
    return body.back().emitOpError("expected xf.yield at the end of the region of ") << op->getName();
  return success();
}
