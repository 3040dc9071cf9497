//===- XfSizes.cpp - Symbolic sizes of a program --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// #xf.size
//===----------------------------------------------------------------------===//

static FailureOr<SizeExpression> parseSum(AsmParser &parser);

static FailureOr<SizeExpression> parsePrimary(AsmParser &parser) {
  int64_t number;
  OptionalParseResult isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value())
    return failed(*isNumber) ? FailureOr<SizeExpression>(failure()) : SizeExpression(number);
  if (succeeded(parser.parseOptionalLParen())) {
    FailureOr<SizeExpression> inner = parseSum(parser);
    if (failed(inner) || parser.parseRParen())
      return failure();
    return inner;
  }
  std::string name;
  if (succeeded(parser.parseOptionalKeywordOrString(&name)))
    return SizeExpression::ofName(name);
  return parser.emitError(parser.getCurrentLocation(), "expected a size: a number, a name or (");
}

static FailureOr<SizeExpression> parseTerm(AsmParser &parser) {
  FailureOr<SizeExpression> result = parsePrimary(parser);
  while (succeeded(result)) {
    if (succeeded(parser.parseOptionalStar())) {
      FailureOr<SizeExpression> factor = parsePrimary(parser);
      if (failed(factor))
        return failure();
      result = *result * *factor;
    } else if (succeeded(parser.parseOptionalSlash())) {
      int64_t divisor;
      SMLoc place = parser.getCurrentLocation();
      if (parser.parseInteger(divisor))
        return failure();
      if (divisor < 1) // C1
        return parser.emitError(place, "expected a divisor of at least 1, got ") << divisor;
      result = floorQuotient(*result, divisor);
    } else {
      break;
    }
  }
  return result;
}

static FailureOr<SizeExpression> parseSum(AsmParser &parser) {
  SMLoc place = parser.getCurrentLocation();
  bool isNegative = succeeded(parser.parseOptionalMinus());
  FailureOr<SizeExpression> result = parseTerm(parser);
  if (succeeded(result) && isNegative)
    result = SizeExpression(0) - *result;
  while (succeeded(result)) {
    bool isSum = succeeded(parser.parseOptionalPlus());
    if (!isSum && failed(parser.parseOptionalMinus()))
      break;
    FailureOr<SizeExpression> term = parseTerm(parser);
    if (failed(term))
      return failure();
    result = isSum ? *result + *term : *result - *term;
  }
  if (succeeded(result) && !result->isValid()) // C1
    return parser.emitError(place, "expected a size whose numbers fit into 64 bits");
  return result;
}

/// Returns an expression as the parser reads it: names that are no identifiers are strings.
static std::string printedText(const SizeExpression &size) {
  return size.text([](const std::string &name) {
    bool isIdentifier = !name.empty() && (isalpha(name[0]) || name[0] == '_') &&
                        llvm::all_of(name, [](char c) { return isalnum(c) || c == '_' || c == '.' || c == '$'; });
    if (isIdentifier)
      return name;
    std::string quoted;
    llvm::raw_string_ostream os(quoted);
    os << '"';
    llvm::printEscapedString(name, os);
    os << '"';
    return quoted;
  });
}

Attribute SizeAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<SizeExpression> size = parseSum(parser);
  if (failed(size) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *size);
}

void SizeAttr::print(AsmPrinter &printer) const { printer << '<' << printedText(getExpression()) << '>'; }

LogicalResult SizeAttr::verify(function_ref<InFlightDiagnostic()> emitError, SizeExpression size) {
  if (!size.isValid()) // C1
    return emitError() << "expected a size whose numbers fit into 64 bits";
  return success();
}

//===----------------------------------------------------------------------===//
// Lists of sizes
//===----------------------------------------------------------------------===//

ParseResult xf::parseSizes(OpAsmParser &parser, ArrayAttr &sizes) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<SizeExpression> size = parseSum(parser);
        if (succeeded(size))
          list.push_back(SizeAttr::get(parser.getContext(), *size));
        return failure(failed(size));
      }))
    return failure();
  sizes = parser.getBuilder().getArrayAttr(list);
  return success();
}

void xf::printSizes(OpAsmPrinter &printer, Operation *, ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(sizes.getAsRange<SizeAttr>(), printer,
                        [&](SizeAttr size) { printer << printedText(size.getExpression()); });
  printer << ']';
}

