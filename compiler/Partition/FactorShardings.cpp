//===- FactorShardings.cpp - The axes of an op's factors ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/FactorShardings.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

std::string xf::textOf(ArrayAttr axes, int64_t chunks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '{';
  llvm::interleaveComma(axes, os);
  if (chunks > 1)
    os << " zigzag " << chunks;
  os << '}';
  return text;
}

SmallVector<CountedDim, 2> xf::countedDims(const DimSharding &dim, int64_t size) {
  if (!dim.counted.empty())
    return dim.counted;
  return {{size, dim.isWhole() ? ArrayAttr() : dim.axes, dim.chunks}};
}

DimShardings xf::countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh) {
  DimShardings counted(sizes.size());
  if (dim.isWhole())
    return counted;
  auto shardingOf = [&](const CountedDim &of) { return DimSharding{of.axes, dim.origin, {}, of.chunks}; };
  if (llvm::equal(sizes, llvm::map_range(dim.counted, [](const CountedDim &of) { return of.size; })))
    return llvm::map_to_vector<6>(dim.counted, shardingOf);
  if (llvm::any_of(sizes, [](int64_t size) { return ShapedType::isDynamic(size) || size == 0; }))
    return {};
  int64_t all = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
  SmallVector<CountedDim, 2> given = countedDims(dim, all);
  auto *next = given.begin();
  int64_t left = 1; // of the one that sizes divide
  for (auto [of, size] : llvm::zip(counted, sizes)) {
    if (size == 1)
      continue;
    if (left == 1 && next != given.end()) { // the first of them has its parts
      int64_t parts = next->axes ? ranksOf(mesh, next->axes) * next->chunks : 1;
      if (parts == 0 || size % parts != 0)
        return {};
      of = shardingOf(*next);
      left = next++->size;
    }
    if (ShapedType::isDynamic(left) || left % size != 0)
      return {};
    left /= size;
  }
  return left == 1 && next == given.end() ? counted : DimShardings();
}

