//===- TensorSizes.cpp - Inference of dynamic result sizes ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/HostBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

/// Returns the sizes of numpy's broadcasting; assumes that a dynamic size equals the size that it meets.
static Sizes broadcastSizes(HostBuilder &host, ValueRange operands, int64_t rank) {
  Sizes result(rank, host.size(1));
  for (Value operand : operands) {
    Sizes sizes = host.sizes(operand);
    int64_t shift = rank - sizes.size();
    for (auto [d, size] : llvm::enumerate(sizes))
      if (HostBuilder::constant(size) != 1)
        result[shift + d] = size;
  }
  return result;
}

static Sizes reducedSizes(HostBuilder &host, ReduceOp op) {
  Sizes result;
  for (auto [d, size] : llvm::enumerate(host.sizes(op.getX())))
    if (!llvm::is_contained(op.getAxes(), static_cast<int64_t>(d)))
      result.push_back(size);
  return result;
}

/// Returns the sizes of a reshape: its dynamic sizes are those of x in order; the last one follows from the number of
/// elements.
static Sizes reshapedSizes(HostBuilder &host, ReshapeOp op) {
  Sizes from = host.sizes(op.getX()), dynamic, result;
  for (auto [d, size] : llvm::enumerate(op.getX().getType().getShape()))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(from[d]);
  Size known = host.size(1), *last = nullptr;
  size_t taken = 0;
  for (int64_t size : op.getY().getType().getShape())
    result.push_back(host.size(size));
  for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape())) {
    if (ShapedType::isDynamic(size)) {
      if (last)
        known = host.mul(known, *last = taken < dynamic.size() ? dynamic[taken++] : host.size(1));
      last = &result[d];
    } else {
      known = host.mul(known, result[d]);
    }
  }
  if (last)
    *last = host.floorDiv(host.product(from), known);
  return result;
}

template <typename OpTy>
static Sizes matmulSizes(HostBuilder &host, OpTy op) {
  Sizes a = host.sizes(op.getA()), b = host.sizes(op.getB());
  if (op.getTransposeA())
    std::swap(a[a.size() - 1], a[a.size() - 2]);
  Size rows = a[a.size() - 2], columns = op.getTransposeB() ? b[b.size() - 2] : b.back();
  Sizes result = a.size() < b.size() ? b : a; // the one with more matrices
  result[result.size() - 2] = rows;
  result.back() = columns;
  return result;
}

static Sizes concatSizes(HostBuilder &host, ConcatOp op) {
  Sizes result = host.sizes(op.getInputs().front());
  for (Value input : op.getInputs().drop_front())
    result[op.getAxis()] = host.add(result[op.getAxis()], host.sizes(input)[op.getAxis()]);
  return result;
}

/// Returns the sizes of a pad whose dynamic sizes end with the last element of x.
static Sizes paddedSizes(HostBuilder &host, PadOp op) {
  Sizes result;
  for (auto [size, low, stride] : llvm::zip(host.sizes(op.getX()), op.getLow(), op.getStrides()))
    result.push_back(host.add(host.mul(size, host.size(stride)), host.size(low + 1 - stride)));
  return result;
}

