//===- features.cpp - How good estimates by random features are -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   features-numerics [--seed=N] [--draws=N]
//
// With SM = e^<x, y>, the mean squared errors of one weight <phi(x), phi(y)> over draws of W, which the frontend draws
// and the interpreter of xf.attention uses (docs/specification.md, section 3):
// - iid rows follow the three laws of Choromanski 2021 (lemma 2) within 5 %;
// - orthogonal rows have no bias, and are better than iid ones by at least the bound of theorem 2.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "test/numerics/DrawnFeatures.h"
#include "test/reference/Interpreter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;
using namespace xftest;

static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of the draws"));
static llvm::cl::opt<int64_t> draws("draws", llvm::cl::init(60000), llvm::cl::desc("of W"));

static constexpr int64_t width = 8, features = 8; // the bound needs rows in whole blocks

/// One query, one key, a value of 1 and no normaliser: o is the weight.
static constexpr const char *program = R"(
func.func @weights(%x: tensor<1x1x1x8xf64>, %y: tensor<1x1x1x8xf64>, %one: tensor<1x1x1x1xf64>, %w: tensor<8x8xf64>) -> (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>) {
  %0 = xf.attention %x, %y, %one pattern(#xf.kernelized<feature = favor, epsilon = 0.0, stabilizer = none, scale_input = false, normalizer = none>) params(%w : tensor<8x8xf64>) : (tensor<1x1x1x8xf64>, tensor<1x1x1x8xf64>, tensor<1x1x1x1xf64>) -> tensor<1x1x1x1xf64>
  %1 = xf.attention %x, %y, %one pattern(#xf.kernelized<feature = hyperbolic, stabilizer = none, scale_input = false, normalizer = none>) params(%w : tensor<8x8xf64>) : (tensor<1x1x1x8xf64>, tensor<1x1x1x8xf64>, tensor<1x1x1x1xf64>) -> tensor<1x1x1x1xf64>
  %2 = xf.attention %x, %y, %one pattern(#xf.kernelized<feature = trigonometric, stabilizer = none, scale_input = false, normalizer = none>) params(%w : tensor<8x8xf64>) : (tensor<1x1x1x8xf64>, tensor<1x1x1x8xf64>, tensor<1x1x1x1xf64>) -> tensor<1x1x1x1xf64>
  return %0, %1, %2 : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>
}
)";

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static const std::vector<double> x = {0.3, -0.1, 0.2, 0.0, 0.4, -0.2, 0.1, 0.3};
static const std::vector<double> y = {0.2, 0.3, 0.1, -0.2, 0.1, 0.2, -0.3, 0.1};

static double squaredNorm(double factor) { // of x + factor y
  double sum = 0;
  for (auto [a, b] : llvm::zip(x, y))
    sum += (a + factor * b) * (a + factor * b);
  return sum;
}

static const double sumNorm = squaredNorm(1), differenceNorm = squaredNorm(-1);
static const double softmaxKernel = std::exp((sumNorm - differenceNorm) / 4);

static reference::Tensor tensorOf(MLIRContext &context, ArrayRef<int64_t> shape, std::vector<double> elements) {
  reference::Tensor tensor = reference::Tensor::zeros(Float64Type::get(&context), shape);
  tensor.reals = std::move(elements);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

namespace {
struct Errors {
  double bias = 0, square = 0; ///< mean of the error and of its square
};
enum { favor, hyperbolic, trigonometric };
} // namespace

static std::array<Errors, 3> measure(func::FuncOp weights, Rows rows) {
  MLIRContext &context = *weights.getContext();
  Interpreter interpreter;
  std::array<Errors, 3> errors;
  reference::Tensor one = tensorOf(context, {1, 1, 1, 1}, {1});
  reference::Tensor query = tensorOf(context, {1, 1, 1, width}, x), key = tensorOf(context, {1, 1, 1, width}, y);
  for (int64_t step = 0; step < draws; ++step) {
    reference::Tensor w = tensorOf(context, {features, width}, drawFeatures(features, width, rows, seed, step));
    Tensors estimates = *interpreter.evaluate(weights, {query, key, one, w});
    for (auto [sums, estimate] : llvm::zip(errors, estimates)) {
      double error = estimate.reals[0] - softmaxKernel;
      sums.bias += error / draws;
      sums.square += error * error / draws;
    }
  }
  return errors;
}

static unsigned failures = 0;

static void check(StringRef what, double got, double least, double most) {
  bool holds = got >= least && got <= most;
  failures += !holds;
  llvm::outs() << (holds ? "ok      " : "FAILED  ") << what << ": " << llvm::format("%.6g", got) << " in ["
               << llvm::format("%.6g", least) << ", " << llvm::format("%.6g", most) << "]\n";
}

/// Four standard deviations of a mean of `draws`.
static void checkBias(StringRef what, const Errors &errors) {
  double deviation = 4 * std::sqrt(errors.square / draws);
  check(what, errors.bias, -deviation, deviation);
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

static double favorLaw() {
  return std::exp(sumNorm) * softmaxKernel * softmaxKernel * (1 - std::exp(-sumNorm)) / features;
}
static double hyperbolicLaw() { return (1 - std::exp(-sumNorm)) * favorLaw() / 2; }
static double trigonometricLaw() {
  double far = 1 - std::exp(-differenceNorm);
  return std::exp(sumNorm) / (softmaxKernel * softmaxKernel) * far * far / (2 * features);
}

/// By how much orthogonal rows lower the error of favor at least.
static double orthogonalGain() {
  double far = softmaxKernel - std::exp(-(sumNorm + differenceNorm) / 4); // |x|^2 + |y|^2 is half of that sum
  return 2.0 * (width - 1) / (features * (width + 2)) * far * far;
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// The largest product of two rows of a block, relative to their lengths, and how far lengths are from `length`.
static void checkBlocks(StringRef what, ArrayRef<double> w, double length) {
  double product = 0, off = 0;
  auto dotOf = [&](int64_t a, int64_t b) { return dot(&w[a * width], &w[b * width], width); };
  for (int64_t a = 0; a < int64_t(w.size()) / width; ++a) {
    off = std::max(off, std::fabs(std::sqrt(dotOf(a, a)) - length));
    for (int64_t b = a / width * width; b < a; ++b)
      product = std::max(product, std::fabs(dotOf(a, b)) / std::sqrt(dotOf(a, a) * dotOf(b, b)));
  }
  check((what + ", rows of a block").str(), product, 0, 1e-14);
  if (length > 0)
    check((what + ", lengths").str(), off, 0, 1e-14);
}

static void checkDraws() {
  checkBlocks("orthogonal", drawFeatures(2 * width + 3, width, Rows::orthogonal, seed, 0), 0);
  checkBlocks("regularized", drawFeatures(2 * width + 3, width, Rows::regularized, seed, 0), std::sqrt(double(width)));
  auto draw = [](uint64_t step) { return drawFeatures(features, width, Rows::orthogonal, seed, step); };
  check("the same step, the same draw", draw(5) == draw(5), 1, 1);
  check("another step, another draw", draw(5) != draw(6), 1, 1);
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "random features against their laws\n");
  MLIRContext context;
  context.loadDialect<func::FuncDialect, XfDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return 1;
  func::FuncOp weights = *module->getOps<func::FuncOp>().begin();
  llvm::outs() << "seed " << seed << ", " << draws << " draws\n";
  checkDraws();
  std::array<Errors, 3> iid = measure(weights, Rows::iid), orthogonal = measure(weights, Rows::orthogonal);
  check("favor, error over law", iid[favor].square / favorLaw(), 0.95, 1.05);
  check("hyperbolic, error over law", iid[hyperbolic].square / hyperbolicLaw(), 0.95, 1.05);
  check("trigonometric, error over law", iid[trigonometric].square / trigonometricLaw(), 0.95, 1.05);
  checkBias("favor, bias of iid rows", iid[favor]);
  checkBias("favor, bias of orthogonal rows", orthogonal[favor]);
  checkBias("trigonometric, bias of orthogonal rows", orthogonal[trigonometric]);
  check("favor, gain of orthogonal rows over its bound", (favorLaw() - orthogonal[favor].square) / orthogonalGain(), 1,
        INFINITY);
  return failures != 0;
}