SmallVector<int64_t> xf::commonSizes(const DimSharding &a, const DimSharding &b) {
  auto sizesOf = [](const DimSharding &dim) {
    return llvm::map_to_vector(dim.counted, [](const CountedDim &of) { return of.size; });
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

/// Returns whether `axes` are the first axes of `finer`. Then a rank's part over `axes` contains its part over `finer`,
/// and no rank has to send elements.
static bool isPrefix(ArrayAttr axes, ArrayAttr finer) {
  return axes.size() <= finer.size() && std::equal(axes.begin(), axes.end(), finer.begin());
}

/// Returns whether one of `axes` shards a factor other than `factor`.
static bool isTaken(ArrayAttr axes, int factor, const FactorShardings &assigned) {
  return llvm::any_of(assigned, [&](const auto &other) {
    return other.first != factor &&
           llvm::any_of(axes, [&](Attribute axis) { return llvm::is_contained(other.second.axes, axis); });
  });
}

/// Returns whether an op takes only elements of one chunk of one rank from dimension `number` of `operand`. `dim` is
/// the sharding of the dimension. Returns false if the dimension is whole.
static bool isTakenOfOnePart(OpOperand &operand, unsigned number, const DimSharding &dim,
                             const DimensionFactors &factors) {
  auto *taken = llvm::find_if(factors.taken, [&](const DimensionFactors::Taken &of) { return of.dim == number; });
  if (dim.isWhole() || !dim.counted.empty() || taken == factors.taken.end())
    return false;
  int64_t size = cast<RankedTensorType>(operand.get().getType()).getDimSize(number);
  int64_t last = taken->first + (taken->size - 1) * taken->stride, parts = partsOf(meshOf(operand.getOwner()), dim);
  if (ShapedType::isDynamic(size))
    return last == 0 && dim.chunks == 1; // of what has elements, each rank has some
  return taken->size > 0 && parts > 0 && size % parts == 0 && taken->first / (size / parts) == last / (size / parts);
}

/// Returns whether dimensions of `op` with the factor `factor` have different static sizes.
static bool changesSize(Operation *op, const DimensionFactors &factors, int factor) {
  int64_t common = ShapedType::kDynamic;
  bool changes = false;
  auto compare = [&](ValueRange values, ArrayRef<SmallVector<int>> all) {
    for (auto [value, dims] : llvm::zip(values, all))
      for (auto [of, size] : llvm::zip(dims, cast<RankedTensorType>(value.getType()).getShape())) {
        if (of != factor || ShapedType::isDynamic(size))
          continue;
        changes |= !ShapedType::isDynamic(common) && size != common;
        common = size;
      }
  };
  compare(op->getOperands(), factors.operands);
  compare(op->getResults(), factors.results);
  return changes;
}

namespace {
/// A dimension of an operand, its sharding, and the factor to which this sharding is assigned.
struct Assignment {
  OpOperand &operand;
  unsigned number;
  int factor;
  const DimSharding &dim;
};
} // namespace

/// Assigns the sharding of an operand's dimension to the factor of the dimension. If the factor already has a sharding,
/// it gets the one with more axes of the two, provided that these include the axes of the other. Ranges are preferred
/// to zigzag chunks. Calls `report` if the two shardings contradict each other, or if the operand has to be gathered.
static LogicalResult assignFactor(const Assignment &assignment, const DimensionFactors &factors,
                                  FactorShardings &assigned, ReportMeeting report) {
  const auto &[operand, number, factor, dim] = assignment;
  if (auto found = assigned.find(factor); found != assigned.end()) {
    DimSharding &known = found->second;
    if (known.isLike(dim))
      return success();
    // Where one counts several dimensions, or has zigzag chunks, the same elements are on other ranks.
    bool merges = !known.counted.empty() || !dim.counted.empty();
    bool counts = merges || known.chunks > 1 || dim.chunks > 1;
    if (!merges && known.chunks > 1 && dim.chunks == 1 && !isTaken(dim.axes, factor, assigned)) {
      known = dim; // what is in order stays so: parameters and states
      return success();
    }
    if (!counts && holdsAll(dim.axes, known.axes) && !isTaken(dim.axes, factor, assigned)) {
      known = dim;
      return success();
    }
    if (!counts && isPrefix(dim.axes, known.axes))
      return success();
    return report(operand, number, dim, counts || holdsAll(known.axes, dim.axes) ? nullptr : &known);
  }
  if (factor == DimensionFactors::whole || isTaken(dim.axes, factor, assigned) ||
      (!dim.counted.empty() && changesSize(operand.getOwner(), factors, factor)))
    return report(operand, number, dim, nullptr);
  assigned.insert({factor, dim});
  return success();
}

/// Assigns the sharding `dim` of a dimension to the factors into which `split` splits the dimension. Assigns none and
/// returns false if a rank's part of the dimension is not a product of parts of the factors (countedBy).
static bool assignCounted(const DimSharding &dim, const DimensionFactors::Merge &split, MeshAttr mesh,
                          FactorShardings &assigned) {
  DimShardings counted = countedBy(dim, split.sizes, mesh);
  for (auto [factor, of] : llvm::zip(split.factors, counted))
    if (!of.isWhole())
      assigned.insert({factor, of});
  return !counted.empty();
}

LogicalResult xf::assignFactors(Operation *op, const DimensionFactors &factors,
                                function_ref<ArrayRef<DimSharding>(Value)> shardingOf, FactorShardings &assigned,
                                ReportMeeting report) {
  SmallVector<Assignment> assignments;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int> ofOperand = factors.operands[operand.getOperandNumber()];
    for (auto [number, dim] : llvm::enumerate(shardingOf(operand.get()))) {
      int factor = number < ofOperand.size() ? ofOperand[number] : DimensionFactors::whole;
      if (dim.isWhole() || factor == DimensionFactors::any || isTakenOfOnePart(operand, number, dim, factors))
        continue;
      if (factors.split && factors.split->dim == number && assignCounted(dim, *factors.split, meshOf(op), assigned))
        continue;
      Assignment assignment{operand, unsigned(number), factor, dim};
      if (failed(assignFactor(assignment, factors, assigned, report)))
        return failure();
      if (assigned.lookup(factor).isLike(dim))
        assignments.push_back(assignment);
    }
  }
  for (const Assignment &made : assignments) { // before a finer dimension came, or one in order
    DimSharding last = assigned.lookup(made.factor);
    if ((made.dim.chunks != last.chunks || !isPrefix(made.dim.axes, last.axes)) &&
        failed(report(made.operand, made.number, made.dim, nullptr)))
      return failure();
  }
  return success();
}

/// Merges each dimension that is whole and of static size into the one before it, so that equal shardings have equal
/// lists.
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

/// Returns the sharding of a dimension that an op merges from several (`merge`). `assigned` are the shardings of the
/// factors of the merged dimensions. A merged dimension may itself be merged from others.
static DimSharding mergeDims(const DimensionFactors::Merge &merge, const FactorShardings &assigned) {
  SmallVector<Attribute> axes;
  SmallVector<CountedDim> counted;
  DimSharding merged;
  for (auto [factor, size] : llvm::zip(merge.factors, merge.sizes)) {
    DimSharding dim = assigned.lookup(factor);
    llvm::append_range(counted, countedDims(dim, size));
    if (dim.isWhole())
      continue;
    llvm::append_range(axes, dim.axes);
    merged.origin = dim.origin;
  }
  if (axes.empty())
    return merged;
  merged.axes = ArrayAttr::get(axes.front().getContext(), axes);
  merged.counted = joinWhole(counted);
  auto isShared = [](const CountedDim &dim) { return bool(dim.axes); };
  if (isShared(merged.counted.front()) && llvm::none_of(llvm::drop_begin(merged.counted), isShared)) {
    merged.chunks = merged.counted.front().chunks; // parts of the first dimension are ranges of the merged one
    merged.counted.clear();
  }
  return merged;
}

DimShardings xf::shardingOfOperand(const DimensionFactors &factors, OpOperand &operand, const FactorShardings &assigned,
                                   ArrayRef<DimSharding> given) {
  DimShardings dims;
  for (auto [d, factor] : llvm::enumerate(factors.operands[operand.getOperandNumber()])) {
    DimSharding of = d < given.size() ? given[d] : DimSharding();
    bool isAsGiven = factor == DimensionFactors::any || isTakenOfOnePart(operand, d, of, factors);
    dims.push_back(isAsGiven ? of : assigned.lookup(factor));
  }
  if (factors.split)
    dims[factors.split->dim] = mergeDims(*factors.split, assigned);
  return dims;
}

DimShardings xf::shardingOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned) {
  DimShardings dims;
  for (int factor : factors.results[result])
    dims.push_back(assigned.lookup(factor));
  if (factors.merge)
    dims[factors.merge->dim] = mergeDims(*factors.merge, assigned);
  if (llvm::all_of(dims, [](const DimSharding &dim) { return dim.isWhole(); }))
    dims.clear();
  return dims;
}

