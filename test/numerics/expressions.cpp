//===- expressions.cpp - Random pattern expressions against the interpreter -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   attention-expressions [--seed=N] [--count=N] [--depth=N] [--longest=N] [--element=TYPE] [--gpu=NAME]
//
// Random pattern expressions over all families of sets, with operands and sizes that are random too: o, lse and the
// gradients of q, k and v of the compiled program against those of the f64 interpreter, and the same bits from any
// number of threads. A failure prints the program and its seed, with which --seed and --count=1 run it again.
//
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "test/numerics/RandomPatterns.h"
#include "test/support/CompiledProgram.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of the first expression"));
static llvm::cl::opt<unsigned> count("count", llvm::cl::init(12), llvm::cl::desc("expressions"));
static llvm::cl::opt<unsigned> depth("depth", llvm::cl::init(4), llvm::cl::desc("of set algebra"));
static llvm::cl::opt<int64_t> longest("longest", llvm::cl::init(100), llvm::cl::desc("length of sequences"));
static llvm::cl::opt<std::string> elementType("element",
                                              llvm::cl::desc("of tensors: f32, f64, bf16 or f16, not drawn"));
static llvm::cl::list<std::string> gpus("gpu", llvm::cl::CommaSeparated, llvm::cl::desc("to compile for, and run on"));

namespace {
/// One attention with everything static.
struct Expression {
  Sizes sizes;
  int64_t columns;
  std::string element, lseElement;
  RandomPattern pattern;
  int64_t tableRows = 0, tableColumns = 0;

  explicit Expression(Random &random);
  std::string program() const;
  SmallVector<Tensor> arguments(MLIRContext &context, Random &random) const;
};
} // namespace

Expression::Expression(Random &random) {
  static constexpr int64_t all[] = {1, 3, 17, 31, 48, 70, 100};
  ArrayRef<int64_t> lengths = ArrayRef(all).take_while([](int64_t length) { return length <= longest; });
  static constexpr std::pair<int64_t, int64_t> heads[] = {{1, 1}, {2, 1}, {2, 2}};
  auto [numHeads, keyHeads] = random.oneOf(heads);
  int64_t keys = random.oneOf(lengths), queries = random.between(0, 3) ? keys : random.oneOf(lengths);
  sizes = {random.between(1, 2), numHeads, keyHeads, queries, keys};
  columns = random.oneOf(std::array<int64_t, 4>{4, 5, 8, 16});
  element = random.between(0, 2) ? "f32" : "f64";
  if (!elementType.empty())
    element = elementType;
  lseElement = element == "f64" ? "f64" : "f32";
  pattern = randomPattern(sizes, random.between(0, depth), random);
  tableRows = random.between(0, keys);
  tableColumns = tableRows ? random.between(0, 4 * tableRows) : 0;
}

std::string Expression::program() const {
  auto tensor = [&](int64_t heads, int64_t rows) {
    return llvm::formatv("tensor<{0}x{1}x{2}x{3}x{4}>", sizes.batches, heads, rows, columns, element).str();
  };
  std::string q = tensor(sizes.heads, sizes.queries), k = tensor(sizes.keyHeads, sizes.keys);
  std::string lse = llvm::formatv("tensor<{0}x{1}x{2}x{3}>", sizes.batches, sizes.heads, sizes.queries, lseElement);
  std::string sq = llvm::formatv("tensor<{0}x{1}xi32>", sizes.batches, sizes.queries);
  std::string sk = llvm::formatv("tensor<{0}x{1}xi32>", sizes.batches, sizes.keys);
  std::string offsets = llvm::formatv("tensor<{0}xi32>", tableRows + 1);
  std::string list = llvm::formatv("tensor<{0}xi64>", tableColumns), operands, clauses;
  if (pattern.usesSegments) {
    operands += llvm::formatv(", %sq: {0}, %sk: {1}", sq, sk);
    clauses += llvm::formatv(" segments(%sq, %sk : {0}, {1})", sq, sk);
  }
  if (pattern.usesTable) {
    operands += llvm::formatv(", %offsets: {0}, %list: {1}", offsets, list);
    clauses += llvm::formatv(" table(%offsets, %list : {0}, {1})", offsets, list);
  }
  return llvm::formatv("func.func @attend(%q: {0}, %k: {1}, %v: {1}{2}) -> ({0}, {3}) {{\n"
                       "  %o, %lse = xf.attention %q, %k, %v pattern({4}){5} : ({0}, {1}, {1}) -> ({0}, {3})\n"
                       "  return %o, %lse : {0}, {3}\n}\n",
                       q, k, operands, lse, pattern.text, clauses);
}

