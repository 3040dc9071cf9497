//===- xf-sweep.cpp - Do compiled programs compute what they should? ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xf-sweep TEMPLATE [--vjp] [--seed=N] [--cpu=NAME [--emulator=COMMAND] | --gpu=NAME,..] [--only=REGEX]
//   [--except=REGEX] [LETTER=VALUE,..]..
//
// Makes one program of the template for all combinations of the letters' values (sizes, ? for a dynamic one, element
// types), compiles it for the CPU or for GPUs, of which it finds one, and compares each public function's results with
// those of the reference interpreter on random arguments, with --vjp also its gradients. Bounds are those of the
// specification for the coarsest type that the function computes with. COMMAND starts the xf-run of another
// architecture.
//
// Floating-point arguments are unit normals, integers are drawn from `xf.range` (both ends included, [0, 3] without
// it), booleans are coins. Dynamic sizes are 5.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "test/sweep/Comparison.h"
#include "test/sweep/EmulatedProgram.h"
#include "test/sweep/Instances.h"
#include "test/sweep/NativeProgram.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include <random>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::sweep;
using reference::Tensor;
using reference::Tensors;

static llvm::cl::opt<std::string> path(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("TEMPLATE"));
static llvm::cl::list<std::string> choiceTexts(llvm::cl::Positional, llvm::cl::desc("LETTER=VALUE,VALUE.."));
static llvm::cl::opt<bool> vjp("vjp", llvm::cl::desc("compare derivatives too"));
static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of the arguments"));
static llvm::cl::opt<std::string> cpu("cpu", llvm::cl::init("native"), llvm::cl::desc("to compile for"));
static llvm::cl::opt<std::string> emulator("emulator", llvm::cl::desc("and xf-run, for a CPU of another architecture"));
static llvm::cl::list<std::string> gpus("gpu", llvm::cl::CommaSeparated, llvm::cl::desc("to compile for, and run on"));
static llvm::cl::opt<F32Products>
    f32Products("f32-products",
                llvm::cl::desc("of GPUs, as in xfc; bounds are those of the numbers that are multiplied"),
                llvm::cl::values(clEnumValN(F32Products::Exact, "exact", ""), clEnumValN(F32Products::TF32, "tf32", ""),
                                 clEnumValN(F32Products::BF16x3, "bf16x3", "")));
static llvm::cl::opt<std::string> only("only", llvm::cl::desc("functions whose names match; all without it"));
static llvm::cl::opt<std::string> except("except", llvm::cl::desc("functions whose names do not match"));
static llvm::cl::opt<unsigned> vectorBits("vector-bits", llvm::cl::desc("of registers, as in xfc"));

static constexpr int64_t dynamicSize = 5;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Tensor randomTensor(Type elementType, ArrayRef<int64_t> shape, DenseI64ArrayAttr range,
                           std::mt19937_64 &random) {
  Tensor tensor = Tensor::zeros(elementType, shape);
  std::normal_distribution<double> normal;
  int64_t last = elementType.isInteger(1) ? 1 : 3;
  std::uniform_int_distribution<int64_t> integer(range ? range[0] : 0, range ? range[1] : last);
  for (double &element : tensor.reals)
    element = reference::roundTo(elementType, normal(random));
  for (int64_t &element : tensor.integers)
    element = integer(random);
  return tensor;
}

static Tensors randomArguments(func::FuncOp function, std::mt19937_64 &random) {
  Tensors arguments;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(tensor.getShape());
    llvm::replace(shape, ShapedType::kDynamic, dynamicSize);
    auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "xf.range");
    arguments.push_back(randomTensor(tensor.getElementType(), shape, range, random));
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The floating-point type of fewest bits of mantissa in a function.
static Type coarsestType(func::FuncOp function) {
  Type coarsest = Float64Type::get(function.getContext());
  auto include = [&](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (element && element.getFPMantissaWidth() < cast<FloatType>(coarsest).getFPMantissaWidth())
      coarsest = element;
  };
  llvm::for_each(function.getArgumentTypes(), include);
  function.walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), include); });
  return coarsest;
}

static double toleranceOf(func::FuncOp function, bool isDerivative) {
  auto hasKernels = function.walk([](AttentionOp op) {
    return isa<KernelizedPatternAttr>(op.getPattern()) ? WalkResult::interrupt() : WalkResult::advance();
  });
  Type type = coarsestType(function);
  if (type.isF32() && f32Products == F32Products::TF32) // as many digits, of which the reference's factors have more
    return 2 * sweep::toleranceOf(Float16Type::get(type.getContext()), isDerivative, hasKernels.wasInterrupted());
  constexpr double split = 32; // of bf16x3: 16 digits and a half of f32's 24
  double tolerance = sweep::toleranceOf(type, isDerivative, hasKernels.wasInterrupted());
  return type.isF32() && f32Products == F32Products::BF16x3 ? split * tolerance : tolerance;
}

