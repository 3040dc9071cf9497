//===- LetterShardings.cpp - The axes of an op's letters ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/LetterShardings.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

std::string xf::textOf(ArrayAttr axes, int64_t chunks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '{';
  llvm::interleaveComma(axes, os);
  if (chunks > 1)
    os << " dealt " << chunks;
  os << '}';
  return text;
}

DimShardings xf::countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh) {
  DimShardings counted(sizes.size());
  if (dim.isWhole())
    return counted;
  if (dim.factors.empty()) { // parts are ranges of the first
    auto first = llvm::find_if(sizes, [](int64_t size) { return size != 1; });
    int64_t ranks = ranksOf(mesh, dim.axes);
    if (dim.chunks > 1 || first == sizes.end() || ranks == 0 || *first % ranks != 0)
      return {};
    counted[first - sizes.begin()] = dim;
    return counted;
  }
  if (ArrayRef(dim.factors).take_front(dim.factorAxes.size()) != sizes)
    return {};
  for (auto [n, of] : llvm::enumerate(counted))
    of = {dim.factorAxes[n], dim.origin, {}, dim.factors[sizes.size() + n]};
  return counted;
}

DimShardings xf::dimsOf(ShardingAttr sharding, Location origin) {
  DimShardings dims;
  for (auto [axes, chunks] : llvm::zip(sharding.getDims(), sharding.getChunks()))
    dims.push_back({axes, origin, {}, chunks});
  return dims;
}

int64_t xf::ranksOf(MeshAttr mesh, ArrayAttr axes) {
  int64_t ranks = 1;
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= mesh.getSize(axis.getValue()).value_or(0);
  return ranks;
}

int64_t xf::maxSlices(ArrayAttr axes) {
  constexpr int64_t slicesOfAxis = 4; // 4 ranks have the same bits; of 2 axes, 16 gradients of a parameter are made
  int64_t slices = 1;
  for (size_t n = 0; n < axes.size(); ++n)
    slices *= slicesOfAxis;
  return slices;
}

int64_t xf::partsOf(MeshAttr mesh, const DimSharding &dim) {
  return dim.isWhole() ? 1 : ranksOf(mesh, dim.axes) * dim.chunks;
}

static bool holdsAll(ArrayAttr axes, ArrayAttr others) {
  return llvm::all_of(others, [&](Attribute axis) { return llvm::is_contained(axes, axis); });
}

/// Whether a rank's part over `axes` has its part over `finer` ones: nothing travels.
static bool isPrefix(ArrayAttr axes, ArrayAttr finer) {
  return axes.size() <= finer.size() && std::equal(axes.begin(), axes.end(), finer.begin());
}

/// Whether an axis shards another letter.
static bool isTaken(ArrayAttr axes, int letter, const LetterShardings &assigned) {
  return llvm::any_of(assigned, [&](const auto &other) {
    return other.first != letter &&
           llvm::any_of(axes, [&](Attribute axis) { return llvm::is_contained(other.second.axes, axis); });
  });
}

/// Assigns the axes of one dimension to its letter. Of two dimensions of which one has all axes of the other, the
/// letter has those of the finer one.
static LogicalResult assignLetter(OpOperand &operand, unsigned number, int letter, const DimSharding &dim,
                                  LetterShardings &assigned, ReportMeeting report) {
  if (auto found = assigned.find(letter); found != assigned.end()) {
    DimSharding &known = found->second;
    if (known.isLike(dim))
      return success();
    // Where one counts several dimensions, or has dealt chunks, the same elements are on other ranks.
    bool merges = !known.factors.empty() || !dim.factors.empty();
    bool counts = merges || known.chunks > 1 || dim.chunks > 1;
    if (!merges && known.chunks > 1 && dim.chunks == 1 && !isTaken(dim.axes, letter, assigned)) {
      known = dim; // what is in order stays so: parameters and states
      return success();
    }
    if (!counts && holdsAll(dim.axes, known.axes) && !isTaken(dim.axes, letter, assigned)) {
      known = dim;
      return success();
    }
    if (!counts && isPrefix(dim.axes, known.axes))
      return success();
    return report(operand, number, dim, counts || holdsAll(known.axes, dim.axes) ? nullptr : &known);
  }
  if (letter == ShardingLetters::whole || isTaken(dim.axes, letter, assigned))
    return report(operand, number, dim, nullptr);
  assigned.insert({letter, dim});
  return success();
}

