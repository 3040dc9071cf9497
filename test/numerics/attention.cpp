//===- attention.cpp - Compiled attention against its definition ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   attention-numerics [--seed=N] [--programs=N] [--shapes=N] [--gradient-shapes=N] [--all] [--only=WORD] [--longest=N]
//                      [--gpu=NAME,..]
//
// Patterns, clauses and score regions over head sizes, GQA, lengths and element types. For every program a few shapes;
// for every shape:
// - o and lse are within an error bound of the f64 interpreter's, element by element, and
//   within section 10 of docs/specification.md;
// - any number of threads of a CPU, and any batch, gives the same bits;
// - keys that a row does not see may hold NaN or infinities, and change nothing in its bits;
// - a change of everything from some position on leaves rows that see earlier keys only as they were, bit for bit.
//
// The gradient of each program is tested alike, see GradientTest.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "test/numerics/GradientTest.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(1), llvm::cl::desc("of programs, shapes and inputs"));
static llvm::cl::opt<unsigned> programs("programs", llvm::cl::init(1), llvm::cl::desc("for each family"));
static llvm::cl::opt<unsigned> shapes("shapes", llvm::cl::init(4), llvm::cl::desc("for each program"));
static llvm::cl::opt<unsigned> gradientShapes("gradient-shapes", llvm::cl::init(2), llvm::cl::desc("for each program"));
static llvm::cl::opt<bool> all("all", llvm::cl::desc("every head size, element type and length of every family"));
static llvm::cl::opt<std::string> only("only", llvm::cl::desc("families whose name contains this"));
static llvm::cl::opt<std::string> cpu("cpu", llvm::cl::init("native"), llvm::cl::desc("to compile for"));
static llvm::cl::list<std::string> gpus("gpu", llvm::cl::CommaSeparated, llvm::cl::desc("to compile for, and run on"));
static llvm::cl::opt<int64_t> longest("longest", llvm::cl::init(INT64_MAX), llvm::cl::desc("length of sequences"));
static llvm::cl::opt<unsigned> vectorBits("vector-bits", llvm::cl::desc("of registers, as in xfc"));

static constexpr int64_t lengths[] = {1, 2, 3, 7, 16, 31, 64, 65, 100, 257, 1024};
static constexpr std::pair<int64_t, int64_t> heads[] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}, {3, 3}};
static constexpr int64_t headSizes[] = {1, 5, 16, 33, 64, 80, 128, 256};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
/// docs/specification.md, section 10: relative L2 and largest error; u of what is stored and of what sums are in.
struct Tolerance {
  double relative, largest, store, sum;
};

/// What the interpreter says, and what bounds need.
struct Expected {
  Tensor o, magnitude, lse; ///< magnitude(i) = sum_j P(i, j) |v(j)|
  std::vector<double> top;  ///< by row: the largest |s| that goes into it
};
} // namespace

static Tolerance toleranceOf(StringRef element) {
  if (element == "f64")
    return {1e-12, 1e-12, 0x1p-53, 0x1p-53};
  if (element == "f16")
    return {1e-3, 4e-3, 0x1p-11, 0x1p-24};
  if (element == "bf16")
    return {6e-3, 3e-2, 0x1p-8, 0x1p-24};
  return {2e-6, 1e-5, 0x1p-24, 0x1p-24};
}

/// The first element of `o` that is further from what is expected than rounding explains, as text; or nothing.
static std::string checkElements(const Tensor &o, const Expected &expected, const Tolerance &tolerance) {
  int64_t columns = o.columns();
  for (int64_t n = 0; n < o.size(); ++n) {
    double bound =
        (3 * tolerance.store + tolerance.sum * (16 + 8 * expected.top[n / columns])) * expected.magnitude.reals[n];
    double want = expected.o.reals[n], got = o.reals[n];
    if (std::abs(got - want) <= bound || (std::isnan(got) && std::isnan(want)))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "o: expected " << llvm::format("%.9g", want) << " +- "
                                   << llvm::format("%.2g", bound) << " in row " << n / columns << ", got "
                                   << llvm::format("%.9g", got);
    return text;
  }
  return "";
}

static std::string checkNorm(const Tensor &o, const Tensor &expected, const Tolerance &tolerance) {
  double error = 0, norm = 0, largest = 0, top = 1;
  for (auto [got, want] : llvm::zip(o.reals, expected.reals)) {
    error += (got - want) * (got - want);
    norm += want * want;
    largest = std::max(largest, std::abs(got - want));
    top = std::max(top, std::abs(want));
  }
  if (std::sqrt(error) <= tolerance.relative * std::sqrt(norm) && largest <= tolerance.largest * top)
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << "o: expected a relative error of " << tolerance.relative << ", got "
                                 << std::sqrt(error / norm) << " and at most " << largest;
  return text;
}

