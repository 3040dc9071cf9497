//===- Symbols.cpp - Dynamic sizes of an entry ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/Symbols.h"
#include "dialects/xf/IR/XfSizes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::xf;

using Dimension = std::pair<unsigned, int64_t>;

/// Returns the argument and dimension whose size is `size`, if a memref.dim of an argument defines it. Returns nullopt
/// otherwise.
static std::optional<Dimension> dimensionOf(Value size) {
  auto dim = size.getDefiningOp<memref::DimOp>();
  auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : nullptr;
  if (!argument || !dim.getConstantIndex())
    return std::nullopt;
  return Dimension(argument.getArgNumber(), *dim.getConstantIndex());
}

/// Returns the declaration (xf.dims) of a dynamic dimension of an argument, or null if there is none.
static Attribute declaration(func::FuncOp host, Dimension dimension) {
  auto dims = host.getArgAttrOfType<ArrayAttr>(dimension.first, "xf.dims");
  if (!dims)
    return nullptr;
  auto shape = cast<MemRefType>(host.getArgumentTypes()[dimension.first]).getShape();
  return dims[llvm::count_if(shape.take_front(dimension.second), ShapedType::isDynamic)];
}

static DimAttr declaredDim(func::FuncOp host, Dimension dimension) {
  return dyn_cast_or_null<DimAttr>(declaration(host, dimension));
}

/// Returns the expression that xf.dims declares for the size of a dimension. Returns nullopt if xf.dims declares
/// nothing for the dimension, or only a name.
static std::optional<SizeExpression> computedSize(func::FuncOp host, Dimension dimension) {
  auto size = dyn_cast_or_null<SizeAttr>(declaration(host, dimension));
  return size && !size.getExpression().name() ? std::optional(size.getExpression()) : std::nullopt;
}

static bool isResult(func::FuncOp host, Dimension dimension) {
  return host.getArgAttr(dimension.first, xft::resultAttrName) != nullptr;
}

/// Returns the names that expressions may use for a dimension: the declared name and, for an input, INPUT.DIMENSION.
/// For a result, there is no such second name, because a result may have the name of an input, but other sizes.
static SmallVector<std::string, 2> namesOf(func::FuncOp host, Dimension dimension) {
  SmallVector<std::string, 2> names;
  if (!isResult(host, dimension))
    names.push_back(sizeName(host, dimension.first, dimension.second));
  if (DimAttr dim = declaredDim(host, dimension))
    names.push_back(dim.getName().str());
  if (auto size = dyn_cast_or_null<SizeAttr>(declaration(host, dimension)))
    if (SizeExpression expression = size.getExpression(); const std::string *name = expression.name())
      names.push_back(*name);
  return names;
}

/// Unites the classes of dimensions: those in `order` that have a name in common get one class.
static void uniteNamed(func::FuncOp host, ArrayRef<Dimension> order, llvm::EquivalenceClasses<Dimension> &classes) {
  llvm::StringMap<Dimension> first;
  for (Dimension dimension : order)
    for (const std::string &name : namesOf(host, dimension)) {
      auto [found, isNew] = first.try_emplace(name, dimension);
      if (!isNew)
        classes.unionSets(found->second, dimension);
    }
}

/// Returns the index of the derived symbol whose value is the expression `size`, and must lie between 0 and `max`. Adds
/// such a symbol if there is none.
int32_t SymbolClasses::derived(const SizeExpression &size, int64_t max) {
  std::string name = size.text();
  for (auto [number, symbol] : llvm::enumerate(symbols))
    if (symbol.value && symbol.name == name && symbol.max == max)
      return number;
  symbols.push_back({name, 0, max, size});
  return symbols.size() - 1;
}

void SymbolClasses::addDerived(func::FuncOp host, ArrayRef<Dimension> order) {
  for (Dimension dimension : order)
    if (std::optional<SizeExpression> size = computedSize(host, dimension))
      numbers[dimension] = derived(*size);
    else
      for (const std::string &name : namesOf(host, dimension))
        symbolOfName[name] = numbers[dimension];
  if (auto sizes = host->getAttrOfType<ArrayAttr>(xft::sizesAttrName))
    for (auto size : sizes.getAsRange<SizeAttr>())
      derived(size.getExpression());
  if (auto zeros = host->getAttrOfType<ArrayAttr>(xft::zeroSizesAttrName))
    for (auto size : zeros.getAsRange<SizeAttr>())
      derived(size.getExpression(), /*max=*/0);
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
  uniteNamed(host, order, classes);
  auto isDerived = [&](Dimension dimension) { return computedSize(host, dimension).has_value(); };
  DenseMap<Dimension, int64_t> fixed;
  host.walk([&](xft::RequireEqualOp op) { // other equalities are checked at the start of a call (BuildHostTable.cpp)
    auto x = dimensionOf(op.getX()), y = dimensionOf(op.getY());
    APInt constant;
    if ((x && isDerived(*x)) || (y && isDerived(*y)))
      return;
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
    if (isDerived(dimension))
      continue;
    auto [leader, isNew] = ofLeader.try_emplace(classes.getLeaderValue(dimension), result.symbols.size());
    if (isNew)
      result.symbols.push_back(
          {(isResult(host, dimension) ? "result " : "") + sizeName(host, dimension.first, dimension.second), 0,
           INT32_MAX});
    result.numbers[dimension] = leader->second;
    HostTable::Symbol &symbol = result.symbols[leader->second];
    if (DimAttr dim = declaredDim(host, dimension))
      symbol = {dim.getName().str(), std::max(symbol.min, dim.getMin()), std::min(symbol.max, dim.getMax()), {}};
    if (auto size = fixed.find(dimension); size != fixed.end())
      symbol.min = symbol.max = size->second;
  }
  result.addDerived(host, order);
  return result;
}

int32_t SymbolClasses::symbol(unsigned argument, int64_t dim) const {
  auto found = numbers.find({argument, dim});
  return found == numbers.end() ? -1 : found->second;
}