namespace {
/// A dimension that its letter got axes from, or has the same as.
struct Assignment {
  OpOperand &operand;
  unsigned number;
  int letter;
  const DimSharding &dim;
};
} // namespace

/// Assigns the axes of a dimension to those that it is split into. Returns false where it has parts of others.
static bool assignCounted(const DimSharding &dim, const ShardingLetters::Merge &split, MeshAttr mesh,
                          LetterShardings &assigned) {
  DimShardings counted = countedBy(dim, split.sizes, mesh);
  for (auto [letter, of] : llvm::zip(split.letters, counted))
    if (!of.isWhole())
      assigned.insert({letter, of});
  return !counted.empty();
}

LogicalResult xf::assignLetters(Operation *op, const ShardingLetters &letters,
                                function_ref<ArrayRef<DimSharding>(Value)> shardingOf, LetterShardings &assigned,
                                ReportMeeting report) {
  SmallVector<Assignment> assignments;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int> ofOperand = letters.operands[operand.getOperandNumber()];
    for (auto [number, dim] : llvm::enumerate(shardingOf(operand.get()))) {
      int letter = number < ofOperand.size() ? ofOperand[number] : ShardingLetters::whole;
      if (dim.isWhole() || letter == ShardingLetters::any)
        continue;
      if (letters.split && letters.split->dim == number && assignCounted(dim, *letters.split, meshOf(op), assigned))
        continue;
      if (failed(assignLetter(operand, number, letter, dim, assigned, report)))
        return failure();
      if (assigned.lookup(letter).isLike(dim))
        assignments.push_back({operand, unsigned(number), letter, dim});
    }
  }
  for (const Assignment &made : assignments) { // before a finer dimension came, or one in order
    DimSharding last = assigned.lookup(made.letter);
    if ((made.dim.chunks != last.chunks || !isPrefix(made.dim.axes, last.axes)) &&
        failed(report(made.operand, made.number, made.dim, nullptr)))
      return failure();
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
    isOfFirst &= number == 0 && dim.chunks == 1;
    llvm::append_range(axes, dim.axes);
    merged.origin = dim.origin;
  }
  if (axes.empty())
    return merged;
  merged.axes = ArrayAttr::get(axes.front().getContext(), axes);
  if (isOfFirst)
    return merged;
  merged.factors.assign(merge.sizes.begin(), merge.sizes.end());
  for (int letter : merge.letters) {
    merged.factors.push_back(assigned.lookup(letter).chunks);
    merged.factorAxes.push_back(assigned.lookup(letter).axes);
  }
  return merged;
}

DimShardings xf::shardingOfOperand(const ShardingLetters &letters, unsigned operand, const LetterShardings &assigned,
                                   ArrayRef<DimSharding> given) {
  DimShardings dims;
  for (auto [d, letter] : llvm::enumerate(letters.operands[operand]))
    dims.push_back(letter == ShardingLetters::any ? (d < given.size() ? given[d] : DimSharding())
                                                  : assigned.lookup(letter));
  if (letters.split)
    dims[letters.split->dim] = mergeDims(*letters.split, assigned);
  return dims;
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

/// Returns the largest size of a letter in operands, or 0 for one that the operand's dimension is split into: a mesh
/// that divides that dimension need not divide this one.
static int64_t largestSize(Operation *op, const ShardingLetters &letters, int letter) {
  int64_t largest = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(operand.get().getType()).getShape();
    for (auto [of, size] : llvm::zip(letters.operands[operand.getOperandNumber()], shape))
      largest = of == letter && !ShapedType::isDynamic(size) ? std::max(largest, size) : largest;
  }
  return largest;
}

DimShardings xf::knownSharding(OpResult result, const ShardingLetters &letters, const LetterShardings &assigned,
                               MeshAttr mesh) {
  DimShardings dims = shardingOfResult(letters, result.getResultNumber(), assigned);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  bool keepsOrder = hasKeysOrder(result.getOwner());
  for (auto [dim, size, letter] : llvm::zip(dims, shape, letters.results[result.getResultNumber()])) {
    int64_t parts = partsOf(mesh, dim);
    if (dim.isWhole() || parts == 0 || ShapedType::isDynamic(size))
      continue;
    if (keepsOrder && dim.factors.empty()) // alike on all meshes, so that all have the same slices
      parts = letter == ShardingLetters::whole || size == largestSize(result.getOwner(), letters, letter)
                  ? 1 // of merged dimensions, or of what gave it its axes
                  : std::lcm(maxSlices(dim.axes), parts);
    dim = size % parts == 0 ? dim : DimSharding();
  }
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
