//===- Pipeline.cpp - From a module to an object --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/Pipeline.h"
#include "compiler/Emit/HostPrograms.h"
#include "compiler/Emit/Identifiers.h"
#include "compiler/Expand/Passes.h"
#include "compiler/Fuse/Passes.h"
#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Memory/Passes.h"
#include "compiler/Partition/Passes.h"
#include "compiler/Pattern/Passes.h"
#include "compiler/Pipeline/CheckProgram.h"
#include "compiler/Pipeline/EmitVariants.h"
#include "compiler/Pipeline/FailureReasons.h"
#include "compiler/Pipeline/SelectEntries.h"
#include "compiler/Pipeline/StageText.h"
#include "compiler/Target/Passes.h"
#include "compiler/Target/Target.h"
#include "compiler/Tile/Host/TileModel.h"
#include "compiler/Tile/Passes.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::xf;

void xf::registerForCompiling(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect, XfDialect, xft::XftDialect>();
  registerGradientModels(registry);
  registerTileFamilies(registry);
  for (const Target *target : allTargets())
    target->registerDialects(registry);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
/// The passes of a stage. In builds for debugging, the module is verified after each pass. In all builds, the pipeline
/// verifies it after each stage.
struct StagePasses : PassManager {
  explicit StagePasses(Variant &c) : PassManager(c.module.getContext()) {
#ifndef XF_VERIFY_PASSES
    enableVerifier(false);
#endif
    requireReasons(*this);
    if (c.options.clock)
      c.options.clock->watch(*this);
  }
};
} // namespace

/// Replaces ops that stand for several simpler ops by these. Runs first, so that only the simpler ops need derivatives.
static LogicalResult expandStage(Variant &c) {
  StagePasses pm(c);
  pm.addPass(createExpandAttentionVjpPass());
  pm.addNestedPass<func::FuncOp>(createExpandFeaturesPass());
  pm.addNestedPass<func::FuncOp>(createExpandRelativePass()); // needs scalar features, which the pass before leaves
  pm.addNestedPass<func::FuncOp>(createExpandLowRankPass());
  return pm.run(c.module);
}

/// Builds derivatives, so that all later stages optimise forward and backward code together. Then removes the functions
/// whose only use was to be differentiated.
static LogicalResult gradientStage(Variant &c) {
  if (failed(selectEntries(c.module, c.options.entries)))
    return failure();
  GradientPassOptions options;
  options.entries.assign(c.options.vjpEntries.begin(), c.options.vjpEntries.end());
  StagePasses pm(c);
  pm.addPass(createGradientPass(options));
  pm.addPass(createSymbolDCEPass());
  return pm.run(c.module);
}

/// Runs rewrites that are profitable on every target, while ops are still high-level.
static LogicalResult fuseStage(Variant &c) {
  StagePasses pm(c);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createFusePass());
  pm.addPass(createCSEPass());
  return pm.run(c.module);
}

/// Solves the patterns of attention ops. Ops do not depend yet on how kernels execute a pattern.
static LogicalResult patternStage(Variant &c) {
  StagePasses pm(c);
  pm.addPass(createSolvePatternsPass());
  return pm.run(c.module);
}

/// Returns the names in `axes` along which `mesh` has several ranks.
static ArrayAttr axesOfSeveral(ArrayAttr axes, MeshAttr mesh) {
  auto several = llvm::make_filter_range(
      axes, [&](Attribute axis) { return mesh.getSize(cast<StringAttr>(axis).getValue()) != 1; });
  return ArrayAttr::get(axes.getContext(), llvm::to_vector(several));
}

/// Returns `sharding` without the axes along which `mesh` has one rank.
static ShardingAttr shardingOfSeveral(ShardingAttr sharding, MeshAttr mesh) {
  auto dims = llvm::map_to_vector(sharding.getDims(), [&](ArrayAttr axes) { return axesOfSeveral(axes, mesh); });
  auto chunks = llvm::to_vector(sharding.getChunks());
  for (auto [axes, number] : llvm::zip(dims, chunks))
    number = axes.empty() ? 1 : number; // a whole dimension has one chunk
  return ShardingAttr::get(sharding.getContext(), dims, chunks);
}

