//===- Pipeline.cpp - From a module to an object, as a story -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/Pipeline.h"
#include "compiler/Emit/Header.h"
#include "compiler/Emit/Identifiers.h"
#include "compiler/Emit/ModelTables.h"
#include "compiler/Fuse/Passes.h"
#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Memory/CheckBuffers.h"
#include "compiler/Memory/PlanArena.h"
#include "compiler/Pattern/SolvePatterns.h"
#include "compiler/Pipeline/CheckProgram.h"
#include "compiler/Support/Machine.h"
#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/ExpandKernels.h"
#include "compiler/Tile/Passes.h"
#include "dialects/xf/IR/XfOps.h"
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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::xf;

void xf::registerForCompiling(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect, XfDialect, xft::XftDialect>();
  registerGradientModels(registry);
  cpu::registerCodeGen(registry);
}

namespace {
/// What the stages share.
struct Compilation {
  ModuleOp module;
  const CompileOptions &options;
  Machine machine;
  ModelTables tables;
  Compiled result;
};
} // namespace

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Functions that nobody asked for become private, and go where nothing differentiates them.
static LogicalResult selectEntries(ModuleOp module, ArrayRef<std::string> entries) {
  if (entries.empty())
    return success();
  for (StringRef entry : entries)
    if (!module.lookupSymbol<func::FuncOp>(entry))
      return module.emitError("expected the name of an entry, got '") << entry << "'";
  for (auto function : module.getOps<func::FuncOp>())
    llvm::is_contained(entries, function.getName()) ? function.setPublic() : function.setPrivate();
  return success();
}

/// Derivatives first: everything after works on forward and backward alike. Functions that were there to be
/// differentiated have served.
static LogicalResult gradientStage(Compilation &c) {
  if (failed(selectEntries(c.module, c.options.entries)))
    return failure();
  GradientPassOptions options;
  options.entries.assign(c.options.vjpEntries.begin(), c.options.vjpEntries.end());
  PassManager pm(c.module.getContext());
  pm.addPass(createGradientPass(options));
  pm.addPass(createSymbolDCEPass());
  return pm.run(c.module);
}

/// Rewrites that pay on every target, while ops still say what they mean.
static LogicalResult fuseStage(Compilation &c) {
  PassManager pm(c.module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createFusePass());
  pm.addPass(createCSEPass());
  return pm.run(c.module);
}

/// Patterns are solved on the graph, before anything depends on how they run.
static LogicalResult patternStage(Compilation &c) {
  PassManager pm(c.module.getContext());
  pm.addPass(createSolvePatternsPass());
  return pm.run(c.module);
}

/// The last stage that sees tensors: launches of kernels, one kernel per structural key.
static LogicalResult tileStage(Compilation &c) { return tileProgram(c.module, c.machine); }

/// Needs the final list of launches, because lifetimes are counted in launches.
static LogicalResult memoryStage(Compilation &c) {
  for (auto host : c.module.getOps<func::FuncOp>())
    if (xft::isEntry(host) && (failed(checkBuffers(host)) || failed(planArena(host))))
      return failure();
  return success();
}

/// The bytes of every constant of the module, in one blob.
static ConstantOffsets collectConstants(ModuleOp module, std::string &bytes) {
  ConstantOffsets offsets;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    bytes.resize(llvm::alignTo(bytes.size(), 64));
    offsets[global.getSymName()] = bytes.size();
    auto value = cast<DenseElementsAttr>(*global.getInitialValue());
    if (value.getElementType().isInteger(1))
      for (bool element : value.getValues<bool>())
        bytes.push_back(element);
    else if (value.isSplat()) // raw data holds one element
      for (int64_t n = 0; n < value.getNumElements(); ++n)
        bytes.append(value.getRawData().begin(), value.getRawData().end());
    else
      bytes.append(value.getRawData().begin(), value.getRawData().end());
  }
  return offsets;
}

