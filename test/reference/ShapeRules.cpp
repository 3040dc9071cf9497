//===- ShapeRules.cpp - Ops that move elements ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such an op is an index map: for each element of the result the operand and element that it is a copy of. The value
// gathers through the map, the gradient scatters back through it.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfSizes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "test/reference/Rules.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

namespace {
struct Source {
  int64_t operand = 0, element = 0; ///< operand -1: a zero
};
struct IndexMap {
  SmallVector<int64_t> shape;
  std::vector<Source> sources;
};
} // namespace

/// The map whose result of `shape` copies at each place the source that `sourceOf(coordinates)` names.
template <typename SourceOf>
static IndexMap mapOver(ArrayRef<int64_t> shape, SourceOf sourceOf) {
  IndexMap map{SmallVector<int64_t>(shape), std::vector<Source>(count(shape))};
  for (auto [number, source] : llvm::enumerate(map.sources))
    source = sourceOf(coordinates(number, shape));
  return map;
}

static Tensor gather(Operation *op, const IndexMap &map, const Frame &frame) {
  Tensor y = Tensor::zeros(cast<RankedTensorType>(op->getResult(0).getType()).getElementType(), map.shape);
  for (auto [n, source] : llvm::enumerate(map.sources)) {
    if (source.operand < 0)
      continue;
    const Tensor &x = frame[op->getOperand(source.operand)];
    if (y.isReal())
      y.reals[n] = x.reals[source.element];
    else
      y.integers[n] = x.integers[source.element];
  }
  return y;
}

static void scatter(Operation *op, const IndexMap &map, const Frame &frame, Cotangents &cotangents) {
  Tensor dy = cotangents[op->getResult(0)];
  auto gradients = llvm::map_to_vector(op->getOperands(), [&](Value value) { return Tensor::zerosLike(frame[value]); });
  for (auto [source, cotangent] : llvm::zip(map.sources, dy.reals))
    if (source.operand >= 0)
      gradients[source.operand].reals[source.element] += cotangent;
  for (auto [operand, gradient] : llvm::zip(op->getOperands(), gradients))
    if (gradient.isReal())
      cotangents.add(operand, gradient);
}

/// Adds the op whose index map `mapOf(op, frame)` gives, or fails after an error.
template <typename OpTy>
static void addIndexMap(Rules &rules, FailureOr<IndexMap> (*mapOf)(OpTy, const Frame &)) {
  rules.add<OpTy>(
      [mapOf](OpTy op, Frame &frame) -> LogicalResult {
        FailureOr<IndexMap> map = mapOf(op, frame);
        if (failed(map))
          return failure();
        frame.set(op->getResult(0), gather(op, *map, frame));
        return success();
      },
      [mapOf](OpTy op, const Frame &frame, Cotangents &cotangents) -> LogicalResult {
        FailureOr<IndexMap> map = mapOf(op, frame);
        if (succeeded(map))
          scatter(op, *map, frame, cotangents);
        return map;
      });
}

//===----------------------------------------------------------------------===//
// The maps
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> resultShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

/// Replaces the dynamic sizes in `shape` by the values of `sizes`, if these are given.
static LogicalResult setSizes(Operation *op, const Frame &frame, ArrayAttr sizes, SmallVectorImpl<int64_t> &shape) {
  size_t taken = 0;
  for (int64_t &size : shape)
    if (sizes && ShapedType::isDynamic(size)) {
      FailureOr<int64_t> value = evaluateSize(op, frame, cast<SizeAttr>(sizes[taken++]).getExpression());
      if (failed(value))
        return failure();
      size = *value;
    }
  return success();
}

/// The values of offsets, of which those that are kDynamic are the elements of `starts`.
static FailureOr<SmallVector<int64_t>> positions(Operation *op, const Frame &frame, ArrayRef<int64_t> numbers,
                                                 ArrayAttr starts) {
  SmallVector<int64_t> result(numbers);
  return failed(setSizes(op, frame, starts, result)) ? FailureOr<SmallVector<int64_t>>(failure()) : result;
}

