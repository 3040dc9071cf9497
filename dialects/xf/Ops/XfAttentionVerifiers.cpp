//===- XfAttentionVerifiers.cpp - What attention refuses ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the constraints C1, C2, .. of xf.attention and of its gradient, in this order (docs/specification.md, "What
// the verifier refuses"). The pattern stage verifies the constraints that need a proof about the pattern: whether it is
// empty, and whether it is causal.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfAttentionCall.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "dialects/xf/Scores/ScoreReads.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// C1 to C5: shapes, types, scale
//===----------------------------------------------------------------------===//

/// Verifies that the number of query heads is a multiple of `shared`, the number of key heads or of value heads. `what`
/// names these heads in the error.
static LogicalResult verifyHeads(const AttentionCall &call, StringRef what, int64_t shared) {
  int64_t heads = call.heads();
  if (ShapedType::isDynamic(shared) || (shared > 0 && (ShapedType::isDynamic(heads) || heads % shared == 0)))
    return success(); // C2
  return call.op->emitOpError("expected a number of query heads that is a multiple of the ")
         << what << " heads, got " << shapeText(heads) << " and " << shapeText(shared);
}

/// Verifies the shapes and the element types of q, k, v.
static LogicalResult verifyOperands(const AttentionCall &call) {
  for (auto [what, value] : {std::pair("q", call.q), std::pair("k", call.k), std::pair("v", call.v)})
    if (failed(verifyRank(call.op, what, value, 4))) // C1
      return failure();
  int64_t batches = call.batches();
  if (failed(verifyShape(call.op, "k", call.k, {batches, shapeOf(call.k)[1], call.keys(), call.depth()})) || // C1
      failed(verifyShape(call.op, "v", call.v, {batches, shapeOf(call.v)[1], call.keys(), shapeOf(call.v)[3]})))
    return failure();
  return success(succeeded(verifyHeads(call, "key", shapeOf(call.k)[1])) &&
                 succeeded(verifyHeads(call, "value", shapeOf(call.v)[1])) &&
                 succeeded(verifyOneElementType(call.op, {call.q, call.k, call.v}))); // C3
}

/// Verifies the type and shape of `lse`, which is one of the operands lse and d_lse. Errors call it `what`. A null
/// value is valid.
static LogicalResult verifyLse(const AttentionCall &call, StringRef what, Value lse) {
  if (!lse)
    return success();
  Type type = getElementTypeOrSelf(lse);
  if (type != call.accumulator() && !type.isF64()) // C1; f64 keeps all digits for the gradient
    return call.op->emitOpError("expected ") << what << " of " << call.accumulator() << ", got " << lse.getType();
  return verifyShape(call.op, what, lse, call.rowShape()); // C1
}

static LogicalResult verifySizes(const AttentionCall &call) {
  if (!checkedProduct({call.batches(), call.heads(), call.queries(), call.keys()})) // C4
    return call.op->emitOpError("expected fewer than 2^63 pairs, got ")
           << call.q.getType() << " and " << call.k.getType();
  if (call.scale && !call.scale->isFinite()) // C5
    return call.op->emitOpError("expected a finite scale, got ") << (call.scale->isNaN()        ? "nan"
                                                                     : call.scale->isNegative() ? "-inf"
                                                                                                : "inf");
  if (!call.scale && call.depth() == 0) // C5
    return call.op->emitOpError("expected a scale where D is 0, got none");
  return success();
}

//===----------------------------------------------------------------------===//
// C7 and C8: clauses
//===----------------------------------------------------------------------===//

/// Verifies that the clause `clause` is present if `isNeeded` (the pattern needs it), and absent otherwise. `isThere`
/// tells whether it is present. `options` are the names of the clause in the C++ frontend, for the error.
static LogicalResult verifyPresence(const AttentionCall &call, StringRef clause, StringRef options, bool isNeeded,
                                    bool isThere) {
  if (isNeeded == isThere) // C7
    return success();
  InFlightDiagnostic error = call.op->emitOpError("expected ");
  if (isNeeded)
    return error << "a clause '" << clause << "' (in C++, " << options << ") for the pattern, got none";
  return error << "a pattern that uses the clause '" << clause << "', got " << call.pattern;
}