/// Returns the largest static size that operands have in a dimension with the factor `factor`, or 0 if they have none.
/// If the op splits a dimension of its operand, the new factors are in no operand: ranks that divide the dimension need
/// not divide these factors.
static int64_t largestSize(Operation *op, const DimensionFactors &factors, int factor) {
  int64_t largest = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(operand.get().getType()).getShape();
    for (auto [of, size] : llvm::zip(factors.operands[operand.getOperandNumber()], shape))
      largest = of == factor && !ShapedType::isDynamic(size) ? std::max(largest, size) : largest;
  }
  return largest;
}

DimShardings xf::knownSharding(OpResult result, const DimensionFactors &factors, const FactorShardings &assigned,
                               MeshAttr mesh) {
  DimShardings dims = shardingOfResult(factors, result.getResultNumber(), assigned);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  bool keepsOrder = hasKeysOrder(result.getOwner());
  for (auto [dim, size, factor] : llvm::zip(dims, shape, factors.results[result.getResultNumber()])) {
    int64_t parts = partsOf(mesh, dim);
    if (dim.isWhole() || parts == 0 || ShapedType::isDynamic(size))
      continue;
    if (keepsOrder && dim.counted.empty()) // alike on all meshes, so that all have the same slices
      parts = factor == DimensionFactors::whole || size == largestSize(result.getOwner(), factors, factor)
                  ? 1 // of merged dimensions, or of what gave it its axes
                  : std::lcm(maxSlices(dim.axes), parts);
    dim = size % parts == 0 ? dim : DimSharding();
  }
  if (llvm::all_of(dims, [](const DimSharding &dim) { return dim.isWhole(); }))
    dims.clear();
  return dims;
}

SmallVector<Attribute> xf::sumsOfResult(const DimensionFactors &factors, unsigned result,
                                        const FactorShardings &assigned) {
  SmallVector<Attribute> summed;
  for (const auto &[factor, dim] : assigned)
    if (!llvm::is_contained(factors.results[result], factor) &&
        !(factors.merge && llvm::is_contained(factors.merge->factors, factor)))
      llvm::append_range(summed, dim.axes);
  return summed;
}