/// Lists that may repeat a column, name one that does not exist, and come in any order.
SmallVector<Tensor> Expression::arguments(MLIRContext &context, Random &random) const {
  Builder b(&context);
  Type real = parseType(element, &context);
  SmallVector<Tensor> result = {random.normals(real, {sizes.batches, sizes.heads, sizes.queries, columns}),
                                random.normals(real, {sizes.batches, sizes.keyHeads, sizes.keys, columns}),
                                random.normals(real, {sizes.batches, sizes.keyHeads, sizes.keys, columns})};
  if (pattern.usesSegments)
    for (int64_t tokens : {sizes.queries, sizes.keys}) {
      Tensor ids = random.integers(b.getI32Type(), {sizes.batches, tokens}, -1, 3);
      if (random.between(0, 1)) // documents one behind the other
        for (int64_t batch = 0; batch < sizes.batches; ++batch)
          std::sort(ids.integers.begin() + batch * tokens, ids.integers.begin() + (batch + 1) * tokens);
      result.push_back(ids);
    }
  if (pattern.usesTable) {
    Tensor offsets = random.integers(b.getI32Type(), {tableRows + 1}, 0, tableColumns);
    std::sort(offsets.integers.begin(), offsets.integers.end());
    result.push_back(offsets);
    result.push_back(random.integers(b.getI64Type(), {tableColumns}, -1, sizes.keys));
  }
  return result;
}

/// The largest difference, relative to the norm of the expected row or to 1, or a NaN.
static double errorOf(const Tensor &got, const Tensor &expected) {
  double worst = 0;
  for (auto [x, y] : llvm::zip(got.reals, expected.reals))
    if (x != y) // both -inf
      worst = std::isnan(x - y) ? INFINITY : std::max(worst, std::abs(x - y) / (1 + std::abs(y)));
  return worst;
}

/// What is wrong, or nothing.
static std::string compare(const Expression &expression, const CompiledProgram &program, MLIRContext &context,
                           Random &random) {
  SmallVector<Tensor> arguments = expression.arguments(context, random), cotangents;
  auto expected = reference::Interpreter().evaluate(program.function(), arguments);
  if (failed(expected))
    return "expected a program that the interpreter runs";
  for (auto [result, type] : llvm::zip(*expected, program.function().getResultTypes()))
    cotangents.push_back(random.normals(getElementTypeOrSelf(type), result.shape));
  auto gradients = reference::Interpreter().vjp(program.function(), arguments, cotangents);
  SmallVector<Tensor> all(arguments);
  all.append(cotangents.begin(), cotangents.end());
  std::vector<Array> got = program.call(all, /*threads=*/1, /*entry=*/1);
  double tolerance = llvm::StringSwitch<double>(expression.element).Case("f64", 1e-11).Case("f32", 3e-5).Default(0.05);
  static constexpr StringLiteral names[] = {"o", "lse", "d_q", "d_k", "d_v"};
  for (auto [number, name] : llvm::enumerate(names)) {
    const Tensor &want = number < 2 ? (*expected)[number] : gradients->gradients[number - 2];
    if (double error = errorOf(got[number].toTensor(), want); error > tolerance)
      return llvm::formatv("{0}: expected an error of at most {1}, got {2}", name, tolerance, error);
  }
  std::vector<Array> other = program.call(all, /*threads=*/3, /*entry=*/1);
  for (auto [number, name] : llvm::enumerate(names))
    if (other[number].bytes != got[number].bytes)
      return llvm::formatv("{0}: expected three threads to change nothing", name);
  return "";
}

namespace {
enum class Outcome { Right, Empty, Refused, Wrong };
}

static Outcome runExpression(uint64_t number, MLIRContext &context, std::string &lastError) {
  Random random(number);
  Expression expression(random);
  CompileOptions options;
  options.entries = {"attend"};
  options.vjpEntries = {"attend"};
  options.gpus.assign(gpus.begin(), gpus.end());
  if (!gpus.empty())
    options.optLevel = 0; // of code for the CPU
  lastError.clear();
  auto program = CompiledProgram::create(expression.program(), context, options);
  bool isEmpty = StringRef(lastError).contains("statically empty");
  bool isLarge = StringRef(lastError).contains("conjunctions"); // a limit that users are told of
  if (!program && (isEmpty || isLarge))
    return isEmpty ? Outcome::Empty : Outcome::Refused;
  std::string wrong = program ? compare(expression, *program, context, random) : lastError;
  if (wrong.empty())
    return Outcome::Right;
  llvm::errs() << "seed " << number << ": " << wrong << "\n" << expression.program();
  return Outcome::Wrong;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Compares random pattern expressions with their definition\n");
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string lastError;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      lastError = diagnostic.str();
    return success();
  });
  std::array<unsigned, 4> outcomes = {};
  for (uint64_t n = 0; n < count; ++n)
    ++outcomes[static_cast<size_t>(runExpression(seed + n, context, lastError))];
  llvm::outs() << llvm::formatv("seeds {0} to {1}: {2} right, {3} statically empty, {4} too large, {5} wrong\n",
                                uint64_t(seed), seed + count - 1, outcomes[0], outcomes[1], outcomes[2], outcomes[3]);
  bool isWorthIt = outcomes[0] * 2 > count;
  return outcomes[3] != 0 || !isWorthIt;
}
