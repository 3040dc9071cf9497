//===- xf-equivalence.cpp - Does a program mean the same after a pass? ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xf-equivalence PROGRAM [--expand] [--vjp] [--pipeline=PASSES] [--seed=N] [--tolerance=T]
//
// Runs every public function of the program through the reference interpreter before and after the passes, on random
// arguments, and compares all results. With --expand the stage `expand` goes before. With --vjp the program is first
// differentiated twice: by the interpreter, and by the gradient stage, whose NAME_vjp functions then run as plain
// programs. Numbers that are equal bit for bit need no tolerance, NaN included; else the error is relative to the
// largest element of the result.
//
// Floating-point arguments are unit normals, integers are drawn from `xf.range` (both ends included, [0, 3] without
// it), booleans are coins. Dynamic sizes are 5.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/Passes.h"
#include "compiler/Fuse/Passes.h"
#include "compiler/Gradient/Passes.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "test/reference/Interpreter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include <random>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

static llvm::cl::opt<std::string> program(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("PROGRAM"));
static llvm::cl::opt<bool> expand("expand", llvm::cl::desc("expand ops before differentiating"));
static llvm::cl::opt<bool> vjp("vjp", llvm::cl::desc("compare derivatives"));
static llvm::cl::opt<std::string> passes("pipeline", llvm::cl::desc("passes of the program under test"));
static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of the arguments"));
static llvm::cl::opt<double> tolerance("tolerance", llvm::cl::init(1e-10), llvm::cl::desc("relative to the largest"));

static constexpr int64_t dynamicSize = 5;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Tensor randomTensor(RankedTensorType type, DenseI64ArrayAttr range, std::mt19937_64 &random) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape)
    size = ShapedType::isDynamic(size) ? dynamicSize : size;
  Tensor tensor = Tensor::zeros(type.getElementType(), shape);
  std::normal_distribution<double> normal;
  int64_t last = type.getElementType().isInteger(1) ? 1 : 3;
  std::uniform_int_distribution<int64_t> integer(range ? range[0] : 0, range ? range[1] : last);
  for (double &element : tensor.reals)
    element = roundTo(tensor.elementType, normal(random));
  for (int64_t &element : tensor.integers)
    element = integer(random);
  return tensor;
}

/// Arguments of a function or, as cotangents, of its floating-point results.
static Tensors randomTensors(TypeRange types, func::FuncOp function, bool areArguments, std::mt19937_64 &random) {
  Tensors tensors;
  for (auto [number, type] : llvm::enumerate(types)) {
    DenseI64ArrayAttr range;
    if (areArguments)
      range = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "xf.range");
    tensors.push_back(randomTensor(cast<RankedTensorType>(type), range, random));
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool isSameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// The largest difference over the largest expected element; infinite where shapes or non-finite elements differ.
static double differenceOf(const Tensor &actual, const Tensor &expected) {
  if (actual.shape != expected.shape || actual.integers != expected.integers)
    return INFINITY;
  double scale = 0, difference = 0;
  for (auto [a, e] : llvm::zip(actual.reals, expected.reals)) {
    if (isSameNumber(a, e))
      continue;
    if (!std::isfinite(a) || !std::isfinite(e))
      return INFINITY;
    difference = std::max(difference, std::abs(a - e));
  }
  for (double e : expected.reals)
    scale = std::isfinite(e) ? std::max(scale, std::abs(e)) : scale;
  return difference == 0 ? 0 : difference / scale;
}

static bool compare(StringRef name, ArrayRef<Tensor> actual, ArrayRef<Tensor> expected) {
  bool good = actual.size() == expected.size();
  for (auto [number, pair] : llvm::enumerate(llvm::zip(actual, expected))) {
    double difference = differenceOf(std::get<0>(pair), std::get<1>(pair));
    if (difference <= tolerance)
      continue;
    good = false;
    llvm::errs() << name << " result " << number << ": expected a difference of at most "
                 << llvm::format("%g", double(tolerance)) << ", got " << llvm::format("%g", difference) << "\n";
  }
  llvm::outs() << name << (good ? " agrees" : " differs") << ", seed " << seed << "\n";
  return good;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static LogicalResult transform(ModuleOp module, ArrayRef<std::string> names) {
  PassManager pm(module.getContext());
  if (expand) {
    pm.addNestedPass<func::FuncOp>(createExpandFeaturesPass());
    pm.addNestedPass<func::FuncOp>(createExpandRelativePass());
    pm.addNestedPass<func::FuncOp>(createExpandLowRankPass());
  }
  if (vjp) {
    GradientPassOptions options;
    options.entries.assign(names.begin(), names.end());
    pm.addPass(createGradientPass(options));
  }
  if (failed(parsePassPipeline(passes, pm)))
    return failure();
  return pm.run(module);
}

/// The results of a function of the program as written; with --vjp, its gradients too.
static FailureOr<Tensors> evaluateAsWritten(func::FuncOp function, ArrayRef<Tensor> arguments,
                                            ArrayRef<Tensor> cotangents) {
  Interpreter interpreter;
  if (!vjp)
    return interpreter.evaluate(function, arguments);
  FailureOr<Gradients> derivative = interpreter.vjp(function, arguments, cotangents);
  if (failed(derivative))
    return failure();
  Tensors results = derivative->results;
  for (Tensor &gradient : derivative->gradients)
    if (gradient.isReal())
      results.push_back(gradient);
  return results;
}

static FailureOr<bool> check(func::FuncOp written, ModuleOp transformed) {
  std::mt19937_64 random(seed);
  Tensors arguments = randomTensors(written.getArgumentTypes(), written, /*areArguments=*/true, random);
  Tensors cotangents = randomTensors(written.getResultTypes(), written, /*areArguments=*/false, random);
  FailureOr<Tensors> expected = evaluateAsWritten(written, arguments, cotangents);
  if (failed(expected))
    return failure();
  std::string name = written.getName().str();
  if (vjp) {
    name += "_vjp";
    llvm::copy_if(cotangents, std::back_inserter(arguments), [](const Tensor &tensor) { return tensor.isReal(); });
  }
  FailureOr<Tensors> actual = Interpreter().evaluate(transformed.lookupSymbol<func::FuncOp>(name), arguments);
  if (failed(actual))
    return failure();
  return compare(name, *actual, *expected);
}

static bool checkProgram(ModuleOp module) {
  OwningOpRef<ModuleOp> transformed = module.clone();
  std::vector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      names.push_back(function.getName().str());
  if (names.empty() || failed(transform(*transformed, names)))
    return false;
  bool good = true;
  for (const std::string &name : names) {
    FailureOr<bool> agrees = check(module.lookupSymbol<func::FuncOp>(name), *transformed);
    good &= succeeded(agrees) && *agrees;
  }
  return good;
}

int main(int argc, char **argv) {
  registerTransformsPasses();
  registerFusePasses();
  registerGradientPasses();
  llvm::cl::ParseCommandLineOptions(argc, argv, "Compares a program with what passes make of it\n");
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, tensor::TensorDialect, XfDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(program, sources, &context);
  return module && checkProgram(*module) ? 0 : 1;
}
