//===- XfPieces.cpp - Parsing, checking and evaluating pieces -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPieces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "runtime/pieces/Numbers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

using Error = function_ref<InFlightDiagnostic()>; // exactly what the generated getChecked takes

FailureOr<AffineMap> mlir::xf::parseMap(AsmParser &parser) {
  AffineMapAttr map;
  if (parser.parseAttribute(map))
    return failure();
  return map.getValue();
}

SolutionAttr mlir::xf::getSolution(Operation *op, int64_t head) {
  auto solutions = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  return solutions ? dyn_cast<SolutionAttr>(solutions[head % solutions.size()]) : SolutionAttr();
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

/// The keyword and the default of every parameter of an index map, in the order of the parameters.
static constexpr std::pair<StringLiteral, int64_t> indexMapParameters[] = {
    {"residues", 1}, {"period", 1}, {"width", 1}, {"offset", 0}, {"cell", 1}, {"multiplier", 0}, {"shift", 0}};

Attribute IndexMapAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t, 7> values;
  for (auto [name, value] : indexMapParameters)
    values.push_back(value);
  SMLoc start = parser.getCurrentLocation();
  auto parseParameter = [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    for (auto [number, parameter] : llvm::enumerate(indexMapParameters))
      if (parameter.first == keyword)
        return parser.parseInteger(values[number]);
    return parser.emitError(location, "expected a parameter of an index map, got '") << keyword << "'";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseParameter))
    return {};
  auto emitError = [&] { return parser.emitError(start); };
  return getChecked(Error(emitError), parser.getContext(), values[0], values[1], values[2], values[3], values[4],
                    values[5], values[6]);
}

void IndexMapAttr::print(AsmPrinter &printer) const {
  int64_t values[] = {getResidues(), getPeriod(), getWidth(), getOffset(), getCell(), getMultiplier(), getShift()};
  printer << '<';
  StringRef separator = "";
  for (auto [parameter, value] : llvm::zip(indexMapParameters, values)) {
    if (value == parameter.second)
      continue;
    printer << separator << parameter.first << " = " << value;
    separator = ", ";
  }
  printer << '>';
}

LogicalResult IndexMapAttr::verify(Error emitError, int64_t residues, int64_t period, int64_t width, int64_t offset,
                                   int64_t cell, int64_t, int64_t) {
  if (residues < 1 || period < 1 || width < 1 || cell < 1 || offset < 0) // C1
    return emitError() << "expected residues, period, width, cell >= 1 and offset >= 0";
  if (residues > 1 && (period % cell != 0 || period / cell != residues)) // C3
    return emitError() << "expected residues * cell = period, got residues = " << residues << ", cell = " << cell
                       << ", period = " << period;
  bool isWhole = residues == 1 && period == width && offset == 0;
  int64_t room = residues > 1 ? cell : period;
  if (!isWhole && offset + width > room) // C2
    return emitError() << "expected offset + width <= " << room << ", got offset = " << offset << ", width = " << width;
  return success();
}

static xfrt::IndexMap mapOf(IndexMapAttr map) {
  int64_t numbers[] = {map.getResidues(), map.getPeriod(),     map.getWidth(), map.getOffset(),
                       map.getCell(),     map.getMultiplier(), map.getShift()};
  return xfrt::IndexMap(numbers);
}

int64_t IndexMapAttr::getStart(int64_t r) const { return mapOf(*this).start(r); }

int64_t IndexMapAttr::at(int64_t r, int64_t a) const { return mapOf(*this).at(getStart(r), a); }

int64_t IndexMapAttr::rank(int64_t r, int64_t x) const { return mapOf(*this).numberOf(getStart(r), x); }

std::string IndexMapAttr::str(StringRef variable) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (getPeriod() == getWidth())
    os << variable;
  else if (getWidth() == 1)
    os << getPeriod() << variable;
  else
    os << getPeriod() << "(" << variable << " div " << getWidth() << ") + " << variable << " mod " << getWidth();
  if (getOffset())
    os << " + " << getOffset();
  if (getResidues() == 1)
    return text;
  os << " + ";
  if (getCell() != 1)
    os << getCell();
  if (getMultiplier() == 1 && getShift() == 0)
    os << "r";
  else
    os << "((" << getMultiplier() << "r + " << getShift() << ") mod " << getResidues() << ")";
  return text;
}

