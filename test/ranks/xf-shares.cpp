//===- xf-shares.cpp - Do several ranks compute what one does? ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xf-shares PROGRAM [--mpi] [--gpu=NAME [--nccl [--gpus=N]]] [--seed=N] [--runs=N] [--dynamic-size=N,..]
//             [--deviation=D] [--tolerance=T] [--meaning-tolerance=T] [--least=L] [--keys-order] [--run-lengths=N,..]
//
// Compiles every program of a file (which `// -----` separates) twice, for the ranks of its mesh and without one, and
// runs the first public function: on one rank with random arguments, and on all ranks with their shares of these.
// Results of ranks are compared with their shares of those of one rank. Ranks are threads, whose messages arrive in
// orders that the seed draws, or, with --mpi, processes: each then runs this program.
//
// Of several sizes all ranks call one handle with each, one after the other.
//
// What the share of a rank means is compared too, by the reference interpreter in f64, with what the program does.
//
// With --keys-order both programs add in that order, the one of one rank has a mesh whose axes have one rank, and all
// bits are equal.
//
// Floating-point arguments are normals of a deviation, states their magnitudes, integers are drawn from `xf.range`, or
// count runs of given lengths. The error is relative to the largest element of a rank's result, or to L if that is
// more: a gradient that is 0 but for rounding has no digits to compare. Of several runs, in which messages of threads
// arrive in other orders, all have the same bits.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/FactorShardings.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "test/ranks/LocalNetwork.h"
#include "test/reference/Interpreter.h"
#include "test/reference/RankRules.h"
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
static llvm::cl::opt<std::string> gpu("gpu", llvm::cl::desc("run on GPUs of this name"));
static llvm::cl::opt<bool> nccl("nccl", llvm::cl::desc("let GPUs send messages by NCCL"));
static llvm::cl::opt<int32_t> gpus("gpus", llvm::cl::init(1),
                                   llvm::cl::desc("of this machine that ranks have in turn"));
static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of arguments and delays"));
static llvm::cl::opt<double> tolerance("tolerance", llvm::cl::init(1e-12), llvm::cl::desc("relative to the largest"));
static llvm::cl::opt<double> meaningTolerance("meaning-tolerance", llvm::cl::init(1e-12),
                                              llvm::cl::desc("of meanings"));
static llvm::cl::opt<double> least("least", llvm::cl::init(0), llvm::cl::desc("that errors are relative to"));
static llvm::cl::opt<double> deviation("deviation", llvm::cl::init(1), llvm::cl::desc("of arguments"));
static llvm::cl::list<int64_t> dynamicSizes("dynamic-size", llvm::cl::CommaSeparated,
                                            llvm::cl::desc("of every dynamic size, in one call after the other"));

static llvm::cl::list<int64_t> runLengths("run-lengths", llvm::cl::CommaSeparated,
                                          llvm::cl::desc("of equal integers, 0, 1, .., in each row of an argument"));
static llvm::cl::opt<bool> keysOrder("keys-order", llvm::cl::desc("compare the bits of results in the order `keys`"));
static llvm::cl::opt<unsigned> runs("runs", llvm::cl::init(1), llvm::cl::desc("on all ranks, with the same bits"));

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The number of the run that an element of a row is in; the runs repeat.
static int64_t numberOfRun(int64_t element) {
  for (int64_t number = 0;; ++number) {
    element -= runLengths[size_t(number) % runLengths.size()];
    if (element < 0)
      return number;
  }
}

static Tensor randomTensor(func::FuncOp function, unsigned number, int64_t dynamicSize, std::mt19937_64 &random) {
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
  for (size_t n = 0, row = shape.empty() ? 1 : size_t(shape.back()); !runLengths.empty() && n < tensor.integers.size();
       ++n)
    tensor.integers[n] = numberOfRun(int64_t(n % row));
  for (int64_t &element : tensor.integers) // of targets, what counts for nothing
    element = element < 0 && range && range[0] == -100 ? -100 : element;
  return tensor;
}

/// The part of dimension d that a rank has: its number, and how many there are.
static std::pair<int64_t, int64_t> placeOf(MeshAttr mesh, ArrayAttr axes, int64_t rank) {
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
  Tensor share = tensor;
  for (size_t d = 0; sharding && d < tensor.shape.size(); ++d) {
    auto [part, parts] = placeOf(mesh, sharding.getDims()[d], rank);
    share = reference::partOf(share, int64_t(d), part, parts, sharding.chunksOf(d));
  }
  return share;
}

