//===- DescribeSteps.cpp - Names of kernels and work of steps -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives kernels the names that people read in traces, profiles, debuggers and dumps, and records the work of steps.
//
// Before:  xft.launch @contract_9b036fdfe5055934 tiles(%n) (%x, %w, %b, %y : ..)
// After:   xft.launch @matmul_bias_gelu_forward tiles(%n) (%x, %w, %b, %y : ..) {xft.bytes = 7.1e6 : f64, xft.flop =
// 1.2e9 : f64}
//
// A name has four parts: the family of the kernel and what its body adds to it, the entry that launches it, the name of
// the op's location if it has one, and the family of its pattern: attend_forward_layer3_window_band. A kernel that
// several ops share has the name of the first entry, and only those of the other parts that all ops have in common.
// Kernels with equal names are numbered in the order of the module. The name of a kernel that nothing launches may be a
// single word. "_kernel" is then appended, because a function called `exp` would be taken for the function of C.
//
// Runs when all kernels are there, because until then the hashes in their names identify them (KernelLibrary.h). Runs
// before kernels are expanded, because expanded code no longer shows what a kernel computes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Passes.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Ops/XfFamily.h"
#include "dialects/xft/IR/XftWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::xf {
#define GEN_PASS_DEF_DESCRIBESTEPSPASS
#include "compiler/Tile/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Returns whether the region has a constant close to `number`.
static bool hasConstant(Region &region, double number) {
  return llvm::any_of(region.getOps<arith::ConstantOp>(), [&](arith::ConstantOp constant) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    return value && std::abs(value.getValueAsDouble() - number) < 0.01 * number;
  });
}

/// Returns the name of the activation of which `op`, an op of `region`, is a part. If it is part of none, returns the
/// name of the function that `op` computes, or an empty string if it computes none.
static StringRef functionName(Operation &op, Region &region) {
  bool isSigmoid = !region.getOps<arith::DivFOp>().empty();
  if (isa<math::ErfOp, math::ErfcOp>(op) || (isa<math::ExpOp>(op) && isSigmoid && hasConstant(region, 1.702)) ||
      (isa<math::TanhOp>(op) && hasConstant(region, 0.044715)))
    return "gelu";
  if (isa<math::ExpOp>(op) && isSigmoid)
    return "sigmoid";
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return "max";
  return isa_and_present<math::MathDialect>(op.getDialect()) ? op.getName().stripDialect() : StringRef();
}

/// Returns the values of a region that depend on `start`.
static DenseSet<Value> dependents(Region &region, Value start) {
  DenseSet<Value> values = {start};
  for (Operation &op : region.front())
    if (llvm::any_of(op.getOperands(), [&](Value operand) { return values.contains(operand); }))
      values.insert(op.result_begin(), op.result_end());
  return values;
}

/// Appends "_" and the name of the first function that the region computes. If this function does not depend on the
/// region's first element, `element`, also appends "_vjp": such a region multiplies `element`, a gradient, by the
/// derivative of the function.
static void addFunction(Region &region, Value element, std::string &name) {
  DenseSet<Value> own = dependents(region, element);
  for (Operation &op : region.front()) {
    StringRef function = functionName(op, region);
    if (function.empty())
      continue;
    name += ("_" + function).str();
    if (!own.contains(op.getResult(0)))
      name += "_vjp";
    return;
  }
}

/// Returns `family`, followed by the name of the function that an element-wise kernel computes. If it computes none,
/// the names of its first few operations follow instead.
static std::string mapName(Region &region, StringRef family) {
  std::string name = family.str();
  SmallVector<Value> elements(region.getArguments().drop_front());
  if (elements.empty())
    return name;
  addFunction(region, elements.front(), name);
  if (name != family)
    return name;
  SmallVector<StringRef> operations;
  for (Operation &op : region.front())
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::SelectOp>(op)) {
      StringRef operation = op.getName().stripDialect();
      operation.consume_back("f");
      if (!llvm::is_contained(operations, operation) && operations.size() < 3)
        operations.push_back(operation);
    }
  return operations.empty() ? name : name + "_" + llvm::join(operations, "_");
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Returns whether the rows of an operand of a product are all the same.
static bool isBias(Value operand) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(operand.getType());
  return type.getRank() > 1 && succeeded(type.getStridesAndOffset(strides, offset)) &&
         *std::next(strides.rbegin()) == 0;
}

/// Returns "matmul", followed by what the epilogue of `product` computes.
static std::string productName(xft::ContractOp product) {
  std::string name = "matmul";
  Region &region = product.getEpilogue();
  Value sum = region.getArgument(0);
  if (llvm::any_of(product.getIns(), isBias))
    name += "_bias";
  addFunction(region, sum, name);
  for (auto [extra, element] : llvm::zip(product.getIns(), region.getArguments().drop_front()))
    if (!isBias(extra) && llvm::any_of(element.getUsers(), llvm::IsaPred<arith::AddFOp>)) {
      name += "_add";
      break;
    }
  return name;
}

/// Returns the name of the set of keys that the queries of `order` see, as its pieces describe it.
static StringRef orderName(xft::QueryOrderAttr order) {
  if (order.getTiles())
    return "predicate";
  if (order.getPieces().size() != 1)
    return "pieces";
  PieceAttr piece = order.getPiece();
  auto bounds = [](AffineMap map) { return map && map.getNumResults() > 0; };
  if (order.getResidues() > 1 || piece.getResidues() > 1)
    return "residues";
  if (!piece.getKeys().isIdentity())
    return "mapped";
  if (bounds(piece.getLower()) && bounds(piece.getUpper()))
    return "band";
  return bounds(piece.getUpper()) ? "prefix" : bounds(piece.getLower()) ? "suffix" : "full";
}