/// Returns true if all factors and divisors in an expression are constants and all divisors are positive. Every reader
/// of a solution assumes this.
static bool isQuasiAffine(AffineExpr expr) {
  WalkResult result = expr.walk([](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || part.getKind() == AffineExprKind::Add)
      return WalkResult::advance();
    auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool isValid = right && (part.getKind() == AffineExprKind::Mul || right.getValue() > 0);
    return isValid ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

int64_t DatumAttr::getRows() const { return getOffsets() ? (getOffsets().size() - 1) / getHeads() : 0; }

/// Returns true if `offsets` divides all of `columns` into consecutive lists, and each list is strictly ascending.
static bool areLists(DenseIntElementsAttr offsets, DenseIntElementsAttr columns) {
  auto starts = llvm::map_to_vector(offsets.getValues<APInt>(), [](const APInt &x) { return x.getSExtValue(); });
  auto numbers = llvm::map_to_vector(columns.getValues<APInt>(), [](const APInt &x) { return x.getSExtValue(); });
  if (starts.empty() || starts.front() != 0 || starts.back() != static_cast<int64_t>(numbers.size()) ||
      !llvm::is_sorted(starts))
    return false;
  for (size_t list = 0; list + 1 < starts.size(); ++list)
    for (int64_t n = starts[list] + 1; n < starts[list + 1]; ++n)
      if (numbers[n - 1] >= numbers[n])
        return false;
  return true;
}

LogicalResult DatumAttr::verify(Error emitError, DatumSource source, AffineMap row, AffineMap column,
                                DenseI64ArrayAttr numbers, DenseIntElementsAttr offsets, DenseIntElementsAttr columns,
                                int64_t heads) {
  bool isOfPair = source == DatumSource::k_table || source == DatumSource::k_lists;
  if (isOfPair ? !(row && column) : (!row == !column)) // C1
    return emitError() << "expected " << (isOfPair ? "row and column" : "row or column") << " of a datum from "
                       << stringifyDatumSource(source);
  for (AffineMap map : {row, column})
    if (map && (map.getNumDims() != 1 || map.getNumSymbols() < 2 || map.getNumResults() != 1 ||
                !isQuasiAffine(map.getResult(0)))) // C2
      return emitError() << "expected a quasi-affine map (i)[Nq, Nk, ..] -> (x), got " << AffineMapAttr::get(map);
  if ((source == DatumSource::k_numbers) != (numbers != nullptr)) // C3
    return emitError() << "expected numbers in a datum from numbers, and in no other";
  bool isLists = source == DatumSource::k_lists;
  if (isLists != (offsets != nullptr) || isLists != (columns != nullptr)) // C3
    return emitError() << "expected offsets and columns in a datum from lists, and in no other";
  if (isLists && !areLists(offsets, columns)) // C4
    return emitError() << "expected lists that increase, one behind the other";
  if (heads < 1 || (isLists && (offsets.size() - 1) % heads != 0)) // C5
    return emitError() << "expected as many lists for each of " << heads << " heads";
  return success();
}

unsigned TilesAttr::getSymbol(unsigned number) const {
  return getConjunctions().front().getNumSymbols() - getData().size() + number;
}

bool TilesAttr::isStatic() const {
  return llvm::all_of(getData(), [](DatumAttr datum) { return datum.isStatic(); });
}

/// Returns true if the map of datum `number` uses only the symbols that it may use. These are sizes, run-time symbols,
/// and the data of the same axis with smaller numbers. The symbols of data begin at `firstSymbol`.
static bool asksEarlier(AffineMap map, bool isRow, ArrayRef<DatumAttr> data, unsigned number, unsigned firstSymbol) {
  bool isValid = true;
  map.walkExprs([&](AffineExpr expr) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol || symbol.getPosition() < firstSymbol)
      return;
    unsigned asked = symbol.getPosition() - firstSymbol;
    isValid &= asked < number && !data[asked].isOfPair() && (isRow ? data[asked].getRow() : data[asked].getColumn());
  });
  return isValid;
}

