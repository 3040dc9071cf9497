//===- XfSizes.cpp - Symbolic sizes of a program --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Factors/SizeArithmetic.h"

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

/// Returns the text of an expression that the parser reads back. Names that are not identifiers become strings.
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

/// Records the sizes of arguments as names or numbers. Skips dynamic arguments of private functions without xf.dims,
/// because callers pass them sizes that have no names here.
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
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SizeExpressions own(type.getShape().begin(), type.getShape().end());
    if (type.hasStaticShape()) {
      sizes[result] = std::move(own);
      continue;
    }
    auto listed = op->getAttrOfType<ArrayAttr>("sizes");
    std::optional<SizeExpressions> found = listed ? std::nullopt : inferred(result);
    if (!listed && (!found || found->size() != own.size()))
      continue;
    size_t taken = 0;
    for (auto [d, extent] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(extent))
        own[d] = listed ? cast<SizeAttr>(listed[taken++]).getExpression() : (*found)[d];
    sizes[result] = std::move(own);
  }
}

namespace {
/// Computes with expressions of named sizes.
class ExpressionArithmetic : public SizesOf<SizeExpression> {
public:
  explicit ExpressionArithmetic(const SymbolicSizes &sizes) : sizes(sizes) {}

  std::optional<SizeIds> sizesOf(Value tensor) override {
    const SizeExpressions *own = sizes.of(tensor);
    return own ? std::optional(keepAll(*own)) : std::nullopt;
  }
  SizeId number(int64_t value) override { return keep(SizeExpression(value)); }
  SizeId evaluate(const SizeExpression &expression) override { return keep(expression); }
  SizeId add(SizeId x, SizeId y) override { return keep(get(x) + get(y)); }
  SizeId sub(SizeId x, SizeId y) override { return keep(get(x) - get(y)); }
  SizeId mul(SizeId x, SizeId y) override { return keep(get(x) * get(y)); }
  std::optional<SizeId> floorDiv(SizeId x, SizeId y) override {
    std::optional<int64_t> divisor = get(y).constant();
    std::optional<SizeExpression> quotient = exactQuotient(get(x), get(y));
    if (!quotient && divisor.value_or(0) >= 1)
      quotient = floorQuotient(get(x), *divisor);
    return quotient ? std::optional(keep(*quotient)) : std::nullopt;
  }
  bool areEqual(SizeId x, SizeId y) override { return get(x) == get(y); }
  std::optional<int64_t> constant(SizeId size) override { return get(size).constant(); }

private:
  const SymbolicSizes &sizes;
};
} // namespace

std::optional<SizeExpressions> SymbolicSizes::inferred(OpResult result) const {
  auto op = dyn_cast<DimensionFactorsOpInterface>(result.getOwner());
  ExpressionArithmetic arithmetic(*this);
  std::optional<SizeIds> found = op ? op.getResultSizes(arithmetic, result) : std::nullopt;
  if (!found)
    return std::nullopt;
  SmallVector<SizeExpression> sizes = arithmetic.get(*found);
  return SizeExpressions(sizes.begin(), sizes.end());
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
