//===- Pipeline.cpp - From a module to an object --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/Pipeline.h"
#include "compiler/Emit/Header.h"
#include "compiler/Emit/Identifiers.h"
#include "compiler/Emit/ModelTables.h"
#include "compiler/Expand/Passes.h"
#include "compiler/Fuse/Passes.h"
#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Memory/CheckBuffers.h"
#include "compiler/Memory/PlanArena.h"
#include "compiler/Pattern/SolvePatterns.h"
#include "compiler/Pipeline/CheckProgram.h"
#include "compiler/Support/Machine.h"
#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/Target.h"
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
#include "llvm/Linker/Linker.h"
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
  for (const Target *target : allTargets())
    target->registerDialects(registry);
}

namespace {
/// The module, machine and tables of one variant of the code. Until `tile`, one variant stands for all machines.
struct Variant {
  ModuleOp module;
  const CompileOptions &options;
  Machine machine;
  ModelTables tables = {};
  OwningOpRef<ModuleOp> copy = nullptr; ///< owns `module`, except for the caller's
  OwningOpRef<ModuleOp> host = nullptr; ///< of a GPU variant: its functions that run on the CPU
};
using Variants = SmallVector<Variant, 1>;
} // namespace

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Makes functions that are not requested entries private; symbol-dce removes the unused ones after differentiation.
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

/// Lowers ops that abbreviate other ops. Runs first, so that derivatives are those of the other ops.
static LogicalResult expandStage(Variant &c) {
  PassManager pm(c.module.getContext());
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
  PassManager pm(c.module.getContext());
  pm.addPass(createGradientPass(options));
  pm.addPass(createSymbolDCEPass());
  return pm.run(c.module);
}

/// Runs rewrites that are profitable on every target, while ops are still high-level.
static LogicalResult fuseStage(Variant &c) {
  PassManager pm(c.module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createFusePass());
  pm.addPass(createCSEPass());
  return pm.run(c.module);
}

/// Solves patterns on the graph, before anything depends on how kernels execute them.
static LogicalResult patternStage(Variant &c) {
  PassManager pm(c.module.getContext());
  pm.addPass(createSolvePatternsPass());
  return pm.run(c.module);
}

/// Turns tensors into buffers and ops into launches of kernels, one kernel per structural key.
static LogicalResult tileStage(Variant &c) { return tileProgram(c.module, *createTileModel(c.machine)); }

/// Plans the arena. Runs on the final list of launches, because lifetimes are counted in launches.
static LogicalResult memoryStage(Variant &c) {
  for (auto host : c.module.getOps<func::FuncOp>())
    if (xft::isEntry(host) && (failed(checkBuffers(host)) || failed(planArena(host))))
      return failure();
  return success();
}

/// Appends the bytes of every constant of the module to one blob, and returns their offsets.
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

/// Converts host programs to tables and erases them, then compiles the remaining kernels and prepare functions to
/// vector code and the LLVM dialect.
static LogicalResult targetStage(Variant &c) {
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
  const Target &target = targetOf(c.machine);
  TargetCode code;
  if (failed(target.compileKernels(c.module, c.machine, code)) || (code.host && failed(cpu::lowerToLLVM(*code.host))))
    return failure();
  c.host = std::move(code.host);
  c.tables.device = target.device();
  if (code.image)
    c.tables.images.push_back({c.machine.cpu, code.image->kind, std::move(code.image->bytes)});
  for (HostTable &entry : c.tables.entries)
    for (HostTable::Launch &launch : entry.launches)
      if (auto found = code.launches.find(launch.kernel); found != code.launches.end()) {
        launch.threads = found->second.threads;
        launch.sharedBytes = found->second.sharedBytes;
      }
  return success();
}

