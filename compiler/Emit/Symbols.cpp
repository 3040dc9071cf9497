//===- Symbols.cpp - Dynamic sizes of an entry ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/Symbols.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::xf;

using Dimension = std::pair<unsigned, int64_t>;

/// Returns the argument and dimension whose size `size` is, if a memref.dim defines it. Returns nullopt for any other
/// index value.
static std::optional<Dimension> dimensionOf(Value size) {
  auto dim = size.getDefiningOp<memref::DimOp>();
  auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : nullptr;
  if (!argument || !dim.getConstantIndex())
    return std::nullopt;
  return Dimension(argument.getArgNumber(), *dim.getConstantIndex());
}

static std::string argumentName(func::FuncOp host, unsigned argument) {
  if (auto name = host.getArgAttrOfType<StringAttr>(argument, "xf.name"))
    return name.str();
  return "arg" + std::to_string(argument);
}

/// Returns the declaration (xf.dims) of a dynamic dimension of an argument, or null if there is none.
static DimAttr declaredDim(func::FuncOp host, Dimension dimension) {
  auto dims = host.getArgAttrOfType<ArrayAttr>(dimension.first, "xf.dims");
  if (!dims)
    return nullptr;
  auto shape = cast<MemRefType>(host.getArgumentTypes()[dimension.first]).getShape();
  return cast<DimAttr>(dims[llvm::count_if(shape.take_front(dimension.second), ShapedType::isDynamic)]);
}

/// Unites the classes of dimensions with the same declared name.
static void uniteDeclared(func::FuncOp host, ArrayRef<Dimension> order, llvm::EquivalenceClasses<Dimension> &classes) {
  llvm::StringMap<Dimension> first;
  for (Dimension dimension : order)
    if (DimAttr dim = declaredDim(host, dimension)) {
      auto [found, isNew] = first.try_emplace(dim.getName(), dimension);
      if (!isNew)
        classes.unionSets(found->second, dimension);
    }
}

SymbolClasses SymbolClasses::of(func::FuncOp host) {
  llvm::EquivalenceClasses<Dimension> classes;
  SmallVector<Dimension> order;
  for (unsigned n = 0; n < host.getNumArguments(); ++n) {
    auto type = cast<MemRefType>(host.getArgumentTypes()[n]);
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d)) {
        classes.insert({n, d});
        order.push_back({n, d});
      }
  }
  uniteDeclared(host, order, classes);
  DenseMap<Dimension, int64_t> fixed;
  host.walk([&](xft::RequireEqualOp op) { // other equalities are checked at the start of a call (HostTable.cpp)
    auto x = dimensionOf(op.getX()), y = dimensionOf(op.getY());
    APInt constant;
    if (x && y)
      classes.unionSets(*x, *y);
    else if (x && matchPattern(op.getY(), m_ConstantInt(&constant)))
      fixed[*x] = constant.getSExtValue();
    else if (y && matchPattern(op.getX(), m_ConstantInt(&constant)))
      fixed[*y] = constant.getSExtValue();
  });
  SymbolClasses result;
  DenseMap<Dimension, int32_t> ofLeader;
  for (Dimension dimension : order) {
    auto [leader, isNew] = ofLeader.try_emplace(classes.getLeaderValue(dimension), result.symbols.size());
    if (isNew)
      result.symbols.push_back(
          {argumentName(host, dimension.first) + "." + std::to_string(dimension.second), 0, INT32_MAX});
    result.numbers[dimension] = leader->second;
    HostTable::Symbol &symbol = result.symbols[leader->second];
    if (DimAttr dim = declaredDim(host, dimension))
      symbol = {dim.getName().str(), std::max(symbol.min, dim.getMin()), std::min(symbol.max, dim.getMax())};
    if (auto size = fixed.find(dimension); size != fixed.end())
      symbol.min = symbol.max = size->second;
  }
  return result;
}

int32_t SymbolClasses::symbol(unsigned argument, int64_t dim) const {
  auto found = numbers.find({argument, dim});
  return found == numbers.end() ? -1 : found->second;
}
