//===- XfPatterns.cpp - Parsing, printing and checking patterns -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

llvm::hash_code mlir::xf::hash_value(const Bound &bound) {
  return llvm::hash_combine(bound.value.has_value(), bound.value.value_or(0));
}
AsmPrinter &mlir::xf::operator<<(AsmPrinter &printer, const Bound &bound) {
  if (bound.value)
    return printer << *bound.value;
  return printer << "unbounded";
}
llvm::hash_code mlir::xf::hash_value(const Interval &interval) {
  return llvm::hash_combine(interval.lower, interval.upper);
}
AsmPrinter &mlir::xf::operator<<(AsmPrinter &printer, const Interval &interval) {
  return printer << interval.lower << " : " << interval.upper;
}

FailureOr<bool> mlir::xf::parseFlag(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("true")))
    return true;
  if (parser.parseKeyword("false"))
    return failure();
  return false;
}

FailureOr<FloatAttr> mlir::xf::parseReal(AsmParser &parser) {
  FloatAttr real;
  if (parser.parseAttribute(real, parser.getBuilder().getF64Type()))
    return failure();
  return real;
}

FailureOr<std::optional<Stabilizer>> mlir::xf::parseStabilizer(AsmParser &parser) {
  StringRef word;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Stabilizer> stabilizer = symbolizeStabilizer(word);
  if (!stabilizer)
    return parser.emitError(location, "expected none, row, sequence or running, got '") << word << "'";
  return stabilizer;
}

FailureOr<Bound> FieldParser<Bound>::parse(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("unbounded")))
    return Bound();
  int64_t distance;
  if (parser.parseInteger(distance))
    return failure();
  return Bound(distance);
}

FailureOr<Interval> FieldParser<Interval>::parse(AsmParser &parser) {
  Interval interval;
  if (parser.parseInteger(interval.lower) || parser.parseColon() || parser.parseInteger(interval.upper))
    return failure();
  return interval;
}

LogicalResult DimAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name, int64_t min, int64_t max) {
  if (min < 0 || max < min) // C1
    return emitError() << "expected 0 <= min <= max of dimension '" << name << "', got min = " << min
                       << ", max = " << max;
  return success();
}

//===----------------------------------------------------------------------===//
// Affine sets: (i, j)[Nq, Nk, p] : (i - j ge 0, (i + j) mod 16 == 0)
// `<` and `>` cannot be written: the lexer counts them as brackets of the attribute.
//===----------------------------------------------------------------------===//

using NamedExprs = SmallVector<std::pair<StringRef, AffineExpr>>;

namespace {
/// MLIR's parser folds affine expressions, with arithmetic that wraps around silently beyond 64 bits. Finds, from the
/// text of an expression, an upper bound of the numbers that the parser may compute.
class Magnitude {
public:
  explicit Magnitude(StringRef text) : text(text) {}

  double sum() {
    double total = product();
    while (takes("+") || takes("-"))
      total += product();
    return noted(total);
  }
  double most = 0; ///< the largest bound of all subexpressions

private:
  double product() {
    double total = factor();
    for (;;) {
      if (takes("*"))
        total = noted(total * factor());
      else if (takes("mod"))
        total = factor();
      else if (takes("floordiv") || takes("ceildiv"))
        factor();
      else
        return total;
    }
  }
  double factor() {
    while (takes("-"))
      ;
    if (takes("(")) {
      double inner = sum();
      takes(")");
      return inner;
    }
    uint64_t number;
    if (!text.ltrim().consumeInteger(10, number)) {
      text = text.ltrim().drop_while(llvm::isDigit);
      return noted(static_cast<double>(number));
    }
    text = text.ltrim().drop_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
    return 1; // a name
  }
  bool takes(StringRef word) {
    StringRef rest = text.ltrim();
    if (!rest.consume_front(word))
      return false;
    text = rest;
    return true;
  }
  double noted(double value) { return most = std::max(most, value), value; }

  StringRef text;
};
} // namespace

/// Parses an affine expression. Fails, after an error, if folding it may give numbers above 2^62.
static ParseResult parseExpr(AsmParser &parser, NamedExprs &names, AffineExpr &expr) {
  SMLoc begin = parser.getCurrentLocation();
  if (parser.parseAffineExpr(names, expr))
    return failure();
  const char *end = parser.getCurrentLocation().getPointer();
  Magnitude magnitude(StringRef(begin.getPointer(), end - begin.getPointer()));
  magnitude.sum();
  constexpr double most = double(int64_t(1) << 62);
  if (magnitude.most > most)
    return parser.emitError(begin, "expected numbers that stay below 2^62 in an affine set, got larger products");
  return success();
}