ParseResult xf::parsePositions(OpAsmParser &parser, DenseI64ArrayAttr &numbers, ArrayAttr &sizes) {
  ArrayAttr positions;
  if (parseSizes(parser, positions))
    return failure();
  SizeExpressions list;
  for (auto position : positions.getAsRange<SizeAttr>())
    list.push_back(position.getExpression());
  auto [constants, others] = splitPositions(parser.getContext(), list);
  numbers = parser.getBuilder().getDenseI64ArrayAttr(constants);
  sizes = others;
  return success();
}

void xf::printPositions(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr numbers, ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(positionsOf(numbers, sizes), printer,
                        [&](const SizeExpression &position) { printer << printedText(position); });
  printer << ']';
}

SizeExpressions xf::positionsOf(ArrayRef<int64_t> numbers, ArrayAttr starts) {
  SizeExpressions positions;
  size_t taken = 0;
  for (int64_t number : numbers) {
    bool isSize = ShapedType::isDynamic(number) && starts && taken < starts.size();
    positions.push_back(isSize ? cast<SizeAttr>(starts[taken++]).getExpression() : SizeExpression(number));
  }
  return positions;
}

std::pair<SmallVector<int64_t>, ArrayAttr> xf::splitPositions(MLIRContext *context,
                                                              ArrayRef<SizeExpression> positions) {
  SmallVector<int64_t> numbers;
  SmallVector<Attribute> others;
  for (const SizeExpression &position : positions) {
    numbers.push_back(position.constant().value_or(ShapedType::kDynamic));
    if (!position.constant())
      others.push_back(SizeAttr::get(context, position));
  }
  return {numbers, others.empty() ? ArrayAttr() : ArrayAttr::get(context, others)};
}