LogicalResult TilesAttr::verify(Error emitError, ArrayRef<IntegerSet> conjunctions, ArrayRef<DatumAttr> data,
                                StringAttr) {
  for (IntegerSet set : conjunctions)
    if (!llvm::all_of(set.getConstraints(), isQuasiAffine)) // C1
      return emitError() << "expected quasi-affine constraints, got " << IntegerSetAttr::get(set);
  if (data.empty())
    return success();
  for (IntegerSet set : conjunctions)
    if (set.getNumSymbols() != conjunctions.front().getNumSymbols() || set.getNumSymbols() < 2 + data.size()) // C2
      return emitError() << "expected sets with a symbol for each of " << data.size() << " data, got "
                         << IntegerSetAttr::get(set);
  if (conjunctions.empty()) // C2
    return emitError() << "expected a conjunction that asks for the data";
  unsigned symbols = conjunctions.front().getNumSymbols();
  auto isValid = [&](AffineMap map, bool isRow, unsigned number) {
    return !map || (map.getNumSymbols() <= symbols && asksEarlier(map, isRow, data, number, symbols - data.size()));
  };
  for (auto [number, datum] : llvm::enumerate(data))
    if (!isValid(datum.getRow(), /*isRow=*/true, number) || !isValid(datum.getColumn(), /*isRow=*/false, number)) // C3
      return emitError() << "expected maps of sizes and earlier data of their axis, got " << Attribute(datum);
  return success();
}

//===----------------------------------------------------------------------===//
// Pieces and solutions
//===----------------------------------------------------------------------===//

bool PieceAttr::hasAdjacentResidues() const {
  IndexMapAttr map = getQueries();
  return map == getKeys() && map.getResidues() == getResidues() && map.getCell() == 1 && map.getShift() == 0 &&
         map.getMultiplier() == 1 && getResidues() > 1;
}

LogicalResult PieceAttr::verify(Error emitError, IndexMapAttr queries, IndexMapAttr keys, int64_t residues,
                                AffineMap lower, AffineMap upper, AffineMap rows, AffineMap queryLower,
                                AffineMap queryUpper, AffineMap columns, bool, bool hasInverse, bool, bool) {
  for (IndexMapAttr map : {queries, keys})
    if (map.getResidues() != 1 && map.getResidues() != residues) // C1
      return emitError() << "expected index maps with 1 or " << residues << " residues, got " << map.getResidues();
  for (AffineMap map : {lower, upper, rows, queryLower, queryUpper, columns})
    if (map && (map.getNumDims() != 1 || map.getNumSymbols() < 2 || // C2
                !llvm::all_of(map.getResults(), isQuasiAffine)))
      return emitError() << "expected quasi-affine bounds over (i)[Nq, Nk, ..] or (j)[Nq, Nk, ..], got "
                         << AffineMapAttr::get(map);
  if (!hasInverse && (queryLower || queryUpper || columns)) // C3
    return emitError() << "expected no query bounds where has_inverse = false";
  return success();
}

Attribute SolutionAttr::parse(AsmParser &parser, Type) {
  SmallVector<PieceAttr> pieces;
  TilesAttr tiles;
  if (parser.parseLess())
    return {};
  bool hasPieces = succeeded(parser.parseOptionalKeyword("pieces"));
  if (hasPieces && (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseAttribute(pieces.emplace_back());
      })))
    return {};
  bool hasTiles = !hasPieces || succeeded(parser.parseOptionalComma());
  if (hasTiles && (parser.parseKeyword("tiles") || parser.parseEqual() || parser.parseAttribute(tiles)))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), pieces, tiles);
}

void SolutionAttr::print(AsmPrinter &printer) const {
  printer << '<';
  bool hasPieces = !getPieces().empty() || !getTiles();
  if (hasPieces) {
    printer << "pieces = [";
    llvm::interleaveComma(getPieces(), printer, [&](PieceAttr piece) { printer.printAttribute(piece); });
    printer << ']';
  }
  if (getTiles()) {
    printer << (hasPieces ? ", tiles = " : "tiles = ");
    printer.printAttribute(getTiles());
  }
  printer << '>';
}