static bool uses(xf::Pattern pattern, function_ref<bool(Attribute)> isUser) {
  WalkResult result =
      pattern.walk([&](Attribute part) { return isUser(part) ? WalkResult::interrupt() : WalkResult::advance(); });
  return result.wasInterrupted();
}

/// Returns the number of run-time symbols that a pattern uses. Leaf patterns share symbols: equal indices mean the same
/// symbol.
static size_t countSymbols(xf::Pattern pattern) {
  size_t symbols = 0;
  pattern.walk([&](Attribute part) {
    if (auto affine = dyn_cast<AffinePatternAttr>(part))
      symbols = std::max<size_t>(symbols, affine.getSet().getNumSymbols() - 2);
    if (auto prefix = dyn_cast<PrefixPatternAttr>(part); prefix && !prefix.getLength())
      symbols = std::max<size_t>(symbols, 1);
  });
  return symbols;
}

static LogicalResult verifySymbols(const AttentionCall &call) {
  if (size_t needed = countSymbols(call.pattern); call.symbols.size() != needed) // C7
    return call.op->emitOpError("expected ") << needed << " symbols for the pattern, got " << call.symbols.size();
  SmallVector<int64_t> rows = call.rowShape();
  for (Value symbol : call.symbols) {
    size_t rank = std::min<size_t>(shapeOf(symbol).size(), 2);
    if (!compatible(shapeOf(symbol), ArrayRef(rows).take_front(rank))) // C7
      return call.op->emitOpError("expected a symbol of shape [], ")
             << shapeText(ArrayRef(rows).take_front(1)) << " or " << shapeText(ArrayRef(rows).take_front(2)) << ", got "
             << symbol.getType();
  }
  return success();
}

/// Verifies the operands of the clause `table`. They are either block CSR, which is two vectors, offsets and columns,
/// or columns alone. Columns alone have the shape RxC for all heads, BxRxC by batch entry, or BxHxRxC by batch entry
/// and head.
static LogicalResult verifyTable(const AttentionCall &call) {
  if (call.tableOffsets) {
    for (Value part : {call.tableOffsets, call.tableColumns})
      if (failed(verifyRank(call.op, "a table", part, 1))) // C7
        return failure();
    if (shapeOf(call.tableOffsets)[0] == 0) // C7
      return call.op->emitOpError("expected at least one table offset, got ") << call.tableOffsets.getType();
    return success();
  }
  if (!call.tableColumns)
    return success();
  SmallVector<int64_t> rows = call.rowShape();
  ArrayRef<int64_t> shape = shapeOf(call.tableColumns);
  bool fits = shape.size() >= 2 && shape.size() <= 4 &&
              compatible(shape.drop_back(2), ArrayRef(rows).take_front(shape.size() - 2));
  if (!fits) // C7
    return call.op->emitOpError("expected table columns RxC with nothing, ")
           << shapeText(ArrayRef(rows).take_front(1)) << " or " << shapeText(ArrayRef(rows).take_front(2))
           << " before them, or offsets and columns of rank 1, got " << call.tableColumns.getType();
  return success();
}

static LogicalResult verifyPart(const AttentionCall &call) {
  if (!call.part)
    return success();
  if (isa<KernelizedPatternAttr, LowRankPatternAttr>(call.pattern)) // C14
    return call.op->emitOpError("expected a pattern of pairs where there is a part, got ") << call.pattern;
  return verifyShape(call.op, "a part", call.part, {1, 2}); // C14
}

static LogicalResult verifyRunTimeClauses(const AttentionCall &call) {
  bool usesTable = uses(call.pattern, llvm::IsaPred<TablePatternAttr>);
  bool usesSegments = uses(call.pattern, llvm::IsaPred<SegmentsPatternAttr>);
  if (failed(verifyPresence(call, "table", ".table_columns", usesTable, call.tableColumns != nullptr)) ||
      failed(verifyTable(call)))
    return failure();
  for (Value part : {call.segmentsQ, call.segmentsK})
    if (failed(verifyPresence(call, "segments", ".query_segments and .key_segments", usesSegments, part != nullptr)))
      return failure();
  int64_t batches = call.batches();
  int64_t queries = call.part ? ShapedType::kDynamic : call.queries(); // of a part the segments are of all queries
  return success(succeeded(verifyShape(call.op, "lengths", call.lengths, batches)) && // C7
                 succeeded(verifyShape(call.op, "query_lengths", call.queryLengths, batches)) &&
                 succeeded(verifyShape(call.op, "query segments", call.segmentsQ, {batches, queries})) &&
                 succeeded(verifyShape(call.op, "key segments", call.segmentsK, {batches, call.keys()})) &&
                 succeeded(verifySymbols(call)) && succeeded(verifyPart(call)));
}

