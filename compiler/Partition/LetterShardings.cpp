//===- LetterShardings.cpp - The axes of an op's letters ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/LetterShardings.h"

using namespace mlir;
using namespace mlir::xf;

std::string xf::textOf(ArrayAttr axes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '{';
  llvm::interleaveComma(axes, os);
  os << '}';
  return text;
}

int64_t xf::ranksOf(MeshAttr mesh, ArrayAttr axes) {
  int64_t ranks = 1;
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= mesh.getSize(axis.getValue()).value_or(0);
  return ranks;
}

/// Assigns the axes of one dimension to its letter.
static LogicalResult assignLetter(OpOperand &operand, unsigned number, int letter, const DimSharding &dim,
                                  LetterShardings &assigned, ReportMeeting report) {
  if (auto found = assigned.find(letter); found != assigned.end()) {
    if (found->second.axes == dim.axes && found->second.factors == dim.factors)
      return success();
    // Where one counts several dimensions, the same elements are on other ranks.
    bool counts = !found->second.factors.empty() || !dim.factors.empty();
    return report(operand, number, dim, counts ? nullptr : &found->second);
  }
  bool isTaken = llvm::any_of(assigned, [&](const auto &other) {
    return llvm::any_of(dim.axes, [&](Attribute axis) { return llvm::is_contained(other.second.axes, axis); });
  });
  if (letter == ShardingLetters::whole || isTaken)
    return report(operand, number, dim, nullptr);
  assigned.insert({letter, dim});
  return success();
}

LogicalResult xf::assignLetters(Operation *op, const ShardingLetters &letters,
                                function_ref<ArrayRef<DimSharding>(Value)> shardingOf, LetterShardings &assigned,
                                ReportMeeting report) {
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int> ofOperand = letters.operands[operand.getOperandNumber()];
    for (auto [number, dim] : llvm::enumerate(shardingOf(operand.get()))) {
      int letter = number < ofOperand.size() ? ofOperand[number] : ShardingLetters::whole;
      if (!dim.isWhole() && letter != ShardingLetters::any &&
          failed(assignLetter(operand, number, letter, dim, assigned, report)))
        return failure();
    }
  }
  return success();
}

/// Returns the sharding of a dimension that counts several.
static DimSharding mergeDims(const ShardingLetters::Merge &merge, const LetterShardings &assigned) {
  SmallVector<Attribute> axes;
  DimSharding merged;
  bool isOfFirst = true; // a part of the first dimension is one range of the merged one
  for (auto [number, letter] : llvm::enumerate(merge.letters)) {
    DimSharding dim = assigned.lookup(letter);
    if (dim.isWhole())
      continue;
    isOfFirst &= number == 0;
    llvm::append_range(axes, dim.axes);
    merged.origin = dim.origin;
  }
  if (axes.empty())
    return merged;
  merged.axes = ArrayAttr::get(axes.front().getContext(), axes);
  if (!isOfFirst)
    merged.factors.assign(merge.sizes.begin(), merge.sizes.end());
  return merged;
}

DimShardings xf::shardingOfResult(const ShardingLetters &letters, unsigned result, const LetterShardings &assigned) {
  DimShardings dims;
  for (int letter : letters.results[result])
    dims.push_back(assigned.lookup(letter));
  if (letters.merge)
    dims[letters.merge->dim] = mergeDims(*letters.merge, assigned);
  if (llvm::all_of(dims, [](const DimSharding &dim) { return dim.isWhole(); }))
    dims.clear();
  return dims;
}

DimShardings xf::knownSharding(OpResult result, const ShardingLetters &letters, const LetterShardings &assigned,
                               MeshAttr mesh) {
  DimShardings dims = shardingOfResult(letters, result.getResultNumber(), assigned);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  for (auto [dim, size] : llvm::zip(dims, shape))
    if (int64_t ranks = dim.isWhole() ? 1 : ranksOf(mesh, dim.axes); ranks != 0 && !ShapedType::isDynamic(size))
      dim = size % ranks == 0 ? dim : DimSharding();
  if (llvm::all_of(dims, [](const DimSharding &dim) { return dim.isWhole(); }))
    dims.clear();
  return dims;
}

SmallVector<Attribute> xf::sumsOfResult(const ShardingLetters &letters, unsigned result,
                                        const LetterShardings &assigned) {
  SmallVector<Attribute> summed;
  for (const auto &[letter, dim] : assigned)
    if (!llvm::is_contained(letters.results[result], letter) &&
        !(letters.merge && llvm::is_contained(letters.merge->letters, letter)))
      llvm::append_range(summed, dim.axes);
  return summed;
}