static Sizes dynamicSizes(HostBuilder &host, Value tensor) {
  Operation *op = tensor.getDefiningOp();
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  auto with = [&](Sizes sizes, int64_t d, Size size) {
    sizes[d] = size;
    return sizes;
  };
  return llvm::TypeSwitch<Operation *, Sizes>(op)
      .Case<ElementwiseOpInterface>([&](auto) { return broadcastSizes(host, op->getOperands(), rank); })
      .Case<LinearOp>(
          [&](LinearOp linear) { return with(host.sizes(linear.getX()), rank - 1, host.sizes(linear.getWeight())[0]); })
      .Case<MatmulOp>([&](MatmulOp matmul) { return matmulSizes(host, matmul); })
      .Case<ProductOp>([&](ProductOp product) { return matmulSizes(host, product); })
      .Case<AttentionOp>([&](AttentionOp attention) {
        Sizes sizes = host.sizes(attention.getQ());
        if (tensor == attention.getLse())
          sizes.pop_back();
        else
          sizes.back() = host.sizes(attention.getV()).back();
        return sizes;
      })
      .Case<AttentionVjpOp>([&](AttentionVjpOp vjp) {
        auto isFloat = [](Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); };
        SmallVector<Value> of = {vjp.getQ(), vjp.getK(), vjp.getV()};
        llvm::append_range(of, vjp.getParams());
        llvm::copy_if(ValueRange{vjp.getDecay(), vjp.getBeta(), vjp.getRelative()}, std::back_inserter(of),
                      [](Value value) { return value != nullptr; });
        llvm::copy_if(vjp.getFeatureCaptures(), std::back_inserter(of), isFloat);
        llvm::copy_if(vjp.getCaptures(), std::back_inserter(of), isFloat);
        return host.sizes(of[cast<OpResult>(tensor).getResultNumber()]);
      })
      .Case<ReduceOp>([&](ReduceOp reduce) { return reducedSizes(host, reduce); })
      .Case<ReshapeOp>([&](ReshapeOp reshape) { return reshapedSizes(host, reshape); })
      .Case<ConcatOp>([&](ConcatOp concat) { return concatSizes(host, concat); })
      .Case<PadOp>([&](PadOp pad) { return paddedSizes(host, pad); })
      .Case<TransposeOp>([&](TransposeOp transpose) {
        Sizes sizes = host.sizes(transpose.getX()), result;
        for (int64_t from : transpose.getPermutation())
          result.push_back(sizes[from]);
        return result;
      })
      .Case<SplitHeadsOp>([&](SplitHeadsOp split) {
        Sizes x = host.sizes(split.getX());
        return Sizes{x[0], host.size(split.getHeads()), x[1], host.floorDiv(x[2], split.getHeads())};
      })
      .Case<MergeHeadsOp>([&](MergeHeadsOp merge) {
        Sizes x = host.sizes(merge.getX());
        return Sizes{x[0], x[2], host.mul(x[1], x[3])};
      })
      .Case<EmbeddingOp>([&](EmbeddingOp embedding) {
        Sizes sizes = host.sizes(embedding.getIds());
        sizes.push_back(host.sizes(embedding.getTable())[1]);
        return sizes;
      })
      .Case<EmbeddingVjpOp>([&](EmbeddingVjpOp vjp) {
        return Sizes{host.size(vjp.getDTable().getType().getDimSize(0)), host.sizes(vjp.getDY()).back()};
      })
      .Case<CrossEntropyOp>(
          [&](CrossEntropyOp loss) { return tensor == loss.getLoss() ? Sizes() : host.sizes(loss.getTargets()); })
      .Case<LayerNormVjpOp, RmsNormVjpOp>([&](auto vjp) {
        Sizes x = host.sizes(vjp.getX());
        return tensor == vjp.getDX() ? x : Sizes{x.back()};
      })
      .Case<StackLayersOp>([&](StackLayersOp stack) {
        Sizes sizes = host.sizes(stack.getLayers().front());
        return with(sizes, 1, host.mul(sizes[1], host.size(stack.getLayers().size())));
      })
      .Case<PoolLayersOp>([&](PoolLayersOp pool) {
        Sizes sizes = host.sizes(pool.getX());
        return with(sizes, 1, host.floorDiv(sizes[1], pool.getLayers()));
      })
      .Default([&](Operation *) { return host.sizes(op->getOperand(0)); }); // norms, softmax, dropout: the shape of x
}

SmallVector<Size> HostBuilder::sizes(Value tensor) {
  auto found = buffers.find(tensor);
  if (found != buffers.end())
    return found->second.sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Size> result;
  for (int64_t extent : type.getShape())
    result.push_back(size(extent));
  if (type.hasStaticShape())
    return result;
  SmallVector<Size> derived = dynamicSizes(*this, tensor);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      result[d] = derived[d];
  return result;
}

LogicalResult HostBuilder::requireStaticSizes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Size> derived = dynamicSizes(*this, tensor);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!type.isDynamicDim(d) && !constant(derived[d]) && failed(requireEqual(derived[d], size(type.getDimSize(d)))))
      return failure();
  return success();
}