/// Prepares a module for linking with those of other machines: makes the names of functions unique, and their linkage
/// external, because the linker drops local functions without callers.
static void makeLinkable(llvm::Module &module, ModelTables &tables, StringRef cpu) {
  std::string suffix = ("." + cpu).str();
  llvm::replace(suffix, '-', '_'); // assemblers would parse '-' as a subtraction
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.setName(function.getName() + suffix);
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  for (HostTable &entry : tables.entries) {
    if (!entry.prepare.empty())
      entry.prepare += suffix;
    if (tables.device == XFRT_CPU) // kernels of other devices keep the names in their image
      for (HostTable::Launch &launch : entry.launches)
        launch.kernel += suffix;
  }
}

/// Links the code for all machines into one module; functions keep the target attributes of their machine.
static std::unique_ptr<llvm::Module> translate(MutableArrayRef<Variant> variants, llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> whole;
  const Machine &cpu = variants.front().machine;
  for (Variant &variant : variants) {
    std::unique_ptr<llvm::Module> module = variant.host
                                               ? cpu::translateToLLVM(*variant.host, cpu, context)
                                               : cpu::translateToLLVM(variant.module, variant.machine, context);
    if (!module)
      return nullptr;
    if (variants.size() > 1)
      makeLinkable(*module, variant.tables, variant.machine.cpu);
    if (!whole)
      whole = std::move(module);
    else if (llvm::Linker::linkModules(*whole, std::move(module)))
      return nullptr;
  }
  for (llvm::Function &function : *whole)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage); // two models may hold the same kernel
  return whole;
}

/// Assembles the image of each device ahead of time, so that no driver has to compile it at load time.
static LogicalResult assembleImages(MutableArrayRef<Variant> variants) {
  for (Variant &variant : variants) {
    if (variant.tables.images.empty())
      continue;
    const Image &image = variant.tables.images.front();
    FailureOr<std::optional<CodeImage>> assembled =
        targetOf(variant.machine).assemble(variant.module, image.bytes, variant.machine, variant.options.ptxas);
    if (failed(assembled))
      return failure();
    if (*assembled)
      variant.tables.images.push_back({variant.machine.cpu, (*assembled)->kind, std::move((*assembled)->bytes)});
  }
  return success();
}