static ParseResult parseConstraint(AsmParser &parser, NamedExprs &names, SmallVectorImpl<AffineExpr> &exprs,
                                   SmallVectorImpl<bool> &equalities) {
  AffineExpr left, right;
  if (parseExpr(parser, names, left))
    return failure();
  SMLoc location = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word, {"ge", "le"}))) {
    if (parser.parseOptionalEqual() || parser.parseOptionalEqual())
      return parser.emitError(location, "expected '==', 'ge' or 'le'");
    word = "==";
  }
  if (parseExpr(parser, names, right))
    return failure();
  exprs.push_back(word == "le" ? right - left : left - right);
  equalities.push_back(word == "==");
  return success();
}

static ParseResult parseAffineSet(AsmParser &parser, IntegerSet &set) {
  NamedExprs names;
  MLIRContext *context = parser.getContext();
  unsigned dims = 0, symbols = 0;
  auto parseName = [&](bool isDim) -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    for (auto &[used, expr] : names)
      if (used == name)
        return parser.emitError(location, "expected distinct names, got '") << name << "' twice";
    names.push_back({name, isDim ? getAffineDimExpr(dims++, context) : getAffineSymbolExpr(symbols++, context)});
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] { return parseName(true); }) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseName(false); }))
    return failure();
  if (dims != 2 || symbols < 2)
    return parser.emitError(location, "expected (i, j)[Nq, Nk, ..], got ")
           << dims << " dimensions and " << symbols << " symbols";
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> equalities;
  location = parser.getCurrentLocation();
  if (parser.parseColon() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return parseConstraint(parser, names, exprs, equalities);
      }))
    return failure();
  if (exprs.empty())
    return parser.emitError(location, "expected at least one constraint, got none");
  set = IntegerSet::get(dims, symbols, exprs, equalities);
  return success();
}

/// Returns the name under which affine sets print a dimension (`kind` d: i, j) or a symbol (`kind` s: Nq, Nk, p0, p1,
/// ..). `number` is the index of the dimension or symbol.
static std::string affineName(char kind, unsigned number) {
  if (kind == 'd')
    return number ? "j" : "i";
  return number == 0 ? "Nq" : number == 1 ? "Nk" : "p" + std::to_string(number - 2);
}

static void printAffineExpr(raw_ostream &os, AffineExpr expr) {
  std::string text;
  llvm::raw_string_ostream(text) << expr;
  StringRef rest = text;
  while (!rest.empty()) { // d0 -> i, s2 -> p0; the other words are mod, floordiv and ceildiv
    bool isName = (rest.front() == 'd' || rest.front() == 's') && rest.size() > 1 && isdigit(rest[1]);
    if (!isName) {
      os << rest.front();
      rest = rest.drop_front();
      continue;
    }
    char kind = rest.front();
    unsigned number = 0;
    rest = rest.drop_front();
    rest.consumeInteger(10, number);
    os << affineName(kind, number);
  }
}

static void printAffineSet(AsmPrinter &printer, IntegerSet set) {
  raw_ostream &os = printer.getStream();
  os << "(i, j)[";
  llvm::interleaveComma(llvm::seq(0u, set.getNumSymbols()), os, [&](unsigned n) { os << affineName('s', n); });
  os << "] : (";
  llvm::interleaveComma(llvm::zip(set.getConstraints(), set.getEqFlags()), os, [&](auto constraint) {
    printAffineExpr(os, std::get<0>(constraint));
    os << (std::get<1>(constraint) ? " == 0" : " ge 0");
  });
  os << ")";
}

static ParseResult parseAffineSets(AsmParser &parser, SmallVectorImpl<IntegerSet> &sets) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parseAffineSet(parser, sets.emplace_back()); });
}

static void printAffineSets(AsmPrinter &printer, ArrayRef<IntegerSet> sets) {
  printer << '[';
  llvm::interleaveComma(sets, printer, [&](IntegerSet set) { printAffineSet(printer, set); });
  printer << ']';
}

#include "dialects/xf/Interfaces/XfAttrInterfaces.cpp.inc"

/// Parses a pattern that takes no parameters. Emits an error and returns null if there are some, because MLIR's parser
/// would skip them.
template <typename PatternAttr>
static Attribute parseWithoutParameters(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLess()))
    return PatternAttr::get(parser.getContext());
  parser.emitError(location, "expected no parameters of #xf.") << PatternAttr::getMnemonic() << ", got '<'";
  return {};
}
Attribute DensePatternAttr::parse(AsmParser &parser, Type) { return parseWithoutParameters<DensePatternAttr>(parser); }
Attribute CausalPatternAttr::parse(AsmParser &parser, Type) {
  return parseWithoutParameters<CausalPatternAttr>(parser);
}
void DensePatternAttr::print(AsmPrinter &) const {}
void CausalPatternAttr::print(AsmPrinter &) const {}

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfAttributes.cpp.inc"

void XfDialect::registerPatterns() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/xf/IR/XfAttributes.cpp.inc"
      >();
}