/// The smallest and the largest number of matrices that the clause `params` may hold, and the shape of a matrix.
namespace {
struct Params {
  size_t least = 0, most = 0;
  int64_t rows = ShapedType::kDynamic, columns = ShapedType::kDynamic;
};
} // namespace

static Params paramsOf(const AttentionCall &call) {
  if (auto kernelized = dyn_cast<KernelizedPatternAttr>(call.pattern)) {
    if (!call.feature.empty())
      return {};
    return {isExponential(kernelized.getFeature()) ? 1u : 0u, 1, ShapedType::kDynamic, call.depth()};
  }
  if (auto lowRank = dyn_cast<LowRankPatternAttr>(call.pattern))
    if (llvm::is_contained({Projection::k_learned, Projection::k_strided_conv}, lowRank.getProjection()))
      return {1, 2};
  return {};
}

/// Verifies `param`, the matrix of a learned projection of `projected`: E projects keys, F projects values. The matrix
/// must have at least as many rows as there are keys. There is one matrix for all heads, or one for each head of
/// `projected`.
static LogicalResult verifyProjection(const AttentionCall &call, Value param, Value projected, int64_t rank) {
  SmallVector<int64_t> shape = {ShapedType::kDynamic, rank};
  if (shapeOf(param).size() == 3)
    shape.insert(shape.begin(), shapeOf(projected)[1]);
  if (failed(verifyShape(call.op, "params", param, shape))) // C7
    return failure();
  int64_t rows = shapeOf(param).end()[-2];
  if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(call.keys()) || rows >= call.keys()) // C7
    return success();
  return call.op->emitOpError("expected params of at least ") << call.keys() << " rows, got " << param.getType();
}

/// Verifies `param`, the weights of a strided convolution of `projected` (k or v). They have a row for each key of a
/// block, and a column for each channel. There are `rank` blocks.
static LogicalResult verifyConvolution(const AttentionCall &call, Value param, Value projected, int64_t rank) {
  int64_t keys = call.keys(), block = ShapedType::isDynamic(keys) ? keys : llvm::divideCeil(keys, rank);
  return verifyShape(call.op, "params", param, {block, shapeOf(projected)[3]}); // C7
}

static LogicalResult verifyLowRankParams(const AttentionCall &call, LowRankPatternAttr pattern) {
  auto verify = pattern.getProjection() == Projection::k_learned ? verifyProjection : verifyConvolution;
  if (call.params.empty())
    return success();
  return success(succeeded(verify(call, call.params.front(), call.k, pattern.getRank())) &&
                 succeeded(verify(call, call.params.back(), call.v, pattern.getRank())) &&
                 succeeded(verifyOneElementType(call.op, {call.q, call.params.front(), call.params.back()})));
}

static LogicalResult verifyParams(const AttentionCall &call) {
  Params params = paramsOf(call);
  if (call.params.size() < params.least || call.params.size() > params.most) { // C7
    InFlightDiagnostic error = call.op->emitOpError("expected ") << params.least;
    if (params.most != params.least)
      error << " to " << params.most;
    return error << " params (in C++, .parameters) for the pattern, got " << call.params.size();
  }
  if (auto lowRank = dyn_cast<LowRankPatternAttr>(call.pattern))
    return verifyLowRankParams(call, lowRank);
  for (Value param : call.params) {
    if (failed(verifyShape(call.op, "params", param, {params.rows, params.columns}))) // C7
      return failure();
    if (shapeOf(param)[0] == 0) // C7
      return call.op->emitOpError("expected params of at least 1 rows, got ") << param.getType();
  }
  return success();
}

static LogicalResult verifyDropout(const AttentionCall &call) {
  if (call.dropout.has_value() != (call.seed != nullptr)) // C8
    return call.op->emitOpError("expected dropout with a seed, got one of the two");
  if (!call.dropout)
    return success();
  if (failed(verifyShape(call.op, "a seed", call.seed, 2))) // C8
    return failure();
  return verifyNumber(call.op, "a probability of dropout", *call.dropout, 0, 1); // C8
}