static LogicalResult emit(MutableArrayRef<Variant> variants, Compiled &result) {
  const Variant &first = variants.front();
  const CompileOptions &options = first.options;
  bool holdsImages = options.emit != EmitKind::PTX && options.emit != EmitKind::Header;
  if (holdsImages && !options.ptxas.empty() && failed(assembleImages(variants)))
    return failure();
  if (isDeviceCode(options.emit)) {
    result.bytes = first.tables.images.back().bytes;
    return success();
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translate(variants, context);
  if (!module)
    return first.module->emitError("expected a module that translates to LLVM IR");
  auto tables = llvm::map_to_vector(variants, [](Variant &variant) { return std::move(variant.tables); });
  emitModelTables(tables, *module);
  if (options.emit == EmitKind::Shared)
    emitSharedModel(tables.front(), *module);
  result.header = emitHeader(tables);
  if (options.emit == EmitKind::LLVM) {
    llvm::raw_string_ostream(result.bytes) << *module;
    return success();
  }
  auto kind =
      options.emit == EmitKind::Assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  SmallVector<char, 0> output;
  std::string error;
  if (failed(cpu::generateCode(*module, first.machine, options.optLevel, kind, output, error)))
    return first.module->emitError() << error;
  result.bytes.assign(output.begin(), output.end());
  return success();
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

using Stage = LogicalResult (*)(Variant &);
static constexpr std::pair<StringRef, Stage> stages[] = {
    {"expand", expandStage},   {"gradient", gradientStage}, {"fuse", fuseStage},
    {"pattern", patternStage}, {"tile", tileStage},         {"memory", memoryStage},
    {"target", targetStage},   {"emit", nullptr}, // runs once for all machines
};

ArrayRef<StringRef> xf::stageNames() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(stages, [](auto &stage) { return stage.first; });
  return names;
}

static LogicalResult dump(const Variant &variant, bool isAlone, size_t number, StringRef stage) {
  ModuleOp module = variant.module;
  StringRef folder = variant.options.dumpStages;
  std::string name = llvm::utostr(number) + "-" + stage.str() + (isAlone ? "" : "-" + variant.machine.cpu) + ".mlir";
  SmallString<256> path(folder);
  std::error_code error = llvm::sys::fs::create_directories(folder);
  llvm::sys::path::append(path, name);
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

/// Prints the modules, separated as MLIR's tools expect several in a file.
static std::string textOf(ArrayRef<Variant> variants) {
  auto texts = llvm::map_range(variants, [](const Variant &variant) { return textOf(variant.module) + "\n"; });
  return llvm::join(texts, "\n// -----\n\n");
}

/// Returns the machines to compile for: CPUs by vector length, then in the order given, because the runtime takes the
/// last one that a processor supports; then GPUs by compute capability. Fails after an error.
static FailureOr<SmallVector<Machine, 1>> findMachines(ModuleOp module, const CompileOptions &options) {
  SmallVector<Machine, 1> machines;
  for (StringRef cpu : options.isas.empty() ? ArrayRef(options.cpu) : ArrayRef(options.isas)) {
    FailureOr<Machine> machine = Machine::get(cpu, options.vectorBits);
    if (failed(machine))
      return module.emitError("expected the name of a CPU of 64 bits that LLVM knows, got '") << cpu << "'";
    auto isNarrower = [](const Machine &a, const Machine &b) { return a.vectorBytes < b.vectorBytes; };
    machines.insert(llvm::upper_bound(machines, *machine, isNarrower), *machine);
  }
  if (isDeviceCode(options.emit))
    machines.clear();
  for (StringRef gpu : options.gpus) {
    FailureOr<Machine> machine = Machine::getGpu(gpu);
    if (failed(machine))
      return module.emitError("expected one of ")
             << llvm::join(Machine::gpuArchitectures(), ", ") << " for a GPU, got '" << gpu << "'";
    machine->f32Products = options.f32Products;
    auto isOlder = [](const Machine &a, const Machine &b) { return a.computeCapability < b.computeCapability; };
    machines.insert(llvm::upper_bound(machines, *machine, isOlder), *machine); // CPUs have no compute capability
  }
  return machines;
}

static std::string hashOf(ModuleOp module, ArrayRef<Machine> machines, const CompileOptions &options) {
  std::string text = textOf(module) + std::to_string(options.optLevel) + "/" + std::to_string(options.vectorBits);
  for (const Machine &machine : machines)
    text +=
        "/" + machine.cpu + machine.features + "/" + f32ProductsNames()[static_cast<size_t>(machine.f32Products)].str();
  return llvm::utohexstr(llvm::xxh3_64bits(text), true, 16);
}

/// Creates a variant, with its own copy of the module, for each machine.
static void separate(Variants &variants, ArrayRef<Machine> machines) {
  for (const Machine &machine : machines.drop_front()) {
    Variant &variant = variants.emplace_back(Variant{variants.front().module, variants.front().options, machine});
    variant.copy = variant.module.clone();
    variant.module = *variant.copy;
  }
  for (Variant &variant : variants) {
    variant.tables = variants.front().tables;
    variant.tables.features = variant.machine.requiredFeatures;
  }
}

FailureOr<Compiled> xf::compile(ModuleOp module, const CompileOptions &options) {
  FailureOr<SmallVector<Machine, 1>> machines = findMachines(module, options);
  if (failed(machines))
    return failure();
  module.getContext()->loadAllAvailableDialects(); // stages build ops of dialects that the program may not use
  Variants variants;
  variants.push_back({module, options, machines->front()});
  ModelTables &tables = variants.front().tables;
  tables.name = options.modelName;
  tables.symbol = cIdentifier(options.modelName);
  tables.contentHash = hashOf(module, *machines, options);
  Compiled result;
  bool started = options.startFrom.empty();
  if (started && failed(checkProgram(module)))
    return failure();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    auto [name, run] = stage;
    if (name == "tile")
      separate(variants, *machines);
    started |= name == options.startFrom;
    if (!started)
      continue;
    if (!run && failed(emit(variants, result)))
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
