//===- SharedKernels.cpp - One function for equal kernels -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  func @attend_vjp_1(%begin, %end, %scratch, %q, ..) { xft.attend_vjp %q, .. piece #xf.piece<.. A ..> }
//          func @attend_vjp_2(%begin, %end, %scratch, %q, ..) { xft.attend_vjp %q, .. piece #xf.piece<.. B ..> }
// After:   func @attend_vjp_shared_..(%begin, %end, %scratch, %number, %q, ..) { xft.attend_vjp .. piece A }
//          func @attend_vjp_1(%begin, %end, %scratch, %q, ..) { call @attend_vjp_shared_..(.., 0, %q, ..) }
//          func @attend_vjp_2(%begin, %end, %scratch, %q, ..) { call @attend_vjp_shared_..(.., 1, %q, ..) }
//
// Kernels share a function if their text is the same after the numbers that are chosen at run time are removed.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "dialects/xft/IR/XftOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns whether the indices of a residue have gaps. Windows of `width` indices begin every `period` indices, so
/// there are gaps if windows are shorter than the period.
static bool hasGaps(IndexMapAttr map) { return map.getPeriod() != map.getWidth(); }

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

SmallVector<Value> SharedOps::choose(KernelBuilder &kb, TypeRange types,
                                     function_ref<SmallVector<Value>(size_t)> build) const {
  if (size() == 1)
    return build(0);
  Value index = arith::IndexCastOp::create(kb.b, kb.loc, kb.b.getIndexType(), number);
  SmallVector<int64_t> cases = llvm::to_vector(llvm::seq<int64_t>(1, size())); // the first is the default
  auto chosen = scf::IndexSwitchOp::create(kb.b, kb.loc, types, index, cases, cases.size());
  OpBuilder::InsertionGuard guard(kb.b);
  for (auto [member, region] : llvm::enumerate(chosen->getRegions())) {
    kb.b.createBlock(&region);
    SmallVector<Value> results = build(member);
    scf::YieldOp::create(kb.b, kb.loc, results);
  }
  return SmallVector<Value>(chosen.getResults());
}

Value SharedOps::integer(KernelBuilder &kb, function_ref<int64_t(size_t)> value) const {
  auto isFirst = [&](size_t member) { return value(member) == value(0); };
  if (llvm::all_of(llvm::seq<size_t>(1, size()), isFirst))
    return kb.integer(value(0));
  return choose(kb, kb.i64(), [&](size_t member) { return SmallVector<Value>{kb.integer(value(member))}; })[0];
}

ChosenMap SharedOps::indexMap(KernelBuilder &kb, function_ref<IndexMapAttr(size_t)> map) const {
  IndexMapAttr first = map(0);
  auto all = [&](auto isEqual) {
    return llvm::all_of(llvm::seq<size_t>(1, size()), [&](size_t member) { return isEqual(map(member)); });
  };
  if (all([&](IndexMapAttr one) { return one == first; }))
    return {first, {}, {}, {}, {}, {}, {}};
  SmallVector<Type> types(6, kb.i64());
  SmallVector<Value> chosen = choose(kb, types, [&](size_t member) {
    IndexMapAttr one = map(member);
    int64_t numbers[] = {one.getMultiplier(), one.getShift(), one.getOffset(),
                         one.getPeriod(),     one.getWidth(), one.getCell()};
    return llvm::map_to_vector(numbers, [&](int64_t number) { return kb.integer(number); });
  });
  ChosenMap result{first, chosen[0], chosen[1], chosen[2], {}, {}, chosen[5]};
  bool hasEqualWindows = all([&](IndexMapAttr one) {
    return !hasGaps(one) || (one.getPeriod() == first.getPeriod() && one.getWidth() == first.getWidth());
  });
  if (!hasEqualWindows)
    std::tie(result.period, result.width) = std::tie(chosen[3], chosen[4]);
  return result;
}

RankMap ChosenMap::at(KernelBuilder &kb, Value r) const {
  if (!multiplier)
    return ResidueMap::of(kb, map, r);
  Value place = kb.floorMod(kb.add(kb.mul(r, multiplier), shift), map.getResidues());
  return {{map, kb.add(kb.mul(place, cell), offset)}, period, width};
}

//===----------------------------------------------------------------------===//
// Numbers that kernels may differ in
//===----------------------------------------------------------------------===//

/// Returns the map with fixed values in place of the numbers that SharedOps::indexMap chooses at run time.
static IndexMapAttr withoutNumbers(IndexMapAttr map) {
  int64_t residues = map.getResidues(), cell = residues == 1 ? 1 : 2;
  int64_t period = hasGaps(map) ? std::max<int64_t>(2, residues * cell) : 1;
  return IndexMapAttr::get(map.getContext(), residues, period, /*width=*/1, /*offset=*/0, cell, 0, 0);
}

