//===- XfShapeOps.cpp - Ops that move elements: verification --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include "dialects/xf/Ops/XfViews.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::xf;

bool xf::isView(Operation *op) {
  return isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp, SplitHeadsOp, MergeHeadsOp, AfterOp>(op);
}

/// Verifies that `sizes`, if not null, has one size for each dynamic dimension of the op's result.
static LogicalResult verifySizes(Operation *op, ArrayAttr sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (sizes && sizes.size() != static_cast<size_t>(type.getNumDynamicDims())) // C1
    return op->emitOpError("expected ") << type.getNumDynamicDims() << " sizes, one for each dynamic one of " << type
                                        << ", got " << sizes.size();
  return success();
}

//===----------------------------------------------------------------------===//
// reshape, transpose, broadcast
//===----------------------------------------------------------------------===//

/// Returns the product of the static sizes in `shape`, or nullopt if it overflows 64 bits.
static std::optional<int64_t> staticElements(ArrayRef<int64_t> shape) {
  return checkedProduct(llvm::filter_to_vector(shape, [](int64_t size) { return !ShapedType::isDynamic(size); }));
}

/// Returns true if a tensor can have `total` elements for some sizes of its dynamic dimensions. `part` is the product
/// of its static sizes.
static bool canMake(int64_t part, int64_t total) { return part ? total % part == 0 : total == 0; }

static bool canHaveAsManyElements(RankedTensorType x, RankedTensorType y) {
  std::optional<int64_t> inX = staticElements(x.getShape()), inY = staticElements(y.getShape());
  if (!inX || !inY)
    return false;
  if (x.hasStaticShape() && y.hasStaticShape())
    return *inX == *inY;
  if (x.hasStaticShape())
    return canMake(*inY, *inX);
  return !y.hasStaticShape() || canMake(*inX, *inY);
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType x = getX().getType(), y = getY().getType();
  if (failed(verifySizes(*this, getSizesAttr())))
    return failure();
  if (!getSizes() && y.getNumDynamicDims() > x.getNumDynamicDims() + 1) // C1
    return emitOpError("expected at most ") << x.getNumDynamicDims() + 1 << " dynamic sizes in the result, got " << y;
  if (!canHaveAsManyElements(x, y)) // C2
    return emitOpError("expected as many elements in the result, got ") << x << " and " << y;
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getX()), permutation = getPermutation();
  if (permutation.size() != shape.size() || !isPermutationVector(permutation)) // C1
    return emitOpError("expected a permutation of ") << shape.size() << " dimensions, got [" << permutation << "]";
  if (failed(verifyRow(*this, {"x", "a result"}))) // C1
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C2
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getX()), to = shapeOf(getY());
  bool fits = from.size() <= to.size() && llvm::all_of(llvm::zip(from, to.take_back(from.size())), [](auto sizes) {
                return std::get<0>(sizes) == 1 || compatible(std::get<0>(sizes), std::get<1>(sizes));
              });
  if (!fits) // C1
    return emitOpError("expected a shape that broadcasts to ") << shapeText(to) << ", got " << getX().getType();
  if (failed(verifySizes(*this, getSizesAttr())))
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C2
}

//===----------------------------------------------------------------------===//
// slice, pad, concat
//===----------------------------------------------------------------------===//

/// Verifies that operand and result have the same number of dimensions, and that each dimension has one start >= 0 and
/// one stride >= 1. Starts that are kDynamic are the elements of `sizes`.
static LogicalResult verifySteps(Operation *op, StringRef name, ArrayRef<int64_t> starts, ArrayRef<int64_t> strides,
                                 ArrayAttr sizes) {
  size_t rank = shapeOf(op->getOperand(0)).size();
  if (shapeOf(op->getResult(0)).size() != rank) // C1
    return op->emitOpError("expected a result of rank ") << rank << ", got " << op->getResult(0).getType();
  for (auto [what, numbers, least] : {std::tuple(name, starts, 0), std::tuple(StringRef("stride"), strides, 1)}) {
    if (numbers.size() != rank) // C1
      return op->emitOpError("expected ") << rank << " numbers of " << what << ", got " << numbers.size();
    for (int64_t number : numbers)
      if (number < least && !(sizes && least == 0 && ShapedType::isDynamic(number))) // C1
        return op->emitOpError("expected ") << what << " >= " << least << ", got " << number;
  }
  int64_t dynamic = llvm::count_if(starts, ShapedType::isDynamic);
  if (sizes && sizes.size() != static_cast<size_t>(dynamic)) // C1
    return op->emitOpError("expected ") << dynamic << " sizes of " << name << ", got " << sizes.size();
  return success();
}

