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
// Turns functions on tensors into host programs. Ops that only rename indices (reshape, transpose, slice, heads,
// broadcast) become views. Every op is tiled by the model that its family attaches (TileFamilies.h). This is the last
// stage on tensors. It runs after the pattern stage, because attention is tiled from its solution.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/KernelLibrary.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Passes.h"
#include "compiler/Tile/TileFamilies.h"
#include "compiler/Tile/TileUpdates.h"
#include "compiler/Tile/WidenExactWeights.h"
#include "dialects/xf/Ops/XfFamily.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {
#define GEN_PASS_DEF_TILEPROGRAMPASS
#include "compiler/Tile/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

/// Copies the family of the pattern of `op` to the launches after step `last`, or to all launches if `last` is null.
static void nameLaunches(Operation *op, Block &host, Operation *last) {
  auto family = op->getAttrOfType<StringAttr>(kFamilyAttrName);
  if (!family)
    return;
  for (Operation &step : llvm::make_range(last ? std::next(last->getIterator()) : host.begin(), host.end()))
    step.walk([&](xft::LaunchOp launch) { launch->setAttr(kFamilyAttrName, family); });
}

/// Tiles an op by its model (TileableOpInterface). Fails after an error.
static LogicalResult tileOp(Operation *op, HostBuilder &host) {
  host.loc = op->getLoc();
  auto tileable = dyn_cast<TileableOpInterface>(op);
  if (!tileable)
    return op->emitError("expected an op that can be tiled, got '") << op->getName() << "'";
  if (failed(host.checkNames(op)) || failed(tileable.requireSizes(host)))
    return failure();
  Block &steps = *host.b.getInsertionBlock();
  Operation *last = steps.empty() ? nullptr : &steps.back();
  LogicalResult result = tileable.tile(host);
  nameLaunches(op, steps, last);
  return result;
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

/// Appends copies of the results that are not in their buffers yet. A copy must not overwrite elements that it, or a
/// later copy, has still to read. So a result that is a view of an argument is copied to a temporary first, if the
/// entry has several results or if this result replaces an argument.
static void copyResults(func::ReturnOp op, HostBuilder &host, unsigned inputs) {
  auto function = op->getParentOfType<func::FuncOp>();
  host.loc = op.getLoc();
  SmallVector<std::pair<Buffer, Buffer>, 0> copies;
  for (auto [number, tensor] : llvm::enumerate(op.getOperands())) {
    Buffer from = host.buffer(tensor), to = host.resultBuffer(number, from.sizes);
    if (from.root == to.root && HostBuilder::constant(from.offset) == 0 && from.strides == to.strides)
      continue;
    auto argument = dyn_cast<BlockArgument>(from.root);
    bool isReplaced = op.getNumOperands() > 1 || replacedArgument(function, number);
    if (argument && argument.getArgNumber() < inputs && isReplaced) {
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
  widenExactWeights(function, model);
  inferIdRanges(function);
  func::FuncOp hostFunction = createHost(function);
  HostBuilder host(hostFunction, kernels, model);
  for (unsigned n = 0; n < inputs; ++n)
    host.bind(function.getArgument(n), hostFunction.getArgument(n));
  host.bindNames(function);
  for (unsigned n = 0; n < function.getNumResults(); ++n) {
    host.bindResult(n, hostFunction.getArgument(inputs + n));
    if (Value argument = replacedArgument(function, n))
      host.bindUpdate(n, argument);
  }
  Block &body = function.getBody().front();
  for (Operation *op = &body.front(); op != body.getTerminator(); op = op->getNextNode()) {
    SmallVector<MapOp> updates;
    if (auto map = dyn_cast<MapOp>(op))
      updates = updatesTogether(map);
    if (updates.size() < 2) {
      if (failed(tileOp(op, host)))
        return failure();
      continue;
    }
    host.loc = op->getLoc();
    if (failed(tileTogether(updates, host)))
      return failure();
    op = updates.back();
  }
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  copyResults(terminator, host, inputs);
  host.recordWork();
  func::ReturnOp::create(host.b, terminator.getLoc());
  function.erase();
  return success();
}

/// Turns every tensor function into a host program and the kernels that it launches. Leaves kernels, entries and
/// external functions as they are. Fails after an error.
static LogicalResult tileProgram(ModuleOp module, const TileModel &model) {
  KernelLibrary kernels(module);
  markGradientKernels(module);
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
      : Base({options.machine, options.vectorBits, options.f32Products, options.targetTriple}), modelOf(modelOf) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<XfDialect, xft::XftDialect, memref::MemRefDialect, arith::ArithDialect, LLVM::LLVMDialect>();
    registerTileFamilies(registry);
  }

  void runOnOperation() override {
    std::unique_ptr<TileModel> model =
        modelOf({machine, vectorBits, f32Products, targetTriple}, [&] { return getOperation().emitError(); });
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
  registerPass([] { return createDescribeStepsPass(); });
}