/// Removes axes with one rank from shardings and collectives: along such an axis, the rank only sends data to itself.
/// If the whole mesh has one rank, the program becomes one without a mesh.
static void dropAxesOfOneRank(ModuleOp module, MeshAttr mesh) {
  module.walk([&](Operation *op) {
    if (isa<AllGatherOp, AllReduceOp, AllSliceOp, AllToAllOp, ReturnReduceOp, ExchangeRowsOp, ReduceScatterOp>(op) &&
        axesOfSeveral(op->getAttrOfType<ArrayAttr>("axes"), mesh).empty() &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  module.walk([&](ScanStatesOp op) { // there is no other rank
    if (!axesOfSeveral(op.getAxes(), mesh).empty())
      return;
    OpBuilder b(op);
    Value none = MapOp::create(b, op.getLoc(), op.getY().getType(), op.getX(), [&](OpBuilder &inside, ValueRange x) {
      return Value(arith::ConstantOp::create(inside, op.getLoc(), inside.getZeroAttr(x[0].getType())));
    });
    op.replaceAllUsesWith(none);
    op.erase();
  });
  auto name = StringAttr::get(module.getContext(), kShardingAttrName);
  bool isOneRank = llvm::all_of(mesh.getSizes(), [](int64_t ranks) { return ranks == 1; });
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      if (auto sharding = function.getArgAttrOfType<ShardingAttr>(n, name)) {
        function.removeArgAttr(n, name);
        if (ShardingAttr several = shardingOfSeveral(sharding, mesh); !several.isWhole())
          function.setArgAttr(n, name, several);
      }
    for (unsigned n = 0; n < function.getNumResults(); ++n)
      if (auto sharding = function.getResultAttrOfType<ShardingAttr>(n, name)) {
        function.removeResultAttr(n, name);
        if (!isOneRank) // one that says `whole` asks for a gather
          function.setResultAttr(n, name, shardingOfSeveral(sharding, mesh));
      }
  }
  if (isOneRank)
    module->removeAttr(kMeshAttrName);
}

/// Finds which rank has which part of each value, and replaces the program by the share of one rank. Runs after
/// patterns are solved and gradients built, and before kernels are built. Changes nothing in a program without a mesh.
static LogicalResult partitionStage(Variant &c) {
  MeshAttr mesh = meshOf(c.module);
  bool keepsOrder = hasKeysOrder(c.module);
  auto takesParts = [](const MachineRef &machine) { return createTileModel(*machine)->takesParts(); };
  bool sharesQueries = mesh && llvm::all_of(c.machines, takesParts);
  if (keepsOrder && !mesh)
    return c.module.emitError("expected a mesh, whose axes say what the order `keys` cuts into slices, got a program "
                              "without one; on one rank each axis has 1");
  if (keepsOrder && !sharesQueries)
    return c.module.emitError("expected CPUs for the order `keys`, got a device without kernels for parts of queries");
  if (mesh && !keepsOrder)
    dropAxesOfOneRank(c.module, mesh);
  StagePasses pm(c), cleanUp(c);
  pm.addPass(createPropagateShardingsPass({c.options.errorOnReshard}));
  pm.addPass(createTakeSharePass({c.options.errorOnReshard, sharesQueries}));
  if (failed(pm.run(c.module)))
    return failure();
  if (keepsOrder) // what any number of ranks sums in slices is made of them
    dropAxesOfOneRank(c.module, mesh);
  if (meshOf(c.module) || keepsOrder) // what a loss and its gradient count travels once
    cleanUp.addPass(createCSEPass());
  if (meshOf(c.module))
    cleanUp.addNestedPass<func::FuncOp>(createRepeatExchangesPass());
  return cleanUp.run(c.module);
}

/// Turns tensors into buffers and ops into launches of kernels, one kernel per structural key, and then names the
/// kernels. Before that, replaces sums over ranks by messages and ops that add.
static LogicalResult tileStage(Variant &c) {
  StagePasses pm(c);
  if (meshOf(c.module))
    pm.addNestedPass<func::FuncOp>(createExpandRankSumsPass());
  pm.addPass(createTileProgramPass(tileModelOf, c.machine->options));
  pm.addPass(createDescribeStepsPass());
  return pm.run(c.module);
}

/// Orders the messages between ranks, and plans the arena. Runs on the final list of steps, because lifetimes of
/// buffers are counted in steps.
static LogicalResult memoryStage(Variant &c) {
  StagePasses pm(c);
  pm.addNestedPass<func::FuncOp>(createSinkWaitsPass());
  pm.addPass(createHoistStartsPass());
  pm.addNestedPass<func::FuncOp>(createPlanArenaPass());
  return pm.run(c.module);
}

/// Expands kernels to the vector code of a CPU or the thread code of a GPU, before they get the runtime's signature.
static LogicalResult kernelStage(Variant &c) {
  const MachineOptions &machine = c.machine->options;
  StagePasses pm(c);
  pm.addPass(createExpandKernelsPass({machine.machine, machine.vectorBits, machine.f32Products, machine.targetTriple}));
  return pm.run(c.module);
}

/// Converts host programs to tables. Runs after the stage `kernel`, because tables depend on attributes that it sets on
/// kernels. Then lowers the kernels and the functions that prepare calls to the LLVM dialect. The kernels of a device
/// become its image.
static LogicalResult targetStage(Variant &c) {
  const Target &target = targetOf(*c.machine);
  if (target.hasImage())
    c.host = ModuleOp::create(c.module.getLoc());
  if (failed(takeHostPrograms(c.module, c.host ? *c.host : c.module, c.tables)))
    return failure();
  c.tables.device = target.device();
  const MachineOptions &machine = c.machine->options;
  StagePasses pm(c), hostPm(c);
  pm.addPass(
      createLowerKernelAbiPass({machine.machine, machine.vectorBits, machine.f32Products, machine.targetTriple}));
  pm.addPass(createKernelsToLLVMPass({machine.machine, machine.vectorBits, machine.f32Products, machine.targetTriple}));
  hostPm.addPass(createKernelsToLLVMPass({c.options.cpu, /*vectorBits=*/0, "exact", c.options.targetTriple}));
  if (failed(pm.run(c.module)))
    return failure();
  if (!target.hasImage())
    return success();
  if (failed(verify(c.module)) || failed(hostPm.run(*c.host)) || failed(verify(*c.host)))
    return failure();
  FailureOr<CodeImage> image = target.translate(c.module, *c.machine);
  if (succeeded(image))
    c.tables.images.push_back({c.machine->cpu, image->kind, std::move(image->bytes)});
  return image;
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

using Stage = LogicalResult (*)(Variant &);
static constexpr std::pair<StringRef, Stage> stages[] = {
    {"expand", expandStage},       {"gradient", gradientStage}, {"fuse", fuseStage},     {"pattern", patternStage},
    {"partition", partitionStage}, {"tile", tileStage},         {"memory", memoryStage}, {"kernel", kernelStage},
    {"target", targetStage},       {"emit", nullptr}, // runs once for all machines
};

ArrayRef<StringRef> xf::stageNames() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(stages, [](auto &stage) { return stage.first; });
  return names;
}

/// Creates a variant for each machine except the first, with a copy of the module. Sets the tables of all variants.
static void separate(Variants &variants, ArrayRef<MachineRef> machines) {
  for (const MachineRef &machine : machines.drop_front()) {
    Variant &variant = variants.emplace_back(Variant{variants.front().module, variants.front().options, machine});
    variant.copy = variant.module.clone();
    variant.module = *variant.copy;
  }
  for (Variant &variant : variants) {
    variant.tables = variants.front().tables;
    variant.tables.features = variant.machine->requiredFeatures;
  }
}

/// Verifies that each function is a rank's share, if the mesh has several ranks. This need not be so, because a program
/// may enter the pipeline after the stage `partition`, which builds the shares. Fails after an error.
static LogicalResult verifyShares(ModuleOp module) {
  MeshAttr mesh = meshOf(module);
  if (!mesh || llvm::all_of(mesh.getSizes(), [](int64_t ranks) { return ranks == 1; }))
    return success();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !xft::isKernel(function) && !xft::isEntry(function) &&
        !function->hasAttr(kShareAttrName))
      return function.emitError("expected a rank's share of a program for ") << mesh << ", got one of all ranks";
  return success();
}

static FailureOr<Compiled> runStages(ModuleOp module, const CompileOptions &options) {
  FailureOr<SmallVector<MachineRef, 1>> machines = findMachines(module, options);
  if (failed(machines))
    return failure();
  module.getContext()->loadAllAvailableDialects(); // stages build ops of dialects that the program may not use
  if (options.exactWeights)
    module.walk([](AttentionOp op) { op.setExactWeights(true); });
  bool started = options.startFrom.empty();
  if (options.errorOnReshard && started && !meshOf(module))
    return module.emitError("expected a mesh, among whose ranks operands may be gathered (error-on-reshard), got a "
                            "program without one");
  if (options.keysOrder)
    module->setAttr(kKeysOrderAttrName, UnitAttr::get(module.getContext()));
  if (MeshAttr mesh = meshOf(module); mesh && started && !hasKeysOrder(module))
    dropAxesOfOneRank(module, mesh); // before the hash, so that also the object is that of a program without them
  Variants variants;
  variants.push_back({module, options, machines->front(), *machines});
  ModelTables &tables = variants.front().tables;
  tables.name = options.modelName;
  tables.symbol = cIdentifier(options.modelName);
  tables.contentHash = hashOf(module, *machines, options);
  Compiled result;
  if (started && failed(checkProgram(module)))
    return failure();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    auto [name, run] = stage;
    if (name == "tile") {
      if (failed(verifyShares(module)))
        return failure();
      separate(variants, *machines);
    }
    started |= name == options.startFrom;
    if (!started)
      continue;
    StageClock::Scope scope(options.clock, name);
    if (!run && failed(emitVariants(variants, result)))
      return failure();
    for (Variant &variant : variants)
      if ((run && (failed(run(variant)) || failed(verify(variant.module)))) ||
          (!options.dumpStages.empty() && failed(dump(variant, variants.size() == 1, number, name))))
        return failure();
    bool isLast = name == options.stopAfter || (options.emit == EmitKind::MLIR && name == "target");
    if (isLast)
      break;
  }
  if (options.emit == EmitKind::MLIR || !options.stopAfter.empty())
    result.bytes = textOf(variants);
  return result;
}

FailureOr<Compiled> xf::compile(ModuleOp module, const CompileOptions &options) {
  FailureReasons reasons(module.getContext());
  FailureOr<Compiled> compiled = runStages(module, options);
  if (failed(compiled))
    reasons.require(module.getLoc(), "the compiler");
  return compiled;
}