static std::string checkLse(const Tensor &lse, const Expected &expected, const Tolerance &tolerance) {
  for (auto [row, got, want, top] : llvm::enumerate(lse.reals, expected.lse.reals, expected.top)) {
    if (got == want || (std::isnan(got) && std::isnan(want)))
      continue;
    if (std::abs(got - want) <= tolerance.sum * (16 + 8 * top + 4 * std::abs(want)))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "lse: expected " << llvm::format("%.9g", want) << " in row " << row << ", got "
                                   << llvm::format("%.9g", got);
    return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One shape of one program
//===----------------------------------------------------------------------===//

namespace {
class ShapeTest {
public:
  ShapeTest(const AttentionCase &attention, const CompiledProgram &program, const CompiledProgram &oracle,
            const Sizes &sizes, MLIRContext &context, uint64_t seed)
      : attention(attention), program(program), oracle(oracle), sizes(sizes), random(seed),
        arguments(makeArguments(attention, sizes, context, random)), pairs(program, sizes, arguments),
        columns(attention.valueDepth) {}

  /// What is wrong, or nothing.
  std::string run();

private:
  Expected evaluate();
  std::string checkThreads();
  std::string checkBatches();
  std::string checkHidden();
  std::string checkFuture();
  std::string compareRows(ArrayRef<Array> other, function_ref<bool(int64_t row)> expectsSame, StringRef what) const;

  const AttentionCase &attention;
  const CompiledProgram &program, &oracle;
  Sizes sizes;
  Random random;
  SmallVector<Tensor> arguments;
  VisiblePairs pairs;
  int64_t columns;
  std::vector<Array> results;
};
} // namespace

/// The oracle's values have |v| beside v: magnitudes come out beside o.
Expected ShapeTest::evaluate() {
  SmallVector<Tensor> wide = arguments;
  const Tensor &v = arguments[2];
  wide[2] = Tensor::zeros(v.elementType, {sizes.batches, sizes.keyHeads, sizes.keys, 2 * columns});
  for (int64_t row = 0; row < v.rows(); ++row)
    for (int64_t d = 0; d < columns; ++d) {
      wide[2].row(row)[d] = v.row(row)[d];
      wide[2].row(row)[columns + d] = std::abs(v.row(row)[d]);
    }
  auto results = reference::Interpreter().evaluate(oracle.function(), wide);
  Expected expected{Tensor::zeros(v.elementType, {pairs.rows(), columns}),
                    Tensor::zeros(v.elementType, {pairs.rows(), columns}), (*results)[1],
                    std::vector<double>(pairs.rows())};
  double scale = 1 / std::sqrt(static_cast<double>(attention.depth));
  for (int64_t row = 0; row < pairs.rows(); ++row) {
    std::copy_n((*results)[0].row(row), columns, expected.o.row(row));
    std::copy_n((*results)[0].row(row) + columns, columns, expected.magnitude.row(row));
    double lse = expected.lse.reals[row];
    double &top = expected.top[row] = std::isfinite(lse) ? std::abs(lse) : 0;
    for (int64_t key = 0; key < sizes.keys; ++key)
      if (pairs.sees(row, key))
        top =
            std::max(top, scale * std::abs(reference::dot(arguments[0].row(row),
                                                          arguments[1].row(pairs.keyRow(row, key)), attention.depth)));
  }
  return expected;
}

std::string ShapeTest::compareRows(ArrayRef<Array> other, function_ref<bool(int64_t)> expectsSame,
                                   StringRef what) const {
  for (int64_t row = 0; row < pairs.rows(); ++row)
    if (expectsSame(row) && other[0].row(row) != results[0].row(row))
      return ("expected " + what + " to leave row " + Twine(row) + " as it was").str();
  return "";
}

std::string ShapeTest::checkThreads() {
  if (program.runsOnGpu())
    return "";
  for (int threads : {2, 3, 7})
    if (std::vector<Array> other = program.call(arguments, threads);
        other[0].bytes != results[0].bytes || other[1].bytes != results[1].bytes)
      return "expected " + std::to_string(threads) + " threads to change nothing";
  return "";
}

/// The last batch alone.
std::string ShapeTest::checkBatches() {
  if (attention.family.dropout != 0)
    return "";
  SmallVector<Tensor> single = arguments;
  for (auto [argument, operand] : llvm::zip(single, oracle.function().getArguments())) {
    bool perBatch = argument.rank() && argument.shape[0] == sizes.batches && operand.getArgNumber() < 3;
    for (const ClauseOperand &clause : attention.family.operands)
      perBatch |= &clause - attention.family.operands.data() + 3 == operand.getArgNumber() && clause.isPerBatch;
    if (!perBatch)
      continue;
    int64_t size = argument.size() / sizes.batches;
    auto keepLast = [&](auto &values) {
      values.erase(values.begin(), values.end() - std::min<int64_t>(size, values.size()));
    };
    keepLast(argument.reals);
    keepLast(argument.integers);
    argument.shape[0] = 1;
  }
  std::vector<Array> other = program.call(single);
  for (auto [one, many] : llvm::zip(other, results))
    if (StringRef(one.bytes.data(), one.bytes.size()) !=
        StringRef(many.bytes.data(), many.bytes.size()).take_back(one.bytes.size()))
      return "expected a batch alone to give the same bits";
  return "";
}

/// A key full of NaN or infinities: rows that see it are NaN, no other row notices.
std::string ShapeTest::checkHidden() {
  int64_t key = random.between(0, sizes.keys - 1);
  SmallVector<Tensor> poisoned = arguments;
  for (int64_t row = 0; row < sizes.batches * sizes.keyHeads; ++row) {
    for (int64_t d = 0; d < attention.depth; ++d)
      poisoned[1].row(row * sizes.keys + key)[d] = d % 2 ? INFINITY : NAN; // an infinite score may be -inf
    for (int64_t d = 0; d < columns; ++d)
      poisoned[2].row(row * sizes.keys + key)[d] = d % 2 ? -INFINITY : NAN;
  }
  std::vector<Array> other = program.call(poisoned);
  std::string wrong = compareRows(other, [&](int64_t row) { return !pairs.sees(row, key); }, "a hidden NaN");
  Tensor o = other[0].toTensor();
  for (int64_t row = 0; wrong.empty() && !attention.family.scoreHides && row < pairs.rows(); ++row)
    if (pairs.sees(row, key) && !std::isnan(o.row(row)[0]))
      wrong = "expected a NaN that row " + std::to_string(row) + " sees to make it NaN";
  return wrong;
}

/// Rows before position t whose keys all lie before t, after everything from t on has changed.
std::string ShapeTest::checkFuture() {
  int64_t t = random.between(0, sizes.keys - 1);
  SmallVector<Tensor> changed = arguments;
  for (int64_t row = 0; row < pairs.rows(); ++row)
    if (pairs.position(row) >= t)
      for (int64_t d = 0; d < attention.depth; ++d)
        changed[0].row(row)[d] = random.between(-3, 3);
  for (Tensor *x : {&changed[1], &changed[2]})
    for (int64_t row = 0; row < x->rows(); ++row)
      if (row % sizes.keys >= t)
        for (int64_t d = 0; d < x->columns(); ++d)
          x->row(row)[d] = random.between(-3, 3);
  return compareRows(
      program.call(changed), [&](int64_t row) { return pairs.looksBack(row, t); }, "a change of the future");
}

std::string ShapeTest::run() {
  results = program.call(arguments);
  Expected expected = evaluate();
  Tolerance tolerance = toleranceOf(attention.element);
  Tensor o = results[0].toTensor();
  std::string wrong = checkElements(o, expected, tolerance);
  if (wrong.empty())
    wrong = checkNorm(o, expected.o, tolerance);
  if (wrong.empty())
    wrong = checkLse(results[1].toTensor(), expected, tolerance);
  for (auto check :
       {&ShapeTest::checkThreads, &ShapeTest::checkBatches, &ShapeTest::checkHidden, &ShapeTest::checkFuture})
    if (wrong.empty())
      wrong = (this->*check)();
  return wrong;
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

static Sizes sampleSizes(const Family &family, Random &random, ArrayRef<int64_t> keyChoices,
                         ArrayRef<int64_t> queryChoices) {
  auto [count, keyHeads] = random.oneOf(heads);
  int64_t batches = random.between(1, 3);
  int64_t keys = random.oneOf(keyChoices), queries = random.between(0, 2) ? keys : random.oneOf(queryChoices);
  if (family.fixedKeys)
    keys = queries = family.fixedKeys;
  if (keys * queries > 100 * 1024) // the interpreter's time
    batches = count = keyHeads = 1;
  return {batches, count, keyHeads, queries, keys};
}

/// The first shape may be a long one.
static std::vector<Sizes> sampleShapes(const Family &family, Random &random, unsigned count) {
  std::vector<Sizes> samples;
  ArrayRef<int64_t> any(lengths), common = any.drop_back(2);
  auto isShort = [](int64_t length) { return length <= longest; };
  any = any.take_while(isShort);
  common = common.take_while(isShort);
  if (all && !family.fixedKeys) {
    for (int64_t length : lengths)
      samples.push_back(sampleSizes(family, random, length, any));
    return samples;
  }
  for (unsigned n = 0; n < count; ++n) {
    ArrayRef<int64_t> choices = n ? common : any;
    samples.push_back(sampleSizes(family, random, choices, choices));
  }
  return samples;
}

/// One batch where the interpreter's gradient would take long, and then fewer queries.
static Sizes limitWork(const AttentionCase &attention, Sizes sizes) {
  constexpr double most = 3e7;
  sizes.heads = attention.heads;
  sizes.keyHeads = attention.keyHeads;
  double terms = sizes.heads * sizes.keys * (3.0 * attention.depth + 4.0 * attention.valueDepth + sizes.keys);
  if (sizes.batches * sizes.queries * terms > most)
    sizes.batches = 1;
  if (!attention.family.fixedKeys && sizes.queries * terms > most)
    sizes.queries = std::clamp<int64_t>(most / terms, 1, sizes.queries);
  return sizes;
}

/// With sampled shapes, and gradients of the given ones.
static unsigned runProgram(const AttentionCase &attention, MLIRContext &context, uint64_t number,
                           ArrayRef<Sizes> given = {}) {
  CompileOptions options;
  options.cpu = cpu;
  options.vectorBits = vectorBits;
  options.entries = {"attend"};
  if (gradientShapes)
    options.vjpEntries = {"gradient"};
  options.gpus.assign(gpus.begin(), gpus.end());
  if (!gpus.empty())
    options.optLevel = 0; // of code for the CPU
  auto program = CompiledProgram::create(attention.withGradient(), context, options);
  auto oracle = CompiledProgram::parse(attention.program(2 * attention.valueDepth), context);
  if (!program || !oracle) {
    llvm::errs() << attention.str() << ": expected a program that compiles\n";
    return 1;
  }
  Random random(number);
  unsigned failures = 0;
  auto report = [&](const Sizes &sizes, StringRef wrong) {
    failures += !wrong.empty();
    if (!wrong.empty())
      llvm::errs() << attention.str() << " " << sizes.str() << ": " << wrong << "\n";
  };
  for (auto [n, sizes] : llvm::enumerate(sampleShapes(attention.family, random, shapes)))
    report(sizes, ShapeTest(attention, *program, *oracle, sizes, context, number + n).run());
  std::vector<Sizes> gradients = sampleShapes(attention.family, random, gradientShapes);
  if (gradientShapes)
    gradients.insert(gradients.end(), given.begin(), given.end());
  for (auto [n, whole] : llvm::enumerate(gradients)) {
    Sizes sizes = limitWork(attention, whole);
    report(sizes, GradientTest(attention, *program, sizes, context, number + n).run());
  }
  return failures;
}

static std::vector<AttentionCase> sampleCases(const Family &family, Random &random) {
  static constexpr StringLiteral elements[] = {"f32", "f32", "f32", "f64", "f64", "bf16", "f16"};
  std::vector<AttentionCase> cases;
  auto add = [&](std::string element, int64_t depth, int64_t valueDepth) {
    auto [count, keyHeads] = random.oneOf(heads);
    cases.push_back({family, std::move(element), depth, valueDepth, count, keyHeads});
  };
  if (all) {
    for (StringRef element : {"f32", "f64", "bf16", "f16"})
      for (int64_t depth : headSizes)
        for (int64_t valueDepth : headSizes)
          add(element.str(), depth, valueDepth);
    return cases;
  }
  for (unsigned n = 0; n < programs; ++n)
    add(random.oneOf(elements).str(), random.oneOf(headSizes), random.oneOf(headSizes));
  return cases;
}

/// The gradient of the value of a key that one query sees is one probability: its error must not depend on how far the
/// score is from the sum of all.
static unsigned runOneQuery(const Family &family, MLIRContext &context) {
  AttentionCase attention{family, "f32", /*depth=*/256, /*valueDepth=*/33, /*heads=*/1, /*keyHeads=*/1};
  return runProgram(attention, context, seed, Sizes{2, 1, 1, /*queries=*/1, /*keys=*/1024});
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Compares compiled attention with its definition\n");
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::errs() << diagnostic << "\n";
    return success(); // remarks are no news here
  });
  Random random(seed);
  unsigned failures = 0, count = 0;
  for (const Family &family : attentionFamilies()) {
    std::vector<AttentionCase> cases = sampleCases(family, random);
    if (!StringRef(family.name).contains(only))
      continue;
    for (const AttentionCase &attention : cases)
      failures += runProgram(attention, context, seed + 1000 * ++count);
    if (StringRef(family.name) == "causal")
      failures += runOneQuery(family, context);
  }
  llvm::outs() << count << " programs, " << failures << " failures, seed " << seed << "\n";
  return failures != 0;
}
