//===- TileProgram.cpp - Tensor functions to host programs ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   func.func @f(%x: tensor<2x4x8xf32> {xf.name = "x"}) -> (tensor<2x4x8xf32> {xf.name = "y"}) { %y = xf.exp %x :
//   tensor<2x4x8xf32>  return %y }
// After: a host program, results as arguments, and the kernels that it launches.
//   func.func @f(%x: memref<2x4x8xf32> {xf.name = "x"}, %y: memref<2x4x8xf32> {xf.name = "y", xft.result = 0})
//   attributes {xft.entry} {
//     xft.launch @rows_.. tiles(%n) (%x, %y : ..) }
//
// Ops that only rename indices (reshape, transpose, slice, heads, broadcast) become views; every other op is tiled by
// its family (TileOps.h). Runs after the pattern stage, because attention is tiled from its solution, as the last stage
// on tensors.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/KernelLibrary.h"
#include "compiler/Tile/Host/TileOps.h"
#include "compiler/Tile/Passes.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::xf {
#define GEN_PASS_DEF_TILEPROGRAMPASS
#include "compiler/Tile/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Views and constants
//===----------------------------------------------------------------------===//

/// Returns the number of elements of a strided slice: ceil((size - offset) / stride). If the stride divides `size`
/// exactly, the result is the quotient itself, which may be an operand's size value.
static Size countPlaces(HostBuilder &host, Size size, int64_t offset, int64_t stride) {
  if (offset < stride && stride > 1)
    if (Size strides = host.floorDiv(size, stride); host.mul(strides, host.size(stride)) == size)
      return strides;
  return host.ceilDiv(host.sub(size, host.size(offset)), stride);
}

static void aliasSlice(SliceOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX());
  SmallVector<Size> offsets, sizes;
  for (auto [d, offset] : llvm::enumerate(op.getOffsets())) {
    offsets.push_back(host.size(offset));
    int64_t extent = op.getY().getType().getDimSize(d);
    sizes.push_back(ShapedType::isDynamic(extent) ? countPlaces(host, x.sizes[d], offset, op.getStrides()[d])
                                                  : host.size(extent));
  }
  host.alias(op.getY(), host.sliced(x, offsets, sizes, op.getStrides()));
}

static void aliasBroadcast(BroadcastOp op, HostBuilder &host) {
  Buffer view = host.buffer(op.getX());
  auto type = op.getY().getType();
  int64_t added = type.getRank() - view.rank();
  view.sizes.insert(view.sizes.begin(), added, host.size(1));
  view.strides.insert(view.strides.begin(), added, host.size(0));
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(d) || HostBuilder::constant(view.sizes[d]) != 1)
      continue;
    view.sizes[d] = host.size(type.getDimSize(d));
    view.strides[d] = host.size(0);
  }
  host.alias(op.getY(), view);
}

static LogicalResult aliasReshape(ReshapeOp op, HostBuilder &host) {
  SmallVector<Size> sizes = host.sizes(op.getY());
  if (failed(host.requireEqual(host.product(host.sizes(op.getX())), host.product(sizes))))
    return failure();
  Buffer view = host.contiguous(host.buffer(op.getX()));
  view.sizes = sizes;
  view.strides = host.rowMajorStrides(sizes);
  host.alias(op.getY(), view);
  return success();
}

static void aliasMergeHeads(MergeHeadsOp op, HostBuilder &host) {
  Buffer tokens = host.permuted(host.buffer(op.getX()), {0, 2, 1, 3});
  FailureOr<Buffer> merged = host.collapsed(tokens, 2, 3);
  if (failed(merged))
    merged = host.collapsed(host.contiguous(tokens), 2, 3);
  host.alias(op.getY(), *merged);
}

static LogicalResult tileConstant(arith::ConstantOp op, HostBuilder &host) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.emitError("expected a dense tensor constant, got ") << op.getValue();
  host.alias(op.getResult(), host.constantBuffer(elements));
  return success();
}

