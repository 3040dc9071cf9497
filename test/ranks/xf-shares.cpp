//===- xf-shares.cpp - Do several ranks compute what one does? ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xf-shares PROGRAM [--mpi] [--seed=N] [--tolerance=T] [--dynamic-size=N]
//
// Compiles every program of a file (which `// -----` separates) twice, for the ranks of its mesh and without one, and
// runs the first public function: on one rank with random arguments, and on all ranks with their shares of these.
// Results of ranks are compared with their shares of those of one rank. Ranks are threads, whose messages arrive in
// orders that the seed draws, or, with --mpi, processes: each then runs this program.
//
// Floating-point arguments are normals of a deviation, states their magnitudes, integers are drawn from `xf.range`. The
// error is relative to the largest element of a result.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/LetterShardings.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "test/ranks/LocalNetwork.h"
#include "test/support/CompiledProgram.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;
using xftest::Array;
using xftest::CompiledProgram;

static llvm::cl::opt<std::string> path(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("PROGRAM"));
static llvm::cl::opt<bool> isMpi("mpi", llvm::cl::desc("be one rank of MPI"));
static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of arguments and delays"));
static llvm::cl::opt<double> tolerance("tolerance", llvm::cl::init(1e-12), llvm::cl::desc("relative to the largest"));
static llvm::cl::opt<double> deviation("deviation", llvm::cl::init(1), llvm::cl::desc("of arguments"));
static llvm::cl::opt<int64_t> dynamicSize("dynamic-size", llvm::cl::init(8), llvm::cl::desc("of every dynamic size"));

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static Tensor randomTensor(func::FuncOp function, unsigned number, std::mt19937_64 &random) {
  auto type = cast<RankedTensorType>(function.getArgumentTypes()[number]);
  auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "xf.range");
  bool isState = function.getArgAttr(number, "xf.state") != nullptr;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape)
    size = ShapedType::isDynamic(size) ? dynamicSize : size;
  Tensor tensor = Tensor::zeros(type.getElementType(), shape);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int64_t> integer(range ? range[0] : 0, range ? range[1] : 3);
  for (double &element : tensor.reals)
    element = roundTo(tensor.elementType, deviation * normal(random));
  for (double &element : tensor.reals)
    element = isState ? std::abs(element) : element;
  for (int64_t &element : tensor.integers)
    element = integer(random);
  return tensor;
}

/// The part of dimension d that a rank has: its number, and how many there are.
static std::pair<int64_t, int64_t> partOf(MeshAttr mesh, ArrayAttr axes, int64_t rank) {
  int64_t part = 0, parts = 1;
  for (StringAttr axis : axes.getAsRange<StringAttr>()) {
    int64_t behind = 1, size = *mesh.getSize(axis.getValue());
    for (size_t n = llvm::find(mesh.getAxes(), axis) - mesh.getAxes().begin() + 1; n < mesh.getAxes().size(); ++n)
      behind *= mesh.getSizes()[n];
    part = part * size + rank / behind % size;
    parts *= size;
  }
  return {part, parts};
}

/// A rank's share of a tensor.
static Tensor shareOf(const Tensor &tensor, ShardingAttr sharding, MeshAttr mesh, int64_t rank) {
  SmallVector<int64_t> shape(tensor.shape), first(shape.size());
  for (size_t d = 0; sharding && d < shape.size(); ++d) {
    auto [part, parts] = partOf(mesh, sharding.getDims()[d], rank);
    shape[d] /= parts;
    first[d] = part * shape[d];
  }
  Tensor share = Tensor::zeros(tensor.elementType, shape);
  for (int64_t n = 0; n < share.size(); ++n) {
    SmallVector<int64_t> at = coordinates(n, shape);
    for (size_t d = 0; d < shape.size(); ++d)
      at[d] += first[d];
    int64_t from = linearIndex(at, tensor.shape);
    if (tensor.isReal())
      share.reals[n] = tensor.reals[from];
    else
      share.integers[n] = tensor.integers[from];
  }
  return share;
}

static double differenceOf(const Tensor &found, const Tensor &expected) {
  if (found.shape != expected.shape)
    return INFINITY;
  double most = 0, largest = 0;
  for (auto [x, y] : llvm::zip(found.reals, expected.reals)) {
    if (!std::isfinite(x) || !std::isfinite(y)) // which would compare equal to anything
      return INFINITY;
    most = std::max(most, std::abs(x - y));
    largest = std::max(largest, std::abs(y));
  }
  for (auto [x, y] : llvm::zip(found.integers, expected.integers))
    most = std::max(most, x == y ? 0.0 : INFINITY);
  return largest > 0 ? most / largest : most;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// One program, its arguments and what one rank computes.
struct Trial {
  std::unique_ptr<CompiledProgram> one, several;
  MeshAttr mesh;
  SmallVector<ShardingAttr> argumentShardings, resultShardings;
  Tensors arguments, expected;

  double differenceOf(const xfrt_communicator &communicator, int64_t &results) const;
};
} // namespace

