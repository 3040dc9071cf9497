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

SmallVector<CountedDim, 2> xf::countedDims(const DimSharding &dim, int64_t size) {
  if (!dim.factors.empty())
    return dim.factors;
  return {{size, dim.isWhole() ? ArrayAttr() : dim.axes, dim.chunks}};
}

DimShardings xf::countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh) {
  DimShardings counted(sizes.size());
  if (dim.isWhole())
    return counted;
  auto shardingOf = [&](const CountedDim &of) { return DimSharding{of.axes, dim.origin, {}, of.chunks}; };
  if (llvm::equal(sizes, llvm::map_range(dim.factors, [](const CountedDim &of) { return of.size; })))
    return llvm::map_to_vector<6>(dim.factors, shardingOf);
  if (llvm::any_of(sizes, [](int64_t size) { return ShapedType::isDynamic(size) || size == 0; }))
    return {};
  int64_t all = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
  SmallVector<CountedDim, 2> factors = countedDims(dim, all);
  auto *factor = factors.begin();
  int64_t left = 1; // of the factor that sizes divide
  for (auto [of, size] : llvm::zip(counted, sizes)) {
    if (size == 1)
      continue;
    if (left == 1 && factor != factors.end()) { // the first of them has the factor's parts
      int64_t parts = factor->axes ? ranksOf(mesh, factor->axes) * factor->chunks : 1;
      if (parts == 0 || size % parts != 0)
        return {};
      of = shardingOf(*factor);
      left = factor++->size;
    }
    if (ShapedType::isDynamic(left) || left % size != 0)
      return {};
    left /= size;
  }
  return left == 1 && factor == factors.end() ? counted : DimShardings();
}

SmallVector<int64_t> xf::commonSizes(const DimSharding &a, const DimSharding &b) {
  auto sizesOf = [](const DimSharding &dim) {
    return llvm::map_to_vector(dim.factors, [](const CountedDim &of) { return of.size; });
  };
  SmallVector<int64_t> left = sizesOf(a), right = sizesOf(b), common;
  if (left.empty() || right.empty())
    return left.empty() ? right : left;
  size_t i = 0, j = 0;
  while (i < left.size() && j < right.size()) {
    int64_t size = std::min(left[i], right[j]);
    if (size <= 0 || left[i] % size != 0 || right[j] % size != 0)
      return {};
    common.push_back(size);
    left[i] /= size;
    right[j] /= size;
    i += left[i] == 1;
    j += right[j] == 1;
  }
  return common;
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

/// Whether an op takes elements of a dimension all of which one part has.
static bool isTakenOfOnePart(OpOperand &operand, unsigned number, const DimSharding &dim,
                             const ShardingLetters &letters) {
  auto *taken = llvm::find_if(letters.taken, [&](const ShardingLetters::Taken &of) { return of.dim == number; });
  if (dim.isWhole() || !dim.factors.empty() || taken == letters.taken.end())
    return false;
  int64_t size = cast<RankedTensorType>(operand.get().getType()).getDimSize(number);
  int64_t last = taken->first + (taken->size - 1) * taken->stride, parts = partsOf(meshOf(operand.getOwner()), dim);
  if (ShapedType::isDynamic(size))
    return last == 0 && dim.chunks == 1; // of what has elements, each rank has some
  return taken->size > 0 && parts > 0 && size % parts == 0 && taken->first / (size / parts) == last / (size / parts);
}

/// Whether dimensions with this letter have several sizes.
static bool changesSize(Operation *op, const ShardingLetters &letters, int letter) {
  int64_t common = ShapedType::kDynamic;
  bool changes = false;
  auto compare = [&](ValueRange values, ArrayRef<SmallVector<int>> all) {
    for (auto [value, dims] : llvm::zip(values, all))
      for (auto [of, size] : llvm::zip(dims, cast<RankedTensorType>(value.getType()).getShape())) {
        if (of != letter || ShapedType::isDynamic(size))
          continue;
        changes |= !ShapedType::isDynamic(common) && size != common;
        common = size;
      }
  };
  compare(op->getOperands(), letters.operands);
  compare(op->getResults(), letters.results);
  return changes;
}

/// Assigns the axes of one dimension to its letter. Of two dimensions of which one has all axes of the other, the
/// letter has those of the finer one.
static LogicalResult assignLetter(OpOperand &operand, unsigned number, const ShardingLetters &letters, int letter,
                                  const DimSharding &dim, LetterShardings &assigned, ReportMeeting report) {
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
  if (letter == ShardingLetters::whole || isTaken(dim.axes, letter, assigned) ||
      (!dim.factors.empty() && changesSize(operand.getOwner(), letters, letter)))
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
      if (dim.isWhole() || letter == ShardingLetters::any || isTakenOfOnePart(operand, number, dim, letters))
        continue;
      if (letters.split && letters.split->dim == number && assignCounted(dim, *letters.split, meshOf(op), assigned))
        continue;
      if (failed(assignLetter(operand, number, letters, letter, dim, assigned, report)))
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

/// Joins dimensions that are counted together, so that equal parts are equal lists: whole ones of static sizes belong
/// to the one before.
static SmallVector<CountedDim, 2> joinWhole(ArrayRef<CountedDim> dims) {
  SmallVector<CountedDim, 2> joined;
  for (const CountedDim &dim : dims) {
    if (!dim.axes && dim.size == 1)
      continue;
    bool belongs =
        !dim.axes && !joined.empty() && !ShapedType::isDynamic(dim.size) && !ShapedType::isDynamic(joined.back().size);
    if (belongs)
      joined.back().size *= dim.size;
    else
      joined.push_back(dim);
  }
  return joined;
}

/// Returns the sharding of a dimension that counts several, which may count several themselves.
static DimSharding mergeDims(const ShardingLetters::Merge &merge, const LetterShardings &assigned) {
  SmallVector<Attribute> axes;
  SmallVector<CountedDim> counted;
  DimSharding merged;
  for (auto [letter, size] : llvm::zip(merge.letters, merge.sizes)) {
    DimSharding dim = assigned.lookup(letter);
    llvm::append_range(counted, countedDims(dim, size));
    if (dim.isWhole())
      continue;
    llvm::append_range(axes, dim.axes);
    merged.origin = dim.origin;
  }
  if (axes.empty())
    return merged;
  merged.axes = ArrayAttr::get(axes.front().getContext(), axes);
  merged.factors = joinWhole(counted);
  auto isShared = [](const CountedDim &dim) { return bool(dim.axes); };
  if (isShared(merged.factors.front()) && llvm::none_of(llvm::drop_begin(merged.factors), isShared)) {
    merged.chunks = merged.factors.front().chunks; // parts of the first dimension are ranges of the merged one
    merged.factors.clear();
  }
  return merged;
}

DimShardings xf::shardingOfOperand(const ShardingLetters &letters, OpOperand &operand, const LetterShardings &assigned,
                                   ArrayRef<DimSharding> given) {
  DimShardings dims;
  for (auto [d, letter] : llvm::enumerate(letters.operands[operand.getOperandNumber()])) {
    DimSharding of = d < given.size() ? given[d] : DimSharding();
    bool isAsGiven = letter == ShardingLetters::any || isTakenOfOnePart(operand, d, of, letters);
    dims.push_back(isAsGiven ? of : assigned.lookup(letter));
  }
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