/// Returns the piece without its bounds, and with fixed values in place of the numbers of its index maps. With
/// `keepsKeys`, keeps the map of keys.
static PieceAttr withoutNumbers(PieceAttr piece, bool keepsKeys = false) {
  IndexMapAttr keys = keepsKeys ? piece.getKeys() : withoutNumbers(piece.getKeys());
  return PieceAttr::get(piece.getContext(), withoutNumbers(piece.getQueries()), keys, piece.getResidues(), {}, {}, {},
                        {}, {}, {}, true, true, piece.getKeysDisjoint(), piece.getQueriesDisjoint());
}

/// Returns the query order with 0 for its first head, and with fixed values in place of the numbers of its index maps
/// and pieces. With `keepsKeys`, keeps the maps of keys: a task that gathers its keys reads them from the op.
static xft::QueryOrderAttr withoutNumbers(xft::QueryOrderAttr order, bool keepsKeys) {
  SmallVector<Attribute> pieces;
  for (auto piece : order.getPieces().getAsRange<PieceAttr>())
    pieces.push_back(withoutNumbers(piece, keepsKeys));
  return xft::QueryOrderAttr::get(order.getContext(), withoutNumbers(order.getQueries()), order.getResidues(),
                                  ArrayAttr::get(order.getContext(), pieces), order.getBuffers(), order.getTiles(),
                                  /*first_head=*/0, order.getHeadStep());
}

/// Replaces the numbers of `op` that are chosen at run time by fixed values. Fails, without an error, for ops that
/// cannot share a function.
static LogicalResult takeNumbersOut(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](xft::GatherPanelsOp gather) {
        gather.setMapAttr(withoutNumbers(gather.getMap()));
        return success();
      })
      .Case([](xft::ContractOp contract) {
        if (contract.getRows() >= xft::ContractOp::manyRows)
          contract.setBlock(0);
        contract.setDepth(0);
        contract.setPanels(1);
        return success();
      })
      .Case([](xft::AttendOp attend) {
        attend.setOrderAttr(withoutNumbers(attend.getOrder(), attend.getGathered() != 0));
        return success();
      })
      .Case([](xft::AttendVjpOp vjp) {
        vjp.setOrderAttr(withoutNumbers(vjp.getOrder(), /*keepsKeys=*/false));
        vjp.setAssigns(false);
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

/// Returns the only op of a kernel; null if the kernel has several ops, or one that is not structured.
static Operation *soleOp(func::FuncOp kernel) {
  Operation *found = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (found || !isa<xft::XftDialect>(op.getDialect()))
      return nullptr;
    found = &op;
  }
  return found;
}

/// Returns the product of a kernel whose code can serve both forms of its right operand B, a matrix and prepacked
/// panels. Such a product has many rows. It either widens panels in scratch memory, or its elements have the type of
/// sums, so that packing does not change them. Returns null for other kernels.
static xft::ContractOp productOfEither(func::FuncOp kernel) {
  auto contract = dyn_cast_or_null<xft::ContractOp>(soleOp(kernel));
  if (!contract || contract.getRows() < xft::ContractOp::manyRows)
    return nullptr;
  bool isSummed = cast<MemRefType>(contract.getB().getType()).getElementType() == contract.getSumType();
  return isSummed || contract.getWidened() ? contract : xft::ContractOp();
}

/// Gives the right operand of a product a type without dimensions. So the types of a matrix and of panels become equal.
static void takeFormOut(func::FuncOp kernel, xft::ContractOp contract) {
  auto b = cast<BlockArgument>(contract.getB());
  b.setType(MemRefType::get({}, cast<MemRefType>(b.getType()).getElementType()));
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), kernel.getBody().front().getArgumentTypes(), {}));
}

/// Returns the text of a kernel, with fixed values in place of the numbers that are chosen at run time. Kernels with
/// equal texts share a function. Returns an empty text for a kernel that cannot share one. With `ofEither`, the texts
/// of products are equal even if B lies in panels in one and is a matrix in the other.
static std::string commonText(func::FuncOp kernel, bool ofEither = false) {
  if (!soleOp(kernel) || (ofEither && !productOfEither(kernel)))
    return "";
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  if (failed(takeNumbersOut(soleOp(*copy))))
    return "";
  if (ofEither)
    takeFormOut(*copy, cast<xft::ContractOp>(soleOp(*copy)));
  copy->setName("kernel");
  (*copy)->removeAttr(xft::scratchAttrName); // launches read it from the kernels
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}

//===----------------------------------------------------------------------===//
// Shared functions
//===----------------------------------------------------------------------===//