/// Dynamic sizes of the result are listed, or those of x in order, but the last, which the number of elements gives.
static FailureOr<IndexMap> mapReshape(ReshapeOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  SmallVector<int64_t> shape(resultShape(op)), sizes;
  if (failed(setSizes(op, frame, op.getSizesAttr(), shape)))
    return failure();
  for (auto [d, size] : llvm::enumerate(op.getX().getType().getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(x.shape[d]);
  int64_t *last = nullptr, known = 1;
  size_t taken = 0;
  for (int64_t &size : shape) {
    if (ShapedType::isDynamic(size)) {
      if (last)
        known *= *last = taken < sizes.size() ? sizes[taken++] : 1;
      last = &size;
      continue;
    }
    known *= size;
  }
  if (last)
    *last = known ? x.size() / known : 0;
  if (count(shape) != x.size())
    return op.emitError("expected a shape of ")
           << x.size() << " elements, got [" << shape << "], " << op.getY().getType();
  return mapOver(shape, [&](ArrayRef<int64_t> at) { return Source{0, linearIndex(at, shape)}; });
}

static FailureOr<IndexMap> mapTranspose(TransposeOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (!isPermutationVector(permutation) || int64_t(permutation.size()) != x.rank())
    return op.emitError("expected a permutation of ") << x.rank() << " dimensions, got [" << permutation << "]";
  SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  return mapOver(applyPermutation(ArrayRef(x.shape), permutation),
                 [&](ArrayRef<int64_t> at) { return Source{0, linearIndex(applyPermutation(at, inverse), x.shape)}; });
}

/// y[n] = x[offset + stride n]; a dynamic size takes all that there is.
static FailureOr<IndexMap> mapSlice(SliceOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  FailureOr<SmallVector<int64_t>> starts = positions(op, frame, op.getOffsets(), op.getStartsAttr());
  SmallVector<int64_t> shape(resultShape(op));
  if (failed(starts) || failed(setSizes(op, frame, op.getSizesAttr(), shape)))
    return failure();
  SmallVector<int64_t> offsets = *starts;
  ArrayRef<int64_t> strides = op.getStrides();
  if (int64_t(offsets.size()) != x.rank() || int64_t(strides.size()) != x.rank() || int64_t(shape.size()) != x.rank())
    return op.emitError("expected one offset and one stride per dimension");
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (ShapedType::isDynamic(shape[d]) && strides[d] > 0)
      shape[d] = std::max<int64_t>(0, (x.shape[d] - offsets[d] + strides[d] - 1) / strides[d]);
    bool fits = offsets[d] >= 0 && strides[d] > 0 && offsets[d] + strides[d] * (shape[d] - 1) < x.shape[d];
    if (shape[d] > 0 && !fits)
      return op.emitError("expected a slice inside a dimension of ")
             << x.shape[d] << ", got offset " << offsets[d] << ", stride " << strides[d] << ", size " << shape[d];
  }
  return mapOver(shape, [&](ArrayRef<int64_t> at) {
    int64_t element = 0;
    for (int64_t d = 0; d < x.rank(); ++d)
      element = element * x.shape[d] + offsets[d] + strides[d] * at[d];
    return Source{0, element};
  });
}

/// y[position[n]] = x[n], where the first axes are numbered as one; the state elsewhere.
static IndexMap mapPlaces(const Tensor &state, ArrayRef<int64_t> positions, int64_t axis) {
  int64_t columns = 1;
  for (int64_t size : ArrayRef(state.shape).drop_front(axis + 1))
    columns *= size;
  std::vector<int64_t> replacing(count(state.shape) / std::max<int64_t>(columns, 1), -1);
  for (auto [n, position] : llvm::enumerate(positions))
    if (position >= 0 && position < int64_t(replacing.size()))
      replacing[position] = n;
  return mapOver(state.shape, [=, &state](ArrayRef<int64_t> at) {
    int64_t element = linearIndex(at, state.shape), n = replacing[element / columns];
    return n < 0 ? Source{0, element} : Source{1, n * columns + element % columns};
  });
}

/// y[position + n] = x[n] along the axis, the state elsewhere.
static FailureOr<IndexMap> mapSliceUpdate(SliceUpdateOp op, const Frame &frame) {
  const Tensor &state = frame[op.getState()], &x = frame[op.getX()];
  if (frame[op.getPosition()].rank() == 1)
    return mapPlaces(state, frame[op.getPosition()].integers, op.getAxis());
  int64_t axis = op.getAxis(), position = frame[op.getPosition()].integers[0];
  int64_t highest = state.shape[axis] - x.shape[axis];
  if (position < 0 || position > highest)
    return op.emitError("expected a position in [0, ") << highest << "], got " << position;
  return mapOver(state.shape, [&](SmallVector<int64_t> at) {
    int64_t place = at[axis] - position;
    if (place < 0 || place >= x.shape[axis])
      return Source{0, linearIndex(at, state.shape)};
    at[axis] = place;
    return Source{1, linearIndex(at, x.shape)};
  });
}

/// y[low + stride n] = x[n], zeros elsewhere; a dynamic size ends with the last element of x.
static FailureOr<IndexMap> mapPad(PadOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  FailureOr<SmallVector<int64_t>> starts = positions(op, frame, op.getLow(), op.getStartsAttr());
  SmallVector<int64_t> shape(resultShape(op));
  if (failed(starts) || failed(setSizes(op, frame, op.getSizesAttr(), shape)))
    return failure();
  SmallVector<int64_t> low = *starts;
  ArrayRef<int64_t> strides = op.getStrides();
  if (int64_t(low.size()) != x.rank() || int64_t(strides.size()) != x.rank() || int64_t(shape.size()) != x.rank())
    return op.emitError("expected one low end and one stride per dimension");
  for (int64_t d = 0; d < x.rank(); ++d) {
    int64_t end = x.shape[d] > 0 ? low[d] + strides[d] * (x.shape[d] - 1) + 1 : 0;
    if (ShapedType::isDynamic(shape[d]))
      shape[d] = end;
    if (low[d] < 0 || strides[d] < 1 || end > shape[d])
      return op.emitError("expected a dimension of at least ") << end << ", got " << shape[d];
  }
  return mapOver(shape, [&](ArrayRef<int64_t> at) {
    int64_t element = 0;
    for (int64_t d = 0; d < x.rank(); ++d) {
      int64_t place = at[d] - low[d];
      if (place < 0 || place % strides[d] || place / strides[d] >= x.shape[d])
        return Source{-1, 0};
      element = element * x.shape[d] + place / strides[d];
    }
    return Source{0, element};
  });
}

static FailureOr<IndexMap> mapConcat(ConcatOp op, const Frame &frame) {
  int64_t axis = op.getAxis(), rank = resultShape(op).size(), total = 0;
  if (op.getInputs().empty() || axis < 0 || axis >= rank)
    return op.emitError("expected operands and an axis in [0, ") << rank << "), got axis " << axis;
  SmallVector<Source> starts; // operand and place of each element along the axis
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    for (int64_t n = 0; n < frame[input].shape[axis]; ++n)
      starts.push_back({int64_t(number), n});
    total += frame[input].shape[axis];
  }
  SmallVector<int64_t> shape = frame[op.getInputs()[0]].shape;
  for (Value input : op.getInputs())
    for (int64_t d = 0; d < rank; ++d)
      if (d != axis && frame[input].shape[d] != shape[d])
        return op.emitError("expected equal sizes besides the axis, got ")
               << shape[d] << " and " << frame[input].shape[d];
  shape[axis] = total;
  return mapOver(shape, [&](SmallVector<int64_t> at) {
    Source start = starts[at[axis]];
    at[axis] = start.element;
    return Source{start.operand, linearIndex(at, frame[op.getInputs()[start.operand]].shape)};
  });
}

