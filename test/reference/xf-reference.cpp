//===- xf-reference.cpp - Run an entry of a program in double precision ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `xf-run --target=reference` runs, with the same command line. Inputs are rounded to their types; results are
// written unrounded, floating-point ones as f64. `--check-gradients=SEED` instead compares the gradient of every
// input with central differences, at inputs that are random where they are not given.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "dialects/xf/Text/ReadProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "runtime/support/NearestWord.h"
#include "runtime/tools/Npy.h"
#include "runtime/tools/RunOptions.h"
#include "runtime/tools/StandardOutput.h"
#include "test/reference/GradientCheck.h"
#include "test/reference/Signature.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;
using namespace xfrt::tools;
using ToolTensor = xfrt::tools::Tensor;
using RefTensor = mlir::xf::reference::Tensor;
using Inputs = std::vector<std::optional<ToolTensor>>;

/// Largest relative difference between an adjoint and central differences.
static constexpr double gradientTolerance = 1e-6;

static func::FuncOp findEntry(ModuleOp module, const std::string &name, Failure &failure) {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  std::vector<std::string> names;
  for (func::FuncOp function : functions) {
    if (function.getName() == name || (name.empty() && functions.size() == 1))
      return function;
    names.push_back(function.getName().str());
  }
  failure.set(exitUsage,
              name.empty()
                  ? "expected --entry=NAME, because the program has " + std::to_string(functions.size()) + " functions"
                  : "expected --entry to name a function, got '" + name + "'" + xfrt::suggestion(name, names));
  return {};
}

/// What the command line gives, then weights, then zeros for the state. With a seed, the rest is random.
static bool readAllInputs(const RunOptions &options, const Signature &signature, std::optional<uint64_t> seed,
                          Inputs &inputs, Failure &failure) {
  std::vector<TensorSpec> specs = signature.inputSpecs(options.vjp);
  if (!readInputs(specs, options.inputs, inputs, failure))
    return false;
  if (!options.parameters.empty() && !readParameters(signature, options.parameters, inputs, failure))
    return false;
  for (auto [spec, input] : llvm::zip(specs, inputs)) {
    if (input || (spec.required && !seed) || !spec.isStatic())
      continue;
    std::string error;
    if (!input.emplace().allocate(spec.dtype, spec.shape, error))
      return failure.set(exitFailure, "input '" + spec.name + "': " + error);
    std::fill_n(input->data(), input->bytes(), 0);
    if (spec.required)
      fillRandom(*input, spec, *seed);
  }
  return checkInputsGiven(specs, inputs, failure);
}

static RefTensor zerosFor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RefTensor::zeros(tensor.getElementType(), SmallVector<int64_t>(tensor.getRank(), 0));
}

/// The arguments, then one cotangent per result; those of integers are empty.
static std::pair<Tensors, Tensors> splitInputs(func::FuncOp function, const Signature &signature,
                                               const Inputs &inputs) {
  size_t count = function.getNumArguments();
  Tensors arguments, cotangents = llvm::map_to_vector(function.getResultTypes(), zerosFor);
  for (size_t number = 0; number < count; ++number)
    arguments.push_back(toReference(*inputs[number], getElementTypeOrSelf(function.getArgumentTypes()[number])));
  for (size_t number = count; number < inputs.size(); ++number) {
    RefTensor &cotangent = cotangents[signature.activated[number - count]];
    cotangent = toReference(*inputs[number], cotangent.elementType);
  }
  return {std::move(arguments), std::move(cotangents)};
}

/// Cotangents that have the sizes of their results; false after a message.
static bool checkCotangents(ArrayRef<RefTensor> results, ArrayRef<RefTensor> cotangents, Failure &failure) {
  for (auto [result, cotangent] : llvm::zip(results, cotangents))
    if (result.isReal() && result.shape != cotangent.shape)
      return failure.set(exitFailure, "expected a cotangent of shape " +
                                          describeShape({result.shape.begin(), result.shape.end()}) + ", got " +
                                          describeShape({cotangent.shape.begin(), cotangent.shape.end()}));
  return true;
}

/// The results and, with --vjp, the gradients; failure with an empty message: an error was reported at the op.
static bool compute(func::FuncOp function, const Signature &signature, const RunOptions &options, const Inputs &inputs,
                    Tensors &outputs, Failure &failure) {
  Interpreter interpreter;
  auto [arguments, cotangents] = splitInputs(function, signature, inputs);
  FailureOr<Tensors> results = interpreter.evaluate(function, arguments);
  if (failed(results))
    return failure.set(exitFailure, "");
  outputs = std::move(*results);
  if (!options.vjp)
    return true;
  if (!checkCotangents(outputs, cotangents, failure))
    return false;
  FailureOr<Gradients> derivative = interpreter.vjp(function, arguments, cotangents);
  if (failed(derivative))
    return failure.set(exitFailure, "");
  for (size_t number : signature.differentiable)
    outputs.push_back(std::move(derivative->gradients[number]));
  return true;
}