static bool compare(const Twine &name, ArrayRef<Tensor> actual, ArrayRef<Tensor> expected, double tolerance) {
  // A gradient may be nothing but what its terms leave behind, where rows see one key: it is held against the others.
  constexpr double cancelled = 1e-4;
  double floor = 0;
  for (const Tensor &tensor : expected)
    floor = std::max(floor, cancelled * typicalRow(tensor));
  bool good = true;
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(actual, expected))) {
    double error = largestRowError(std::get<0>(pair), std::get<1>(pair), floor);
    if (error <= tolerance)
      continue;
    good = false;
    llvm::errs() << name << " result " << number << ": expected a row error of at most "
                 << llvm::format("%g", tolerance) << ", got " << llvm::format("%g", error) << "\n";
  }
  return good;
}

using Call = function_ref<FailureOr<Tensors>(StringRef name, ArrayRef<Tensor> arguments, ArrayRef<Tensor> like)>;

/// The derivative's results are the function's and one gradient for each floating-point argument.
static bool checkDerivative(func::FuncOp function, Call call, Tensors arguments, ArrayRef<Tensor> results,
                            std::mt19937_64 &random) {
  Tensors cotangents;
  for (const Tensor &result : results)
    cotangents.push_back(randomTensor(result.elementType, result.shape, nullptr, random));
  FailureOr<reference::Gradients> expected = reference::Interpreter().vjp(function, arguments, cotangents);
  if (failed(expected))
    return false;
  llvm::copy_if(cotangents, std::back_inserter(arguments), [](const Tensor &tensor) { return tensor.isReal(); });
  Tensors outputs = expected->results;
  llvm::copy_if(expected->gradients, std::back_inserter(outputs), [](const Tensor &tensor) { return tensor.isReal(); });
  std::string name = (function.getName() + "_vjp").str();
  FailureOr<Tensors> actual = call(name, arguments, outputs);
  return succeeded(actual) && compare(name, *actual, outputs, toleranceOf(function, /*isDerivative=*/true));
}

static bool check(func::FuncOp function, Call call) {
  std::mt19937_64 random(seed);
  Tensors arguments = randomArguments(function, random);
  FailureOr<Tensors> expected = reference::Interpreter().evaluate(function, arguments);
  if (failed(expected))
    return false;
  FailureOr<Tensors> actual = call(function.getName(), arguments, *expected);
  bool good = succeeded(actual) &&
              compare(function.getName(), *actual, *expected, toleranceOf(function, /*isDerivative=*/false));
  return (!vjp || checkDerivative(function, call, arguments, *expected, random)) && good;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Makes the functions that were not asked for private, so that no code is made for them.
static SmallVector<func::FuncOp> select(ModuleOp module) {
  llvm::Regex wanted(only), unwanted(except);
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    StringRef name = function.getName();
    if ((only.empty() || wanted.match(name)) && (except.empty() || !unwanted.match(name)))
      functions.push_back(function);
    else
      function.setPrivate();
  }
  return functions;
}

static bool run(StringRef text) {
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, path), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> written = parseSourceFile<ModuleOp>(sources, &context);
  if (!written)
    return false;
  CompileOptions options;
  options.cpu = cpu;
  options.vectorBits = vectorBits;
  options.gpus.assign(gpus.begin(), gpus.end());
  options.f32Products = f32Products;
  SmallVector<func::FuncOp> functions = select(*written);
  if (vjp)
    for (func::FuncOp function : functions)
      options.vjpEntries.push_back(function.getName().str());
  OwningOpRef<ModuleOp> module = written->clone();
  auto count = [&](const auto &compiled) -> size_t { // functions that agree
    auto call = [&](StringRef name, ArrayRef<Tensor> arguments, ArrayRef<Tensor> like) {
      return compiled->call(name, arguments, like);
    };
    return failed(compiled) ? 0 : llvm::count_if(functions, [&](func::FuncOp f) { return check(f, call); });
  };
  size_t good = emulator.empty() ? count(NativeProgram::compile(*module, options))
                                 : count(EmulatedProgram::compile(*module, options, emulator));
  llvm::outs() << good << " of " << functions.size() << " functions agree, seed " << seed << "\n";
  return good == functions.size() && good > 0;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Compares compiled programs with the reference interpreter\n");
  SmallVector<Choice> choices;
  for (const std::string &choiceText : choiceTexts) {
    FailureOr<Choice> choice = Choice::parse(choiceText);
    if (failed(choice)) {
      llvm::errs() << "expected LETTER=VALUE,VALUE.., got '" << choiceText << "'\n";
      return 2;
    }
    choices.push_back(*choice);
  }
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << "expected to read '" << path << "': " << file.getError().message() << "\n";
    return 2;
  }
  return run(instantiate((*file)->getBuffer(), choices)) ? 0 : 1;
}