/// A dynamic size of the result is listed, or that of x.
static FailureOr<IndexMap> mapBroadcast(BroadcastOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  SmallVector<int64_t> shape(resultShape(op));
  if (int64_t(shape.size()) < x.rank())
    return op.emitError("expected a result of at least ") << x.rank() << " dimensions, got " << shape.size();
  if (failed(setSizes(op, frame, op.getSizesAttr(), shape)))
    return failure();
  for (int64_t d = 1; d <= int64_t(shape.size()); ++d) {
    int64_t &size = shape[shape.size() - d], from = d <= x.rank() ? x.shape[x.rank() - d] : 1;
    if (ShapedType::isDynamic(size))
      size = from;
    if (from != 1 && from != size)
      return op.emitError("expected sizes that broadcast, got ") << from << " to " << size;
  }
  return mapOver(
      shape, [&](ArrayRef<int64_t> at) { return Source{0, broadcastIndex(linearIndex(at, shape), shape, x.shape)}; });
}

static FailureOr<IndexMap> mapSplitHeads(SplitHeadsOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  int64_t heads = op.getHeads();
  if (x.rank() != 3 || heads < 1 || x.columns() % heads)
    return op.emitError("expected B x N x (heads D), got ") << op.getX().getType() << " and " << heads << " heads";
  int64_t width = x.columns() / heads;
  return mapOver({x.shape[0], heads, x.shape[1], width}, [&](ArrayRef<int64_t> at) {
    return Source{0, linearIndex({at[0], at[2], at[1] * width + at[3]}, x.shape)};
  });
}