static double differenceOf(const Tensor &found, const Tensor &expected, bool haveSameOrder = false) {
  if (found.shape != expected.shape)
    return INFINITY;
  if (haveSameOrder) {
    auto haveSameBits = [](double x, double y) { return std::isfinite(x) && std::memcmp(&x, &y, sizeof(x)) == 0; };
    return std::equal(found.reals.begin(), found.reals.end(), expected.reals.begin(), haveSameBits) &&
                   found.integers == expected.integers
               ? 0.0
               : INFINITY;
  }
  double most = 0, largest = least;
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
  std::vector<Tensors> arguments, expected; ///< of each call

  OwningOpRef<ModuleOp> written, share; ///< for all ranks, and for one of them

  Tensors sharesOf(const Tensors &call, int64_t rank) const;
  double differenceOf(const xfrt_communicator &communicator, int threads, int64_t &results, std::string &bits) const;
  double differenceOfMeaning() const;
  double differenceOfMeaning(const Tensors &call) const;
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

/// The program for a mesh whose axes have one rank.
static std::string withOneRank(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MeshAttr mesh = meshOf(*copy);
  SmallVector<int64_t> ones(mesh.getSizes().size(), 1);
  (*copy)->setAttr(kMeshAttrName, MeshAttr::get(copy->getContext(), mesh.getAxes(), ones));
  return textOf(*copy);
}

/// Takes the share of one rank, as the compiler does, and the shardings of the results, which it finds.
static LogicalResult takeShare(ModuleOp module, const CompileOptions &options, Trial &made) {
  made.share = module.clone();
  CompileOptions until = options;
  until.stopAfter = "partition";
  if (failed(compile(*made.share, until)))
    return failure();
  func::FuncOp function = entryOf(*made.share);
  for (unsigned n = 0; n < function.getNumResults(); ++n)
    made.resultShardings.push_back(function.getResultAttrOfType<ShardingAttr>(n, kShardingAttrName));
  return success();
}

static std::optional<Trial> prepare(ModuleOp module) {
  Trial made;
  func::FuncOp function = entryOf(module);
  CompileOptions options;
  options.modelName = "program";
  options.entries = {function.getName().str()};
  options.keysOrder = keysOrder;
  if (!gpu.empty())
    options.gpus = {gpu};
  made.mesh = meshOf(module);
  if (!made.mesh || failed(takeShare(module, options, made)))
    return std::nullopt;
  made.written = module.clone();
  made.one =
      CompiledProgram::create(keysOrder ? withOneRank(module) : withoutMesh(module), *module.getContext(), options);
  made.several = CompiledProgram::create(textOf(module), *module.getContext(), options);
  if (!made.one || !made.several)
    return std::nullopt;
  std::mt19937_64 random(seed);
  for (unsigned n = 0; n < function.getNumArguments(); ++n)
    made.argumentShardings.push_back(function.getArgAttrOfType<ShardingAttr>(n, kShardingAttrName));
  for (int64_t size : dynamicSizes.empty() ? std::vector<int64_t>{8} : std::vector<int64_t>(dynamicSizes)) {
    Tensors &arguments = made.arguments.emplace_back(), &expected = made.expected.emplace_back();
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      arguments.push_back(randomTensor(function, n, size, random));
    for (const Array &result : made.one->call(arguments))
      expected.push_back(result.toTensor());
  }
  return made;
}

Tensors Trial::sharesOf(const Tensors &call, int64_t rank) const {
  Tensors shares;
  for (auto [argument, sharding] : llvm::zip(call, argumentShardings))
    shares.push_back(shareOf(argument, sharding, mesh, rank));
  return shares;
}

/// Compares what a rank's share means, on all ranks, with what the program does, op by op in f64.
double Trial::differenceOfMeaning() const {
  double worst = 0;
  for (const Tensors &call : arguments)
    worst = std::max(worst, differenceOfMeaning(call));
  return worst;
}

double Trial::differenceOfMeaning(const Tensors &call) const {
  Interpreter interpreter;
  SmallVector<Tensors> shares;
  for (int64_t rank = 0; rank < count(mesh.getSizes()); ++rank)
    shares.push_back(sharesOf(call, rank));
  FailureOr<Tensors> whole = interpreter.evaluate(entryOf(*written), call);
  FailureOr<SmallVector<Tensors>> found = interpreter.evaluateRanks(entryOf(*share), shares);
  if (failed(whole) || failed(found))
    return INFINITY;
  double worst = 0;
  for (auto [rank, results] : llvm::enumerate(*found))
    for (auto [result, all, sharding] : llvm::zip(results, *whole, resultShardings))
      worst = std::max(worst, ::differenceOf(result, shareOf(all, sharding, mesh, int64_t(rank))));
  return worst;
}

double Trial::differenceOf(const xfrt_communicator &communicator, int threads, int64_t &results,
                           std::string &bits) const {
  double worst = 0;
  xfrt_communicator byNccl = {};
  if (nccl && xfrt_open_nccl(&communicator, communicator.rank % gpus, 0, &byNccl) != XFRT_OK)
    llvm::report_fatal_error(xfrt_message(nullptr), /*gen_crash_diag=*/false);
  std::vector<Tensors> shares;
  for (const Tensors &call : arguments)
    shares.push_back(sharesOf(call, communicator.rank));
  std::vector<std::vector<Array>> calls = several->callInTurn(shares, threads, 0, nccl ? &byNccl : &communicator);
  if (nccl)
    byNccl.close(&byNccl);
  for (auto [found, whole] : llvm::zip(calls, expected)) {
    for (auto [result, all, sharding] : llvm::zip(found, whole, resultShardings))
      worst = std::max(worst,
                       ::differenceOf(result.toTensor(), shareOf(all, sharding, mesh, communicator.rank), keysOrder));
    results = int64_t(found.size());
    for (const Array &result : found)
      bits.append(result.bytes.data(), result.bytes.size());
  }
  return worst;
}

namespace {
/// Bytes and messages of one rank, headers and agreement among them.
struct Sent {
  int64_t bytes = 0, messages = 0;

  auto operator<=>(const Sent &) const = default;
  std::string text() const { return std::to_string(messages) + " messages, " + std::to_string(bytes) + " bytes sent"; }
};
} // namespace

/// Runs a program once as all ranks. Returns the worst difference, what the rank sends that sends most, and the bits
/// of all results.
static double compareThreads(const Trial &trial, uint64_t seed, int threads, int64_t &results, Sent &most,
                             std::string &bits) {
  xfrt::NetworkOptions options;
  for (int64_t size : trial.mesh.getSizes())
    options.ranks *= int32_t(size);
  options.seed = seed;
  options.mostDelay = 100000;
  setenv("XF_SIM_NCCL_SEED", std::to_string(seed).c_str(), 1);
  xfrt::LocalNetwork network(options);
  std::vector<double> worst(size_t(options.ranks), 0.0);
  std::vector<int64_t> counts(size_t(options.ranks), 0);
  std::vector<std::string> found(size_t(options.ranks));
  network.run([&](const xfrt_communicator &communicator) {
    auto rank = size_t(communicator.rank);
    worst[rank] = trial.differenceOf(communicator, threads, counts[rank], found[rank]);
  });
  results = counts.front();
  for (int32_t rank = 0; rank < options.ranks; ++rank)
    most = std::max(most, Sent{network.bytesSent(rank), network.messagesSent(rank)});
  for (const std::string &part : found)
    bits += part;
  return *std::max_element(worst.begin(), worst.end());
}

/// Runs a program as this process' rank, or as all ranks. Returns the worst difference, also between runs.
static double compare(const Trial &trial, const xfrt_communicator *process, int64_t &results, Sent &most) {
  double worst = 0;
  std::string first;
  for (unsigned run = 0; run < runs; ++run) {
    std::string bits;
    worst = std::max(worst, process ? trial.differenceOf(*process, 1, results, bits)
                                    : compareThreads(trial, seed + run, 1 + int(run), results, most, bits));
    if (run > 0 && bits != first)
      return INFINITY;
    first = std::move(bits);
  }
  return worst;
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
    Sent most;
    double worst = compare(*trial, isMpi ? &process : nullptr, results, most);
    double meaning = trial->differenceOfMeaning();
    bool isRight = results > 0 && worst <= tolerance && meaning <= meaningTolerance;
    wrong += !isRight;
    if (isMpi && process.rank != 0 && isRight)
      continue; // one of them says so
    llvm::outs() << entryOf(*module).getName() << " on " << trial->mesh << ": " << results
                 << " results, worst difference " << llvm::format("%.1e", worst) << ", of meanings "
                 << llvm::format("%.1e", meaning) << (isMpi ? "" : ", " + most.text())
                 << (isRight ? ": right" : ": wrong") << "\n";
    llvm::outs().flush();
  }
  if (isMpi)
    process.close(&process);
  return wrong != 0;
}