/// Returns the new name of `kernel`. It consists of the kernel's family, of what the kernel's body computes, and of
/// `callers`, the text that describes what launches the kernel.
static std::string describe(func::FuncOp kernel, StringRef family, StringRef callers) {
  for (Operation &op : kernel.getBody().front()) {
    if (auto product = dyn_cast<xft::ContractOp>(op))
      return productName(product) + callers.str();
    if (auto order = op.getAttrOfType<xft::QueryOrderAttr>("order"))
      return (family + callers + "_" + orderName(order)).str();
    if (auto rows = dyn_cast<xft::RowsOp>(op); rows && family == "map")
      for (auto columns : rows.getOps<xft::ColsOp>())
        return mapName(columns.getBody(), family) + callers.str();
  }
  return (family + callers).str();
}

/// Returns the name of a kernel without its hash: "contract" for "contract_989c1a296ed1e2d8". Returns an empty string
/// for a kernel that came with the program.
static StringRef familyOf(StringRef kernel) {
  constexpr size_t digits = 16;
  auto [family, hash] = kernel.rsplit('_');
  return hash.size() == digits && llvm::all_of(hash, llvm::isHexDigit) ? family : StringRef();
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

/// Returns the first name in a location, or an empty string if there is none. In a CallSiteLoc, only looks at the
/// location of the callee.
static StringRef nameOf(Location loc) {
  SmallVector<Location> open = {loc}; // the last one is the next
  while (!open.empty()) {
    Location next = open.pop_back_val();
    if (auto named = dyn_cast<NameLoc>(next); named && !named.getName().empty())
      return named.getName();
    if (auto call = dyn_cast<CallSiteLoc>(next))
      open.push_back(call.getCallee());
    if (auto fused = dyn_cast<FusedLoc>(next))
      open.append(fused.getLocations().rbegin(), fused.getLocations().rend());
  }
  return StringRef();
}

namespace {
/// What launches a kernel. `entry` is the first entry that launches it. `name` and `family` are the name of the ops
/// that the kernel computes and the family of their pattern, or empty if the ops differ in it.
struct Callers {
  StringRef entry, name, family;

  /// Returns the suffix of a kernel's name, with only characters of symbols: "_forward_layer3_window".
  std::string text() const {
    constexpr size_t longest = 40; // characters of a part
    std::string text;
    for (StringRef part : {entry, name, family}) {
      if (!part.empty())
        text += '_';
      for (char c : part.take_front(longest))
        text += llvm::isAlnum(c) ? c : '_';
    }
    return text;
  }
};
} // namespace

/// Returns the callers of each kernel. If an entry is the gradient of another entry, it counts as this other entry.
static llvm::StringMap<Callers> findCallers(ModuleOp module) {
  llvm::StringMap<Callers> callers;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](xft::LaunchOp launch) {
      auto attribute = launch->getAttrOfType<StringAttr>(kFamilyAttrName);
      StringRef name = nameOf(launch.getLoc()), family = attribute ? attribute.getValue() : StringRef();
      StringRef entry = function.getName();
      entry.consume_back("_vjp");
      auto [known, isFirst] = callers.try_emplace(launch.getKernel(), Callers{entry, name, family});
      if (isFirst)
        return;
      if (known->second.name != name)
        known->second.name = StringRef();
      if (known->second.family != family)
        known->second.family = StringRef();
    });
  return callers;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns the new names of kernels. No other symbol of the module has any of them.
static llvm::StringMap<std::string> nameKernels(ModuleOp module) {
  llvm::StringSet<> taken;
  SmallVector<func::FuncOp> kernels;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    auto function = dyn_cast<func::FuncOp>(symbol.getOperation());
    if (function && xft::isKernel(function) && !familyOf(function.getName()).empty())
      kernels.push_back(function);
    else
      taken.insert(symbol.getName());
  }
  llvm::StringMap<Callers> callers = findCallers(module);
  llvm::StringMap<std::string> names;
  for (func::FuncOp kernel : kernels) {
    std::string name = describe(kernel, familyOf(kernel.getName()), callers.lookup(kernel.getName()).text());
    if (!StringRef(name).contains('_'))
      name += "_kernel";
    std::string unique = name;
    for (int64_t number = 2; !taken.insert(unique).second; ++number)
      unique = name + "_" + std::to_string(number);
    names[kernel.getName()] = unique;
  }
  return names;
}

namespace {
struct DescribeStepsPass : xf::impl::DescribeStepsPassBase<DescribeStepsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([](xft::HostStep step) { xft::recordWork(step); });
    llvm::StringMap<std::string> names = nameKernels(module);
    module.walk([&](xft::LaunchOp launch) {
      if (auto found = names.find(launch.getKernel()); found != names.end())
        launch.setKernel(found->second);
      launch->removeAttr(kFamilyAttrName);
    });
    for (auto function : module.getOps<func::FuncOp>())
      if (auto found = names.find(function.getName()); found != names.end())
        function.setSymName(found->second);
  }
};
} // namespace