static FailureOr<IndexMap> mapMergeHeads(MergeHeadsOp op, const Frame &frame) {
  const Tensor &x = frame[op.getX()];
  if (x.rank() != 4)
    return op.emitError("expected B x H x N x D, got ") << op.getX().getType();
  int64_t width = x.columns();
  return mapOver({x.shape[0], x.shape[2], x.shape[1] * width}, [&](ArrayRef<int64_t> at) {
    return Source{0, linearIndex({at[0], at[2] / width, at[1], at[2] % width}, x.shape)};
  });
}

/// Token n of layer l at n L + l.
static FailureOr<IndexMap> mapStackLayers(StackLayersOp op, const Frame &frame) {
  int64_t layers = op.getLayers().size();
  for (Value layer : op.getLayers())
    if (frame[layer].rank() != 3 || frame[layer].shape != frame[op.getLayers()[0]].shape)
      return op.emitError("expected layers of one shape B x N x d, got ") << op.getOperandTypes();
  if (layers == 0)
    return op.emitError("expected at least one layer, got none");
  const Tensor &x = frame[op.getLayers()[0]];
  return mapOver({x.shape[0], x.shape[1] * layers, x.shape[2]}, [&](ArrayRef<int64_t> at) {
    return Source{at[1] % layers, linearIndex({at[0], at[1] / layers, at[2]}, x.shape)};
  });
}

//===----------------------------------------------------------------------===//
// pool_layers
//===----------------------------------------------------------------------===//

/// The element of x that stands for layer `layer` of element `number` of the result.
static int64_t layerElement(const Tensor &x, int64_t layers, int64_t number, int64_t layer) {
  int64_t width = x.columns();
  return (number / width * layers + layer) * width + number % width;
}

/// The layer that max (the first of equal ones, NaN before all) or last takes.
static int64_t pooledLayer(const Tensor &x, int64_t layers, int64_t number, Pool kind) {
  int64_t best = kind == Pool::k_last ? layers - 1 : 0;
  for (int64_t l = 1; l < layers && kind == Pool::k_max; ++l) {
    double value = x.reals[layerElement(x, layers, number, l)], top = x.reals[layerElement(x, layers, number, best)];
    if (!std::isnan(top) && !(value <= top))
      best = l;
  }
  return best;
}

static LogicalResult evaluatePoolLayers(PoolLayersOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()];
  int64_t layers = op.getLayers();
  if (x.rank() != 3 || layers < 1 || x.shape[1] % layers)
    return op.emitError("expected B x (N L) x d, got ") << op.getX().getType() << " and " << layers << " layers";
  Tensor y = Tensor::zeros(x.elementType, {x.shape[0], x.shape[1] / layers, x.shape[2]});
  for (int64_t n = 0; n < y.size(); ++n) {
    if (op.getKind() != Pool::k_mean) {
      y.reals[n] = x.reals[layerElement(x, layers, n, pooledLayer(x, layers, n, op.getKind()))];
      continue;
    }
    for (int64_t l = 0; l < layers; ++l)
      y.reals[n] += x.reals[layerElement(x, layers, n, l)] / layers;
  }
  frame.set(op.getY(), y);
  return success();
}

static void differentiatePoolLayers(PoolLayersOp op, const Frame &frame, Cotangents &cotangents) {
  const Tensor &x = frame[op.getX()];
  Tensor dy = cotangents[op.getY()], dx = Tensor::zerosLike(x);
  int64_t layers = op.getLayers();
  for (int64_t n = 0; n < dy.size(); ++n) {
    if (op.getKind() != Pool::k_mean) {
      dx.reals[layerElement(x, layers, n, pooledLayer(x, layers, n, op.getKind()))] = dy.reals[n];
      continue;
    }
    for (int64_t l = 0; l < layers; ++l)
      dx.reals[layerElement(x, layers, n, l)] = dy.reals[n] / layers;
  }
  cotangents.add(op.getX(), dx);
}

void reference::addShapeRules(Rules &rules) {
  addIndexMap<ReshapeOp>(rules, mapReshape);
  addIndexMap<TransposeOp>(rules, mapTranspose);
  addIndexMap<SliceOp>(rules, mapSlice);
  addIndexMap<SliceUpdateOp>(rules, mapSliceUpdate);
  addIndexMap<PadOp>(rules, mapPad);
  addIndexMap<ConcatOp>(rules, mapConcat);
  addIndexMap<BroadcastOp>(rules, mapBroadcast);
  addIndexMap<SplitHeadsOp>(rules, mapSplitHeads);
  addIndexMap<MergeHeadsOp>(rules, mapMergeHeads);
  addIndexMap<StackLayersOp>(rules, mapStackLayers);
  rules.add<PoolLayersOp>(evaluatePoolLayers, differentiatePoolLayers);
}