/// Replaces the body of a kernel by a call of `shared` that passes the index `number` of the kernel.
static void callShared(func::FuncOp kernel, func::FuncOp shared, int64_t number) {
  OpBuilder b(kernel.getContext());
  kernel.getBody().front().erase();
  b.setInsertionPointToStart(kernel.addEntryBlock());
  SmallVector<Value> arguments(kernel.getArguments());
  TypeRange types = shared.getArgumentTypes().drop_front(xft::kernelPrefix + 1);
  for (auto [argument, type] : llvm::zip_equal(MutableArrayRef(arguments).drop_front(xft::kernelPrefix), types))
    if (argument.getType() != type) // panels in place of a matrix
      argument = UnrealizedConversionCastOp::create(b, kernel.getLoc(), type, argument).getResult(0);
  Value constant = arith::ConstantOp::create(b, kernel.getLoc(), b.getI64IntegerAttr(number));
  arguments.insert(arguments.begin() + xft::kernelPrefix, constant);
  func::CallOp::create(b, kernel.getLoc(), shared.getName(), TypeRange(), arguments);
  func::ReturnOp::create(b, kernel.getLoc());
}

void SharedKernels::share(ArrayRef<func::FuncOp> kernels) {
  func::FuncOp first = kernels.front(), shared = first.clone();
  auto module = first->getParentOfType<ModuleOp>();
  StringRef op = soleOp(first)->getName().stripDialect();
  std::string family = (op == "contract" ? "matmul" : op).str() + "_shared", name = family;
  for (int64_t count = 2; module.lookupSymbol(name); ++count)
    name = family + "_" + std::to_string(count);
  shared.setName(name);
  module.insert(first, shared);
  shared->setAttr(sharedAttrName, UnitAttr::get(first.getContext()));
  (void)shared.insertArgument(xft::kernelPrefix, IntegerType::get(first.getContext(), 64), {}, first.getLoc());
  SmallVector<DictionaryAttr> &attributes = members[shared];
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    NamedAttrList list(soleOp(kernel)->getAttrDictionary());
    if (auto contract = dyn_cast<xft::ContractOp>(soleOp(kernel)); contract && contract.isPacked())
      list.set(packedAttrName, UnitAttr::get(first.getContext()));
    attributes.push_back(list.getDictionary(first.getContext()));
    callShared(kernel, shared, number);
  }
}

namespace {
/// The kernels of a module in groups that may share a function. Groups are in the order of their first kernels.
struct KernelGroups {
  SmallVector<SmallVector<func::FuncOp>> groups;
  SmallVector<std::string> texts;

  explicit KernelGroups(ModuleOp module);
  void joinPanels();
};
} // namespace

KernelGroups::KernelGroups(ModuleOp module) {
  llvm::StringMap<size_t> numbers;
  for (auto function : module.getOps<func::FuncOp>()) {
    std::string text = xft::isKernel(function) ? commonText(function) : "";
    if (text.empty())
      continue;
    auto [found, isNew] = numbers.try_emplace(text, groups.size());
    if (isNew) {
      groups.emplace_back();
      texts.push_back(text);
    }
    groups[found->second].push_back(function);
  }
}

/// Moves groups of products with panels behind the kernels of equal products with matrices. The kernels with matrices
/// stay first, because the shared function has the code of the first kernel.
void KernelGroups::joinPanels() {
  llvm::StringMap<size_t> matrices;
  auto isPacked = [](ArrayRef<func::FuncOp> group) { return cast<xft::ContractOp>(soleOp(group[0])).isPacked(); };
  auto textOf = [](ArrayRef<func::FuncOp> group) { return commonText(group[0], /*ofEither=*/true); };
  for (auto [number, group] : llvm::enumerate(groups))
    if (std::string text = textOf(group); !text.empty() && !isPacked(group))
      matrices.try_emplace(text, number);
  for (SmallVector<func::FuncOp> &group : groups) {
    std::string text = textOf(group);
    auto found = text.empty() || !isPacked(group) ? matrices.end() : matrices.find(text);
    if (found == matrices.end())
      continue;
    llvm::append_range(groups[found->second], group);
    group.clear();
  }
}

SharedKernels::SharedKernels(ModuleOp module) {
  KernelGroups found(module);
  found.joinPanels();
  for (auto [text, kernels] : llvm::zip(found.texts, found.groups))
    if (kernels.size() > 1)
      share(kernels);
}

SharedOps SharedKernels::opsOf(Operation *op) const {
  auto function = op->getParentOfType<func::FuncOp>();
  auto found = members.find(function);
  if (found == members.end())
    return {{op->getAttrDictionary()}, Value()};
  return {found->second, function.getArgument(xft::kernelPrefix)};
}