/// The function that is compiled: the first public one.
static func::FuncOp entryOf(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return *module.getOps<func::FuncOp>().begin();
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

/// The program without its mesh.
static std::string withoutMesh(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  (*copy)->removeAttr(kMeshAttrName);
  StringAttr name = StringAttr::get(copy->getContext(), kShardingAttrName);
  for (auto function : copy->getOps<func::FuncOp>()) {
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      function.removeArgAttr(n, name);
    for (unsigned n = 0; n < function.getNumResults(); ++n)
      function.removeResultAttr(n, name);
  }
  return textOf(*copy);
}

/// The shardings of the results of the compiled function, which the compiler finds.
static FailureOr<SmallVector<ShardingAttr>> findResults(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  CompileOptions until = options;
  until.stopAfter = "partition";
  if (failed(compile(*copy, until)))
    return failure();
  func::FuncOp function = entryOf(*copy);
  SmallVector<ShardingAttr> shardings;
  for (unsigned n = 0; n < function.getNumResults(); ++n)
    shardings.push_back(function.getResultAttrOfType<ShardingAttr>(n, kShardingAttrName));
  return shardings;
}

static std::optional<Trial> prepare(ModuleOp module) {
  Trial made;
  func::FuncOp function = entryOf(module);
  CompileOptions options;
  options.modelName = "program";
  options.entries = {function.getName().str()};
  made.mesh = meshOf(module);
  FailureOr<SmallVector<ShardingAttr>> results = findResults(module, options);
  if (!made.mesh || failed(results))
    return std::nullopt;
  made.resultShardings = *results;
  made.one = CompiledProgram::create(withoutMesh(module), *module.getContext(), options);
  made.several = CompiledProgram::create(textOf(module), *module.getContext(), options);
  if (!made.one || !made.several)
    return std::nullopt;
  std::mt19937_64 random(seed);
  for (BlockArgument argument : function.getArguments()) {
    unsigned n = argument.getArgNumber();
    made.argumentShardings.push_back(function.getArgAttrOfType<ShardingAttr>(n, kShardingAttrName));
    made.arguments.push_back(randomTensor(function, n, random));
  }
  for (const Array &result : made.one->call(made.arguments))
    made.expected.push_back(result.toTensor());
  return made;
}

double Trial::differenceOf(const xfrt_communicator &communicator, int64_t &results) const {
  Tensors shares;
  for (auto [argument, sharding] : llvm::zip(arguments, argumentShardings))
    shares.push_back(shareOf(argument, sharding, mesh, communicator.rank));
  double worst = 0;
  std::vector<Array> found = several->call(shares, 1, 0, &communicator);
  for (auto [result, whole, sharding] : llvm::zip(found, expected, resultShardings))
    worst = std::max(worst, ::differenceOf(result.toTensor(), shareOf(whole, sharding, mesh, communicator.rank)));
  results = int64_t(found.size());
  return worst;
}

/// Runs a program as this process' rank, or as all ranks. Returns the worst difference.
static double compare(const Trial &trial, const xfrt_communicator *process, int64_t &results) {
  if (process)
    return trial.differenceOf(*process, results);
  xfrt::NetworkOptions options;
  for (int64_t size : trial.mesh.getSizes())
    options.ranks *= int32_t(size);
  options.seed = seed;
  options.mostDelay = 100000;
  xfrt::LocalNetwork network(options);
  std::vector<double> worst(size_t(options.ranks), 0.0);
  std::vector<int64_t> counts(size_t(options.ranks), 0);
  network.run([&](const xfrt_communicator &communicator) {
    auto rank = size_t(communicator.rank);
    worst[rank] = trial.differenceOf(communicator, counts[rank]);
  });
  results = counts.front();
  return *std::max_element(worst.begin(), worst.end());
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << path << ": " << file.getError().message() << "\n";
    return 1;
  }
  xfrt_communicator process;
  if (isMpi && xfrt_open_communicator(nullptr, &process) != XFRT_OK) {
    llvm::errs() << xfrt_message(nullptr) << "\n";
    return 1;
  }
  SmallVector<StringRef> programs;
  (*file)->getBuffer().split(programs, "// -----");
  int wrong = 0;
  for (StringRef text : programs) {
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context), path);
    std::optional<Trial> trial = module ? prepare(*module) : std::nullopt;
    if (!trial)
      return 1;
    int64_t results = 0;
    double worst = compare(*trial, isMpi ? &process : nullptr, results);
    bool isRight = results > 0 && worst <= tolerance;
    wrong += !isRight;
    if (isMpi && process.rank != 0 && isRight)
      continue; // one of them says so
    llvm::outs() << entryOf(*module).getName() << " on " << trial->mesh << ": " << results
                 << " results, worst difference " << llvm::format("%.1e", worst) << (isRight ? ": right" : ": wrong")
                 << "\n";
    llvm::outs().flush();
  }
  if (isMpi)
    process.close(&process);
  return wrong != 0;
}