/// Host programs leave the module as tables; what stays is kernels and prepare functions, as vector code and then in
/// the LLVM dialect.
static LogicalResult targetStage(Compilation &c) {
  ConstantOffsets constants = collectConstants(c.module, c.tables.constants);
  HeldForms held = HeldForms::of(c.module);
  c.tables.heldCount = held.forms.size();
  c.tables.heldBytes = held.bytes;
  SmallVector<func::FuncOp> hosts;
  for (auto function : c.module.getOps<func::FuncOp>())
    if (xft::isEntry(function))
      hosts.push_back(function);
  for (func::FuncOp host : hosts) {
    FailureOr<HostTable> table = buildHostTable(host, constants, held);
    if (failed(table))
      return failure();
    c.tables.entries.push_back(std::move(*table));
  }
  for (func::FuncOp host : hosts)
    host.erase();
  for (auto global : llvm::make_early_inc_range(c.module.getOps<memref::GlobalOp>()))
    global.erase();
  return success(succeeded(cpu::expandKernels(c.module, c.machine)) && succeeded(cpu::lowerToLLVM(c.module)));
}

static LogicalResult emitStage(Compilation &c) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = cpu::translateToLLVM(c.module, c.machine, context);
  if (!module)
    return c.module.emitError("expected a module that translates to LLVM IR");
  emitModelTables(c.tables, *module);
  if (c.options.emit == EmitKind::Shared)
    emitSharedModel(c.tables, *module);
  c.result.header = emitHeader(c.tables);
  if (c.options.emit == EmitKind::LLVM) {
    llvm::raw_string_ostream(c.result.bytes) << *module;
    return success();
  }
  auto kind =
      c.options.emit == EmitKind::Assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  SmallVector<char, 0> output;
  std::string error;
  if (failed(cpu::generateCode(*module, c.machine, c.options.optLevel, kind, output, error)))
    return c.module.emitError() << error;
  c.result.bytes.assign(output.begin(), output.end());
  return success();
}

//===----------------------------------------------------------------------===//
// The story
//===----------------------------------------------------------------------===//

using Stage = LogicalResult (*)(Compilation &);
static constexpr std::pair<StringRef, Stage> stages[] = {
    {"gradient", gradientStage}, {"fuse", fuseStage},     {"pattern", patternStage}, {"tile", tileStage},
    {"memory", memoryStage},     {"target", targetStage}, {"emit", emitStage},
};

ArrayRef<StringRef> xf::stageNames() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(stages, [](auto &stage) { return stage.first; });
  return names;
}

static LogicalResult dump(ModuleOp module, StringRef folder, size_t number, StringRef stage) {
  SmallString<256> path(folder);
  std::error_code error = llvm::sys::fs::create_directories(folder);
  llvm::sys::path::append(path, llvm::utostr(number) + "-" + stage + ".mlir");
  if (!error) {
    llvm::raw_fd_ostream os(path, error);
    module.print(os);
    os.flush();
    if (!error)
      error = os.error();
    os.clear_error();
  }
  if (error)
    return module.emitError("expected to write '") << path << "': " << error.message();
  return success();
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

FailureOr<Compiled> xf::compile(ModuleOp module, const CompileOptions &options) {
  FailureOr<Machine> machine = Machine::get(options.cpu, options.vectorBits);
  if (failed(machine))
    return module.emitError("expected the name of a CPU that LLVM knows, got '") << options.cpu << "'";
  module.getContext()->loadAllAvailableDialects(); // stages build ops of dialects that the program need not mention
  Compilation c{module, options, *machine, {}, {}};
  c.tables.name = options.modelName;
  c.tables.symbol = cIdentifier(options.modelName);
  c.tables.features = machine->requiredFeatures;
  c.tables.contentHash = llvm::utohexstr(
      llvm::xxh3_64bits(textOf(module) + machine->cpu + machine->features + std::to_string(options.optLevel) + "/" + std::to_string(options.vectorBits)), true,
      16);
  bool started = options.startFrom.empty();
  if (started && failed(checkProgram(module)))
    return failure();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    started |= stage.first == options.startFrom;
    if (!started)
      continue;
    if (failed(stage.second(c)) || failed(verify(module)))
      return failure();
    if (!options.dumpStages.empty() && failed(dump(module, options.dumpStages, number, stage.first)))
      return failure();
    bool isLast = stage.first == options.stopAfter || (options.emit == EmitKind::MLIR && stage.first == "target");
    if (isLast)
      break;
  }
  if (options.emit == EmitKind::MLIR || !options.stopAfter.empty())
    c.result.bytes = textOf(module) + "\n";
  return c.result;
}