static bool useOutputs(const RunOptions &options, const std::vector<TensorSpec> &specs, ArrayRef<RefTensor> outputs,
                       Failure &failure) {
  std::vector<ResultFile> written, expected;
  if (!parseResultFiles(specs, options.outputs, "output", written, failure) ||
      !parseResultFiles(specs, options.expectedOutputs, "expected-output", expected, failure))
    return false;
  std::vector<ToolTensor> tensors(outputs.size());
  for (auto [output, tensor] : llvm::zip(outputs, tensors))
    if (!fromReference(output, tensor, failure))
      return false;
  for (const ResultFile &file : written) {
    std::string error;
    if (!writeNpy(file.path, tensors[file.result], error))
      return failure.set(exitFailure, "result '" + specs[file.result].name + "': " + error);
  }
  for (const ResultFile &file : expected)
    if (!compareWithFile(tensors[file.result], specs[file.result], file.path, options.rtol, options.atol, failure))
      return false;
  for (size_t number = 0; number < specs.size() && written.empty() && expected.empty(); ++number)
    printSummary(specs[number], tensors[number]);
  return true;
}

static bool checkGradients(func::FuncOp function, const Signature &signature, const Inputs &inputs, uint64_t seed,
                           Failure &failure) {
  Interpreter interpreter;
  auto [arguments, cotangents] = splitInputs(function, signature, inputs);
  FailureOr<Gradients> derivative = interpreter.vjp(function, arguments, cotangents);
  if (failed(derivative))
    return failure.set(exitFailure, "");
  for (size_t number : signature.differentiable) {
    const std::string &name = signature.arguments[number].name;
    FailureOr<DirectionalDerivative> along =
        differentiateAlong(interpreter, function, arguments, cotangents, derivative->gradients[number], number, seed);
    if (failed(along))
      return failure.set(exitFailure, "");
    bool good = along->relativeError() <= gradientTolerance;
    printf("seed %llu: d_%s %s: %.9g, differences %.9g\n", (unsigned long long)seed, name.c_str(),
           good ? "agrees" : "differs", along->adjoint, along->difference);
    if (!good)
      failure.set(exitFailure, "expected the gradient of '" + name + "' to agree with differences");
  }
  return failure.code == exitSuccess;
}

static bool run(const RunOptions &options, std::optional<uint64_t> seed, Failure &failure) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, tensor::TensorDialect, xf::XfDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto text = readProgram("xf-reference", options.model, registry);
  if (failed(text))
    return failure.set(exitFailure, "");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), SMLoc());
  PrintableLines messages(llvm::errs());
  SourceMgrDiagnosticHandler handler(sources, &context, messages);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure.set(exitFailure, "");
  func::FuncOp function = findEntry(*module, options.entry, failure);
  if (!function)
    return false;
  FailureOr<Signature> signature = Signature::of(function);
  if (failed(signature))
    return failure.set(exitFailure, "");
  Inputs inputs;
  if (!readAllInputs(options, *signature, seed, inputs, failure))
    return false;
  if (seed)
    return checkGradients(function, *signature, inputs, *seed, failure);
  Tensors outputs;
  return compute(function, *signature, options, inputs, outputs, failure) &&
         useOutputs(options, signature->outputSpecs(options.vjp), outputs, failure);
}

/// Takes --check-gradients=SEED, the one option that xf-run has not, off the command line.
static std::optional<uint64_t> takeCheckGradients(int &argc, char **argv) {
  std::optional<uint64_t> seed;
  char **end = std::remove_if(argv, argv + argc, [&](StringRef argument) {
    uint64_t value;
    bool isSeed = argument.consume_front("--check-gradients=") && !argument.getAsInteger(10, value);
    if (isSeed)
      seed = value;
    return isSeed;
  });
  argc = end - argv;
  return seed;
}

int main(int argc, char **argv) {
  const char *tool = "xf-reference";
  prepareOutput();
  RunOptions options;
  std::optional<uint64_t> seed = takeCheckGradients(argc, argv);
  int code = parseRunOptions(tool, argc, argv, options);
  if (code >= 0)
    return finishOutput(tool, code);
  options.vjp |= seed.has_value();
  Failure failure;
  if (run(options, seed, failure))
    return finishOutput(tool, exitSuccess);
  return failure.message.empty() ? failure.code : report(tool, failure.code, failure.message);
}