static LogicalResult tileOp(Operation *op, HostBuilder &host) {
  host.loc = op->getLoc();
  if (failed(requireSizesAgree(op, host)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp>([&](auto constant) { return tileConstant(constant, host); })
      .Case<AttentionOp>([&](auto attention) { return tileAttention(attention, host); })
      .Case<AttentionVjpOp>([&](auto vjp) { return tileAttentionVjp(vjp, host); })
      .Case<LinearOp>([&](auto linear) { return tileLinear(linear, host); })
      .Case<MatmulOp>([&](auto matmul) { return tileMatmul(matmul, host); })
      .Case<ProductOp>([&](auto product) { return tileProduct(product, host); })
      .Case<ReshapeOp>([&](auto reshape) { return aliasReshape(reshape, host); })
      .Case<SliceOp>([&](auto slice) { return aliasSlice(slice, host), success(); })
      .Case<BroadcastOp>([&](auto broadcast) { return aliasBroadcast(broadcast, host), success(); })
      .Case<MergeHeadsOp>([&](auto merge) { return aliasMergeHeads(merge, host), success(); })
      .Case<TransposeOp>([&](TransposeOp transpose) {
        host.alias(transpose.getY(), host.permuted(host.buffer(transpose.getX()), transpose.getPermutation()));
        return success();
      })
      .Case<SplitHeadsOp>([&](SplitHeadsOp split) {
        Buffer x = host.buffer(split.getX());
        Size width = host.floorDiv(x.sizes[2], split.getHeads());
        host.alias(split.getY(), host.permuted(host.split(x, 2, width), {0, 2, 1, 3}));
        return success();
      })
      .Case<AfterOp>([&](AfterOp after) { return host.alias(after.getY(), host.buffer(after.getX())), success(); })
      .Default([&](Operation *) { return tileRows(op, host); });
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static MemRefType memrefOf(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Creates the host program's declaration: the function's arguments, then one argument per result.
static func::FuncOp createHost(func::FuncOp function) {
  OpBuilder b(function);
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (unsigned n = 0; n < function.getNumArguments(); ++n) {
    types.push_back(memrefOf(function.getArgumentTypes()[n]));
    DictionaryAttr given = function.getArgAttrDict(n);
    attributes.push_back(given ? given : b.getDictionaryAttr({}));
  }
  for (unsigned n = 0; n < function.getNumResults(); ++n) {
    types.push_back(memrefOf(function.getResultTypes()[n]));
    NamedAttrList list(function.getResultAttrDict(n));
    list.set(xft::resultAttrName, b.getI64IntegerAttr(n));
    attributes.push_back(list.getDictionary(b.getContext()));
  }
  auto host = func::FuncOp::create(b, function.getLoc(), function.getName(), b.getFunctionType(types, {}));
  host.setAllArgAttrs(attributes);
  host->setAttr(xft::entryAttrName, b.getUnitAttr());
  host.addEntryBlock();
  return host;
}

/// Returns the tensor argument that result `number` replaces in place, or null.
static Value updatedArgument(func::FuncOp function, unsigned number) {
  auto name = function.getResultAttrOfType<StringAttr>(number, "xf.updates");
  for (unsigned n = 0; name && n < function.getNumArguments(); ++n)
    if (function.getArgAttrOfType<StringAttr>(n, "xf.name") == name)
      return function.getArgument(n);
  return nullptr;
}

/// Appends copies of the results that are not in their buffers yet. Arguments and their views are saved to a temporary
/// first, because another result may replace them.
static void copyResults(func::ReturnOp op, HostBuilder &host, unsigned inputs) {
  host.loc = op.getLoc();
  SmallVector<std::pair<Buffer, Buffer>, 0> copies;
  for (auto [number, tensor] : llvm::enumerate(op.getOperands())) {
    Buffer from = host.buffer(tensor), to = host.resultBuffer(number, from.sizes);
    if (from.root == to.root && HostBuilder::constant(from.offset) == 0 && from.strides == to.strides)
      continue;
    auto argument = dyn_cast<BlockArgument>(from.root);
    if (argument && argument.getArgNumber() < inputs && op.getNumOperands() > 1) {
      Buffer saved = host.allocate(from.element, from.sizes);
      tileCopy(host, from, saved);
      from = saved;
    }
    copies.push_back({from, to});
  }
  for (auto &[from, to] : copies)
    tileCopy(host, from, to);
}

static LogicalResult tileFunction(func::FuncOp function, KernelLibrary &kernels, const TileModel &model) {
  unsigned inputs = function.getNumArguments();
  inferIdRanges(function);
  func::FuncOp hostFunction = createHost(function);
  HostBuilder host(hostFunction, kernels, model);
  for (unsigned n = 0; n < inputs; ++n)
    host.bind(function.getArgument(n), hostFunction.getArgument(n));
  for (unsigned n = 0; n < function.getNumResults(); ++n) {
    host.bindResult(n, hostFunction.getArgument(inputs + n));
    if (Value argument = updatedArgument(function, n))
      host.bindUpdate(n, argument);
  }
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(tileOp(&op, host)))
      return failure();
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  copyResults(terminator, host, inputs);
  host.recordWork();
  func::ReturnOp::create(host.b, terminator.getLoc());
  function.erase();
  return success();
}

/// Turns every tensor function into a host program and the kernels that it launches. Kernels, entries and external
/// functions are left alone. Fails after an error.
static LogicalResult tileProgram(ModuleOp module, const TileModel &model) {
  KernelLibrary kernels(module);
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (xft::isKernel(function) || xft::isEntry(function) || function.isExternal())
      continue;
    if (failed(tileFunction(function, kernels, model)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileProgramPass : xf::impl::TileProgramPassBase<TileProgramPass> {
  TileProgramPass(TileModelOf modelOf, const MachineOptions &options)
      : Base({options.machine, options.vectorBits, options.f32Products}), modelOf(modelOf) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<xft::XftDialect, memref::MemRefDialect, arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    std::unique_ptr<TileModel> model =
        modelOf({machine, vectorBits, f32Products}, [&] { return getOperation().emitError(); });
    if (!model || failed(tileProgram(getOperation(), *model)))
      signalPassFailure();
  }

  TileModelOf modelOf;
};
} // namespace

std::unique_ptr<Pass> xf::createTileProgramPass(TileModelOf modelOf, const MachineOptions &machine) {
  return std::make_unique<TileProgramPass>(modelOf, machine);
}

void xf::registerTilePasses(TileModelOf modelOf) {
  registerPass([modelOf] { return createTileProgramPass(modelOf); });
}