//===----------------------------------------------------------------------===//
// C9: score
//===----------------------------------------------------------------------===//

static LogicalResult verifyScoreArguments(const AttentionCall &call) {
  auto arguments = call.score.getArguments();
  bool fits = arguments.size() == 5 + call.captures.size() && arguments[0].getType() == call.accumulator() &&
              llvm::all_of(arguments.slice(1, 4), [](Value index) { return index.getType().isIndex(); }) &&
              TypeRange(ValueRange(arguments.drop_front(5))) == TypeRange(call.captures);
  if (fits) // C9
    return success();
  return call.op->emitOpError("expected a score region that takes (")
         << call.accumulator() << ", index, index, index, index, captures..), got " << TypeRange(ValueRange(arguments));
}

static LogicalResult verifyScore(const AttentionCall &call) {
  if (call.score.empty()) {
    if (call.captures.empty()) // C9
      return success();
    return call.op->emitOpError("expected a score region that takes the captures, got none");
  }
  Block &body = call.score.front();
  if (failed(verifyScoreArguments(call)) || failed(verifyScalarRegion(call.op, body, /*mayExtract=*/true))) // C9
    return failure();
  TypeRange yielded = body.getTerminator()->getOperandTypes();
  if (yielded.size() != 1 || yielded.front() != call.accumulator()) // C9
    return call.op->emitOpError("expected the score region to yield one ") << call.accumulator() << ", got " << yielded;
  return verifyScoreReads(call); // C9
}

/// Verifies the pattern itself. If the number of keys is static, also verifies that the pattern allows this number.
static LogicalResult verifyPattern(const AttentionCall &call) {
  auto emitError = [&] { return call.op->emitOpError(); };
  if (failed(call.pattern.verifyPattern(emitError))) // C6
    return failure();
  return ShapedType::isDynamic(call.keys()) ? success() : verifyTokens(call.pattern, call.keys(), emitError); // C6
}

static LogicalResult verifyCall(const AttentionCall &call) {
  return success(succeeded(verifyOperands(call)) && succeeded(verifySizes(call)) && succeeded(verifyPattern(call)) &&
                 succeeded(verifyKernelizedClauses(call)) && succeeded(verifyRunTimeClauses(call)) &&
                 succeeded(verifyParams(call)) && succeeded(verifyDropout(call)) && succeeded(verifyScore(call)));
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  AttentionCall call(*this);
  if (failed(verifyCall(call)))
    return failure();
  if (getLse() && isa<KernelizedPatternAttr>(getPattern())) // C10
    return emitOpError("expected kernelised attention without an lse result, got one");
  return success(succeeded(verifyShape(*this, "o", getO(), call.resultShape())) && // C1
                 succeeded(verifyOneElementType(*this, {getQ(), getO()})) &&       // C3
                 succeeded(verifyLse(call, "lse", getLse())));
}

/// Verifies that each gradient has the type of its value. `what` names the values in the error.
static LogicalResult verifyGradients(Operation *op, StringRef what, ArrayRef<Value> values, ValueRange gradients) {
  SmallVector<Type> expected = llvm::map_to_vector(values, [](Value value) { return value.getType(); });
  if (TypeRange(expected) == gradients.getTypes()) // C2
    return success();
  return op->emitOpError("expected gradients of ")
         << what << " of types " << expected << ", got " << gradients.getTypes();
}

/// Verifies o, lse and their cotangents.
static LogicalResult verifyCotangents(AttentionVjpOp op, const AttentionCall &call) {
  Value lse = op.getLse(), dLse = op.getDLse();
  if ((lse == nullptr) != isa<KernelizedPatternAttr>(op.getPattern()) || (dLse && !lse)) // C5
    return op.emitOpError("expected an lse, but none of kernelised attention, got ") << (lse ? "one" : "none");
  SmallVector<int64_t> shape = call.resultShape();
  return success(succeeded(verifyShape(op, "o", op.getO(), shape)) &&                       // C1
                 succeeded(verifyShape(op, "d_o", op.getDO(), shape)) &&                    // C1
                 succeeded(verifyOneElementType(op, {op.getQ(), op.getO(), op.getDO()})) && // C1
                 succeeded(verifyLse(call, "lse", lse)) && succeeded(verifyLse(call, "d_lse", dLse)));
}