/// Returns the end of `size` elements that begin at `start` and are `stride` apart: the index of the last one plus 1.
/// Returns 0 if `size` is 0, and nullopt if the end is 2^63 or more.
static std::optional<int64_t> endOf(int64_t start, int64_t stride, int64_t size) {
  if (size == 0)
    return 0;
  std::optional<int64_t> last = llvm::checkedMulAdd(stride, size - 1, start);
  return last ? llvm::checkedAdd<int64_t>(*last, 1) : std::nullopt;
}

/// Verifies each dimension d whose sizes and start are static: sizes[d] elements that begin at starts[d] and are
/// strides[d] apart must end within rooms[d].
static LogicalResult verifyRoom(Operation *op, ArrayRef<int64_t> starts, ArrayRef<int64_t> strides,
                                ArrayRef<int64_t> sizes, ArrayRef<int64_t> rooms) {
  for (auto [d, start, stride, size, room] : llvm::enumerate(starts, strides, sizes, rooms)) {
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(room) || ShapedType::isDynamic(start))
      continue;
    std::optional<int64_t> end = endOf(start, stride, size);
    if (!end || *end > room) // C2
      return op->emitOpError("expected ")
             << size << " elements by " << stride << " from " << start << " to end within " << room << " in dimension "
             << d << ", got " << op->getOperands().back().getType() << " and " << op->getResult(0).getType();
  }
  return success();
}

LogicalResult SliceOp::verify() {
  if (failed(verifySteps(*this, "offset", getOffsets(), getStrides(), getStartsAttr())) ||
      failed(verifySizes(*this, getSizesAttr())) ||
      failed(verifyRoom(*this, getOffsets(), getStrides(), shapeOf(getY()), shapeOf(getX()))))
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}

/// Verifies a slice_update with a vector of positions: the sizes of the state up to the axis must be static.
static LogicalResult verifyPlaces(SliceUpdateOp op) {
  ArrayRef<int64_t> state = shapeOf(op.getState());
  auto axis = static_cast<int64_t>(op.getAxis());
  if (llvm::any_of(state.take_front(axis + 1), ShapedType::isDynamic)) // C2
    return op.emitOpError("expected static sizes of the state up to axis ")
           << axis << " beside a vector of positions, got " << op.getState().getType();
  return success();
}

LogicalResult SliceUpdateOp::verify() {
  ArrayRef<int64_t> state = shapeOf(getState());
  int64_t axis = getAxis();
  bool hasPlaces = getPosition().getType().getRank() == 1;
  if (axis < 0 || axis >= static_cast<int64_t>(state.size())) // C1
    return emitOpError("expected an axis in [0, ") << state.size() << "), got " << axis;
  if (ShapedType::isDynamic(state[axis])) // C1
    return emitOpError("expected a static size of the state along axis ") << axis << ", got " << getState().getType();
  if (hasPlaces && failed(verifyPlaces(*this)))
    return failure();
  if (failed(verifyRow(*this, {"a state", "x", "a position", "a result"}))) // C2
    return failure();
  if (!hasPlaces && shapeOf(getX())[axis] > state[axis]) // C2
    return emitOpError("expected x of at most ")
           << state[axis] << " elements along axis " << axis << ", got " << getX().getType();
  return verifyOneElementType(*this, {getState(), getX(), getY()}); // C3
}