ArrayAttr xf::sizesAttr(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<SizeExpression> sizes) {
  SmallVector<Attribute> list;
  for (auto [extent, size] : llvm::zip(shape, sizes))
    if (ShapedType::isDynamic(extent))
      list.push_back(SizeAttr::get(context, size));
  return list.empty() ? ArrayAttr() : ArrayAttr::get(context, list);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

std::string xf::sizeName(FunctionOpInterface function, unsigned argument, int64_t dimension) {
  auto name = function.getArgAttrOfType<StringAttr>(argument, "xf.name");
  return (name ? name.str() : "arg" + std::to_string(argument)) + "." + std::to_string(dimension);
}

SymbolicSizes::SymbolicSizes(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  addArguments(function);
  for (Block &block : function.getFunctionBody())
    addBlock(block);
}

SizeExpression::Range SymbolicSizes::rangeOf(const std::string &name) const {
  auto found = ranges.find(name);
  return found == ranges.end() ? SizeExpression::Range{0, INT32_MAX} : found->second;
}

/// Names the sizes of arguments. A private function is called with sizes that it has no names for, unless xf.dims says
/// what they are.
void SymbolicSizes::addArguments(FunctionOpInterface function) {
  for (auto [number, argument] : llvm::enumerate(function.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto dims = function.getArgAttrOfType<ArrayAttr>(number, "xf.dims");
    if (!type || (!type.hasStaticShape() && !dims && function.isPrivate()))
      continue;
    SizeExpressions &own = sizes[argument];
    size_t taken = 0;
    for (auto [d, extent] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(extent)) {
        own.push_back(SizeExpression(extent));
        continue;
      }
      Attribute dim = dims ? dims[taken++] : Attribute();
      if (auto named = dyn_cast_or_null<DimAttr>(dim)) {
        own.push_back(SizeExpression::ofName(named.getName().str()));
        ranges[named.getName()] = {named.getMin(), named.getMax()};
      } else if (auto size = dyn_cast_or_null<SizeAttr>(dim)) {
        own.push_back(size.getExpression());
      } else {
        own.push_back(SizeExpression::ofName(sizeName(function, number, d)));
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void SymbolicSizes::addBlock(Block &block) {
  for (Operation &op : block) {
    if (auto checkpoint = dyn_cast<CheckpointOp>(op)) {
      Block &body = checkpoint.getBody().front();
      for (auto [argument, input] : llvm::zip(body.getArguments(), checkpoint.getInputs()))
        if (const SizeExpressions *known = of(input))
          sizes[argument] = SizeExpressions(*known);
      addBlock(body);
      for (auto [result, yielded] : llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
        if (const SizeExpressions *known = of(yielded))
          sizes[result] = SizeExpressions(*known);
      continue;
    }
    addResults(&op);
  }
}

void SymbolicSizes::addResults(Operation *op) {
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SizeExpressions own(type.getShape().begin(), type.getShape().end());
    if (type.hasStaticShape()) {
      sizes[result] = std::move(own);
      continue;
    }
    auto listed = op->getAttrOfType<ArrayAttr>("sizes");
    std::optional<SizeExpressions> found = listed ? std::nullopt : inferred(op, result);
    if (!listed && (!found || found->size() != own.size()))
      continue;
    size_t taken = 0;
    for (auto [d, extent] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(extent))
        own[d] = listed ? cast<SizeAttr>(listed[taken++]).getExpression() : (*found)[d];
    sizes[result] = std::move(own);
  }
}

/// Returns the sizes that values broadcast to in `rank` dimensions; nullopt if one of them is not known.
std::optional<SizeExpressions> SymbolicSizes::broadcast(ValueRange values, int64_t rank) const {
  SizeExpressions result(rank, SizeExpression(1));
  for (Value value : values) {
    const SizeExpressions *own = of(value);
    if (!own || static_cast<int64_t>(own->size()) > rank)
      return std::nullopt;
    for (auto [size, other] : llvm::zip(MutableArrayRef(result).take_back(own->size()), *own))
      if (size.constant() == 1)
        size = other;
  }
  return result;
}

/// Returns the product of sizes but those in `without`.
static SizeExpression productOf(ArrayRef<SizeExpression> sizes) {
  SizeExpression product(1);
  for (const SizeExpression &size : sizes)
    product = product * size;
  return product;
}

/// Returns the sizes of a reshape that lists none: dynamic ones are those of x in order, the last is what is left.
static std::optional<SizeExpressions> reshaped(ReshapeOp op, const SizeExpressions &x) {
  SizeExpressions dynamic, result;
  for (auto [size, extent] : llvm::zip(x, op.getX().getType().getShape()))
    if (ShapedType::isDynamic(extent))
      dynamic.push_back(size);
  SizeExpression known(1);
  int64_t waiting = op.getType().getNumDynamicDims(), last = -1;
  size_t taken = 0;
  for (auto [d, extent] : llvm::enumerate(op.getType().getShape())) {
    if (ShapedType::isDynamic(extent) && --waiting == 0)
      last = d;
    bool isTaken = ShapedType::isDynamic(extent) && last < 0;
    result.push_back(isTaken ? (taken < dynamic.size() ? dynamic[taken++] : SizeExpression(1))
                             : SizeExpression(extent));
    if (last != static_cast<int64_t>(d))
      known = known * result.back();
  }
  std::optional<SizeExpression> left = exactQuotient(productOf(x), known);
  if (!left && known.constant().value_or(0) >= 1)
    left = floorQuotient(productOf(x), *known.constant());
  if (!left)
    return std::nullopt;
  result[last] = *left;
  return result;
}

/// Returns the sizes `x` with dimension `dim` of all ranks along some axes, or of one of them; nullopt where a job
/// decides how many there are.
static std::optional<SizeExpressions> scaled(Operation *op, SizeExpressions x, int64_t dim, ArrayAttr axes,
                                             bool joins) {
  int64_t ranks = 1;
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= meshOf(op) ? meshOf(op).getSize(axis.getValue()).value_or(0) : 0;
  if (ranks == 0)
    return std::nullopt;
  std::optional<SizeExpression> part = exactQuotient(x[dim], SizeExpression(ranks));
  x[dim] = joins ? x[dim] * SizeExpression(ranks) : part ? *part : floorQuotient(x[dim], ranks);
  return x;
}

std::optional<SizeExpressions> SymbolicSizes::inferred(Operation *op, Value result) const {
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  if (isa<ElementwiseOpInterface, MapOp, BroadcastOp>(op))
    return broadcast(op->getOperands(), rank);
  const SizeExpressions *first = op->getNumOperands() ? of(op->getOperand(0)) : nullptr;
  if (!first)
    return std::nullopt;
  SizeExpressions x = *first;
  auto other = [&](unsigned operand, int64_t dimension) -> SizeExpression {
    const SizeExpressions *sizes = of(op->getOperand(operand));
    return sizes ? (*sizes)[sizes->size() + dimension] : SizeExpression(-1);
  };
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshaped(reshape, x);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SizeExpressions y;
    for (int64_t from : transpose.getPermutation())
      y.push_back(x[from]);
    return y;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [size, offset, stride] :
         llvm::zip(x, positionsOf(slice.getOffsets(), slice.getStartsAttr()), slice.getStrides()))
      size = floorQuotient(size - offset + SizeExpression(stride - 1), stride);
    return x;
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    for (auto [size, low, stride] : llvm::zip(x, positionsOf(pad.getLow(), pad.getStartsAttr()), pad.getStrides()))
      size = size * SizeExpression(stride) + low + SizeExpression(1 - stride);
    return x;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    for (unsigned n = 1; n < op->getNumOperands(); ++n) {
      if (!of(op->getOperand(n)))
        return std::nullopt;
      x[concat.getAxis()] = x[concat.getAxis()] + (*of(op->getOperand(n)))[concat.getAxis()];
    }
    return x;
  }
  if (auto split = dyn_cast<SplitHeadsOp>(op)) {
    int64_t heads = split.getHeads();
    return SizeExpressions{x[0], SizeExpression(heads), x[1], floorQuotient(x[2], heads)};
  }
  if (isa<MergeHeadsOp>(op))
    return SizeExpressions{x[0], x[2], x[1] * x[3]};
  if (isa<StackLayersOp>(op))
    return SizeExpressions{x[0], x[1] * SizeExpression(op->getNumOperands()), x[2]};
  if (auto pool = dyn_cast<PoolLayersOp>(op))
    return SizeExpressions{x[0], floorQuotient(x[1], pool.getLayers()), x[2]};
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    SizeExpressions y;
    for (auto [d, size] : llvm::enumerate(x))
      if (!llvm::is_contained(reduce.getAxes(), static_cast<int64_t>(d)))
        y.push_back(size);
    return y;
  }
  if (isa<LinearOp>(op)) {
    x.back() = other(1, -2);
    return x;
  }
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    if (result != attention.getO())
      return SizeExpressions(ArrayRef(x).take_front(rank));
    x.back() = other(2, -1);
    return x;
  }
  if (isa<AttentionVjpOp>(op)) // d_q, d_k and d_v
    if (unsigned number = cast<OpResult>(result).getResultNumber(); number < 3 && of(op->getOperand(number)))
      return *of(op->getOperand(number));
  if (auto exchange = dyn_cast<ExchangeRowsOp>(op))
    return scaled(op, x, 2, exchange.getAxes(), /*joins=*/true);
  if (auto home = dyn_cast<BringHomeOp>(op))
    return scaled(op, x, 2, home.getAxes(), /*joins=*/false);
  if (auto gather = dyn_cast<AllGatherOp>(op))
    return scaled(op, x, gather.getDim(), gather.getAxes(), /*joins=*/true);
  if (auto slice = dyn_cast<AllSliceOp>(op))
    return scaled(op, x, slice.getDim(), slice.getAxes(), /*joins=*/false);
  if (auto scatter = dyn_cast<ReduceScatterOp>(op))
    return scaled(op, x, scatter.getDim(), scatter.getAxes(), /*joins=*/false);
  if (auto exchange = dyn_cast<AllToAllOp>(op)) {
    std::optional<SizeExpressions> part = scaled(op, x, exchange.getSplit(), exchange.getAxes(), /*joins=*/false);
    return part ? scaled(op, *part, exchange.getJoin(), exchange.getAxes(), /*joins=*/true) : std::nullopt;
  }
  if (isa<EmbeddingOp>(op) && of(op->getOperand(1))) {
    SizeExpressions y = *of(op->getOperand(1));
    y.push_back(x.back());
    return y;
  }
  if (isa<MatmulOp, ProductOp>(op) && of(op->getOperand(1))) {
    const SizeExpressions &a = x, &b = *of(op->getOperand(1));
    SizeExpressions y = a.size() >= b.size() ? a : b;
    y[y.size() - 2] = a[a.size() - (op->hasAttr("transpose_a") ? 1 : 2)];
    y[y.size() - 1] = b[b.size() - (op->hasAttr("transpose_b") ? 2 : 1)];
    return y;
  }
  for (Value operand : op->getOperands()) // ops on rows, gradients: a result like an operand
    if (operand.getType() == result.getType() && isa<XfDialect>(op->getDialect()) && op->getNumRegions() == 0)
      return of(operand) ? std::optional(*of(operand)) : std::nullopt;
  return std::nullopt;
}

ArrayAttr xf::computedSizes(Value result, const SymbolicSizes &sizes) {
  const SizeExpressions *known = sizes.of(result);
  if (!known)
    return {};
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  for (auto [extent, size] : llvm::zip(shape, *known))
    if (ShapedType::isDynamic(extent) && !size.name())
      return sizesAttr(result.getContext(), shape, *known);
  return {};
}
