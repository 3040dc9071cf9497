//===- FactorRow.cpp - Reading rows of dimension factors ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/FactorRow.h"
#include "dialects/xf/Factors/DimensionFactors.h"

using namespace mlir;
using namespace mlir::xf;

/// The number of the factor of the last leading dimension. The other leading dimensions have the numbers after it, from
/// last to first.
static constexpr int firstLeading = 256;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static FactorRow::Factor readFactor(StringRef &text) {
  FactorRow::Factor factor = {text.front(), 0};
  for (text = text.drop_front(); text.consume_front("'");)
    ++factor.primes;
  return factor;
}

static FactorRow::Tensor readTensor(StringRef text, Value value) {
  FactorRow::Tensor tensor;
  tensor.value = value;
  tensor.isWhole = text == "_";
  tensor.isAny = text == "?";
  tensor.repeats = text.consume_front("~");
  tensor.hasLeading = text.consume_front("*");
  while (!text.empty()) {
    FactorRow::Dim &dim = tensor.dims.emplace_back();
    if (!text.consume_front("(")) {
      dim.push_back(readFactor(text));
      continue;
    }
    while (!text.consume_front(")"))
      dim.push_back(readFactor(text));
  }
  return tensor;
}

/// Reads `text`, the entries of a row for operands or, if `ofResults`, for results. `entry` is the number of the first
/// entry. Advances it past the last one.
static SmallVector<FactorRow::Tensor> readTensors(StringRef text, DimensionFactorsOpInterface op, bool ofResults,
                                                  unsigned &entry) {
  SmallVector<FactorRow::Tensor> tensors;
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (auto [number, of] : llvm::enumerate(entries)) {
    auto [first, count] = op.getEntry(ofResults, number);
    for (unsigned n = first; n < first + count; ++n) {
      tensors.push_back(readTensor(of.trim(), ofResults ? Value(op->getResult(n)) : op->getOperand(n)));
      tensors.back().entry = entry;
    }
    ++entry;
  }
  return tensors;
}

FactorRow::FactorRow(Operation *op) {
  auto interface = dyn_cast<DimensionFactorsOpInterface>(op);
  std::string text = interface ? interface.getFactorRow() : "";
  if (text.empty())
    return;
  auto [row, where] = StringRef(text).split(" where ");
  auto [ofOperands, ofResults] = row.split("->");
  unsigned entry = 0;
  operands = readTensors(ofOperands, interface, /*ofResults=*/false, entry);
  results = readTensors(ofResults, interface, /*ofResults=*/true, entry);
  if (where.empty())
    return;
  auto [letter, name] = where.split(" = ");
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  values.push_back({readFactor(letter), attribute ? attribute.getInt() : op->getNumOperands()});
}

SmallVector<std::string> xf::factorTexts(int64_t rank, function_ref<bool(int64_t)> isWhole, StringRef suffix) {
  constexpr int64_t letters = 26; // from there on capitals with primes
  SmallVector<std::string> texts;
  for (int64_t d = 0; d < rank; ++d) {
    bool whole = isWhole(d) || d >= letters;
    std::string text(1, char((whole ? 'A' : 'a') + d % letters));
    texts.push_back(text + std::string(2 * (d / letters), '\'') + (isWhole(d) ? suffix.str() : ""));
  }
  return texts;
}

//===----------------------------------------------------------------------===//
// Factors of dimensions
//===----------------------------------------------------------------------===//

namespace {
/// Assigns numbers to the factors of an op's tensors.
class Numbering {
public:
  explicit Numbering(const FactorRow &row) {
    for (const auto *tensors : {&row.operands, &row.results})
      for (const FactorRow::Tensor &tensor : *tensors)
        for (auto [size, factor] : llvm::zip(tensor.type().getShape(), numbersOf(tensor)))
          if (size != 1)
            longer.push_back(factor);
  }

  /// Returns the factors of the dimensions of `tensor`. A dimension of size 1 that repeats along a longer one is
  /// `whole`.
  SmallVector<int> factorsOf(const FactorRow::Tensor &tensor) const {
    SmallVector<int> factors = numbersOf(tensor);
    for (auto [size, factor] : llvm::zip(tensor.type().getShape(), factors))
      if (size == 1 && tensor.repeats && llvm::is_contained(longer, factor))
        factor = DimensionFactors::whole;
    return factors;
  }

private:
  static SmallVector<int> numbersOf(const FactorRow::Tensor &tensor) {
    int64_t rank = tensor.type().getRank(), leading = tensor.countLeading();
    if (!tensor.fits())
      return SmallVector<int>(rank, tensor.isAny ? DimensionFactors::any : DimensionFactors::whole);
    SmallVector<int> numbers;
    for (int64_t d = 0; d < rank; ++d) {
      if (d < leading) {
        numbers.push_back(firstLeading + int(leading - 1 - d));
        continue;
      }
      FactorRow::Factor factor = tensor.dims[d - leading].front();
      numbers.push_back(factor.isShared() ? int(factor.letter) : DimensionFactors::whole);
    }
    return numbers;
  }

  SmallVector<int> longer; ///< factors that have a dimension of another size than 1
};
} // namespace

void xf::readFactors(Operation *op, DimensionFactors &factors) {
  FactorRow row(op);
  Numbering numbering(row);
  auto factorsOf = [&](const FactorRow::Tensor &tensor) { return numbering.factorsOf(tensor); };
  factors.operands = llvm::map_to_vector(row.operands, factorsOf);
  factors.results = llvm::map_to_vector(row.results, factorsOf);
}

DimensionFactors xf::factorsOf(Operation *op, const SymbolicSizes &sizes) {
  DimensionFactors factors;
  factors.sizes = &sizes;
  if (auto interface = dyn_cast<DimensionFactorsOpInterface>(op))
    interface.getDimensionFactors(factors);
  factors.operands.resize(op->getNumOperands());
  factors.results.resize(op->getNumResults());
  return factors;
}