LogicalResult PadOp::verify() {
  if (failed(verifySteps(*this, "low end", getLow(), getStrides(), getStartsAttr())) ||
      failed(verifySizes(*this, getSizesAttr())) ||
      failed(verifyRoom(*this, getLow(), getStrides(), shapeOf(getX()), shapeOf(getY()))))
    return failure();
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}

LogicalResult AddAtOp::verify() {
  if (failed(verifySteps(*this, "offset", getOffsets(), getStrides(), getStartsAttr())) ||
      failed(verifyRank(*this, "x", getX(), shapeOf(getY()).size())) || // C1
      failed(verifyRoom(*this, getOffsets(), getStrides(), shapeOf(getX()), shapeOf(getY()))))
    return failure();
  if (getY().getType().getElementType().isInteger(1)) // C3
    return emitOpError("expected numbers, got ") << getY().getType();
  return verifyOneElementType(*this, {getX(), getY()}); // C3
}

LogicalResult ConcatOp::verify() {
  if (getInputs().empty()) // C1
    return emitOpError("expected at least one operand, got none");
  SmallVector<int64_t> shape(shapeOf(getY()));
  int64_t axis = getAxis();
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) // C1
    return emitOpError("expected an axis in [0, ") << shape.size() << "), got " << axis;
  std::optional<int64_t> total = 0;
  for (Value input : getInputs()) {
    if (shapeOf(input).size() != shape.size()) // C1
      return emitOpError("expected operands of rank ") << shape.size() << ", got " << input.getType();
    shape[axis] = shapeOf(input)[axis];
    if (failed(verifyShape(*this, "an operand", input, shape))) // C1
      return failure();
    bool isStatic = total && !ShapedType::isDynamic(*total) && !ShapedType::isDynamic(shape[axis]);
    total = isStatic ? llvm::checkedAdd(*total, shape[axis]) : ShapedType::kDynamic;
  }
  shape[axis] = total.value_or(ShapedType::kDynamic);
  if (failed(verifyShape(*this, "a result", getY(), shape))) // C1
    return failure();
  SmallVector<Value> values(getInputs());
  values.push_back(getY());
  return verifyOneElementType(*this, values); // C2
}

//===----------------------------------------------------------------------===//
// Heads and layers
//===----------------------------------------------------------------------===//

/// Verifies that `parts` is at least 1 and divides `size`.
static LogicalResult verifyParts(Operation *op, StringRef what, int64_t parts, int64_t size) {
  if (parts >= 1 && (ShapedType::isDynamic(size) || size % parts == 0)) // C1
    return success();
  return op->emitOpError("expected a number of ")
         << what << " that divides " << shapeText(size) << ", got " << parts << " and " << op->getOperand(0).getType();
}

/// Verifies the shapes and the element types of an op that only moves elements. `what` names its operand in messages.
static LogicalResult verifyMoved(Operation *op, StringRef what) {
  if (failed(verifyRow(op, {what, "a result"}))) // C1
    return failure();
  return verifyOneElementType(op, {op->getOperand(0), op->getResult(0)}); // C2
}

LogicalResult SplitHeadsOp::verify() {
  if (failed(verifyRank(*this, "x", getX(), 3)) || // C1
      failed(verifyParts(*this, "heads", getHeads(), shapeOf(getX())[2])))
    return failure();
  return verifyMoved(*this, "x");
}

LogicalResult MergeHeadsOp::verify() { return verifyMoved(*this, "x"); }

LogicalResult StackLayersOp::verify() {
  if (getLayers().empty()) // C1
    return emitOpError("expected at least one layer, got none");
  if (failed(verifyOneElementType(*this, SmallVector<Value>(getLayers())))) // C2
    return failure();
  return verifyMoved(*this, "a layer");
}

LogicalResult PoolLayersOp::verify() {
  if (failed(verifyRank(*this, "x", getX(), 3)) || // C1
      failed(verifyParts(*this, "layers", getLayers(), shapeOf(getX())[1])))
    return failure();
  return verifyMoved(*this, "x");
}