/// Returns the types that the derivative region of `op` must yield: for s' and ds'/ds, then for each read of a captured
/// tensor, for the indices of the element that is read and the derivative by this element. Fails, after an error, if a
/// captured tensor that is read does not have floats.
static FailureOr<SmallVector<Type>> typesOfDerivative(AttentionVjpOp op, Type score) {
  SmallVector<Type> types = {score, score};
  int64_t captures = op.getCaptures().size();
  for (int64_t read : op.getReadsAttr().asArrayRef()) {
    bool isCapture = read >= 0 && read < captures;
    if (!isCapture || !isa<FloatType>(getElementTypeOrSelf(op.getCaptures()[read]))) // C6
      return op.emitOpError("expected reads of floating-point captures, got number ")
             << read << " of " << op.getCaptures().getTypes();
    types.append(shapeOf(op.getCaptures()[read]).size(), IndexType::get(op.getContext()));
    types.push_back(score);
  }
  return types;
}

/// Verifies the derivative region of a gradient and its attribute `reads`, the indices of the captures that it reads.
static LogicalResult verifyDerivative(AttentionVjpOp op, const AttentionCall &call) {
  bool hasReads = op.getReads().has_value(), hasDerivative = !op.getDerivative().empty();
  if (hasReads != hasDerivative) // C4
    return op.emitOpError("expected reads and a derivative region, or neither, got one of the two");
  if (!hasDerivative)
    return success();
  if (op.getDerivative().getArgumentTypes() != op.getScore().getArgumentTypes()) // C7
    return op.emitOpError("expected a derivative region with the arguments of the score region, got ")
           << op.getDerivative().getArgumentTypes();
  FailureOr<SmallVector<Type>> types = typesOfDerivative(op, call.accumulator());
  Block &body = op.getDerivative().front();
  if (failed(types) || failed(verifyScalarRegion(op, body, /*mayExtract=*/true))) // C7
    return failure();
  TypeRange yielded = body.getTerminator()->getOperandTypes();
  if (yielded == TypeRange(*types)) // C7
    return success();
  return op.emitOpError("expected the derivative region to yield ") << *types << ", got " << yielded;
}

/// Verifies the types of the gradients of q, k and v. With a part of the queries, d_k and d_v are summands, and may
/// have the type of scores.
static LogicalResult verifyMatrixGradients(AttentionVjpOp op, const AttentionCall &call) {
  auto isSummand = [&](Value of, Value gradient) {
    return gradient.getType() == cast<RankedTensorType>(of.getType()).clone(call.accumulator());
  };
  if (call.part && isSummand(call.k, op.getDK()) && isSummand(call.v, op.getDV()))
    return verifyGradients(op, "q", {call.q}, {op.getDQ()});
  return verifyGradients(op, "q, k and v", {call.q, call.k, call.v}, {op.getDQ(), op.getDK(), op.getDV()});
}

LogicalResult AttentionVjpOp::verify() {
  AttentionCall call(*this);
  if (failed(verifyCall(call))) // C3
    return failure();
  if (failed(verifyCotangents(*this, call)) || failed(verifyDerivative(*this, call)))
    return failure();
  auto floatsOf = [](ValueRange values) {
    return llvm::filter_to_vector(values, [](Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); });
  };
  auto asList = [](Value value) { return value ? SmallVector<Value>{value} : SmallVector<Value>(); };
  return success(
      succeeded(verifyMatrixGradients(*this, call)) &&
      succeeded(verifyGradients(*this, "params", SmallVector<Value>(getParams()), getDParams())) &&
      succeeded(verifyGradients(*this, "decay", asList(getDecay()), asList(getDDecay()))) &&
      succeeded(verifyGradients(*this, "beta", asList(getBeta()), asList(getDBeta()))) &&
      succeeded(verifyGradients(*this, "relative", asList(getRelative()), asList(getDRelative()))) &&
      succeeded(verifyGradients(*this, "feature captures", floatsOf(getFeatureCaptures()), getDFeatureCaptures())) &&
      succeeded(verifyGradients(*this, "captures", floatsOf(getCaptures()), getDCaptures())));
}

LogicalResult YieldOp::verify() {
  if (isa<FunctionOpInterface>((*this)->getParentOp())) // C1
    return emitOpError("expected the region of an op, got the body of a function");
  return success();
}
