//===- ReportSteps.cpp - Launches and memory in a page --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating-point operations of a launch are known for products and attention. Its bytes are the elements of its
// operands, each once: what it moves if caches hold them meanwhile. Kernels that go over rows wait for these bytes.
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ReportSteps.h"
#include "compiler/Memory/PlanArena.h"
#include "compiler/tools/xfc/Explain.h"
#include "dialects/xft/IR/XftHeld.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::xf;

using llvm::json::Array;
using llvm::json::Object;

static std::optional<int64_t> constant(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue()) : std::nullopt;
}

static llvm::json::Value orNull(std::optional<int64_t> number) {
  return number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
}

/// Returns the bytes of the different elements of a view: sizes with stride 0 repeat elements. Returns nullopt if a
/// size is dynamic.
static std::optional<int64_t> bytesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    bytes *= stride == 0 ? 1 : size;
  return bytes;
}

/// Returns the sizes and the element type of a view, "256 x 128 f32".
static std::string shapeText(MemRefType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      type.getShape(), os, [&](int64_t size) { ShapedType::isDynamic(size) ? os << "?" : os << size; }, " x ");
  os << (type.getRank() ? " " : "") << type.getElementType();
  return text;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Returns the operations of a product: two for each element of a result and term of its sum.
static std::optional<int64_t> productFlop(xft::LaunchOp launch, func::FuncOp kernel) {
  auto products = kernel.getOps<xft::ContractOp>();
  if (products.empty())
    return std::nullopt;
  auto actual = [&](Value operand) -> MemRefType {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != &kernel.front())
      return {};
    return dyn_cast<MemRefType>(launch.getActuals()[argument.getArgNumber() - xft::kernelPrefix].getType());
  };
  xft::ContractOp product = *products.begin();
  MemRefType a = actual(product.getA()), out = actual(product.getOuts().front());
  if (!a || !out || !a.hasStaticShape() || !out.hasStaticShape())
    return std::nullopt;
  return 2 * out.getNumElements() * a.getShape().back();
}

/// Returns what a kernel's name says that it computes: "contract" for "contract_989c1a296ed1e2d8".
static StringRef familyOf(StringRef kernel) { return kernel.rsplit('_').first; }

namespace {
/// Finds the attention that a launch computes: the attentions of one entry and place take its launches in order, each
/// as many.
class AttentionLaunches {
public:
  AttentionLaunches(func::FuncOp host, const Array &attentions);
  /// Returns the number of the attention of a launch, or nullopt if there is none or if it is ambiguous.
  std::optional<int64_t> next(xft::LaunchOp launch);
  /// Returns how many launches compute an attention.
  int64_t launchesOf(int64_t attention) const { return launches.lookup(attention); }

private:
  using Place = std::pair<std::string, bool>; ///< location, and whether it is a gradient
  static std::optional<Place> placeOf(xft::LaunchOp launch);

  std::map<Place, SmallVector<int64_t>> ofPlace; ///< attentions
  std::map<Place, int64_t> counts, seen;         ///< launches
  DenseMap<int64_t, int64_t> launches;
};
} // namespace

std::optional<AttentionLaunches::Place> AttentionLaunches::placeOf(xft::LaunchOp launch) {
  StringRef family = familyOf(launch.getKernel());
  if (!family.starts_with("attend") || family == "attend_delta")
    return std::nullopt;
  return Place(locationText(launch.getLoc()), family.contains("vjp"));
}

AttentionLaunches::AttentionLaunches(func::FuncOp host, const Array &attentions) {
  for (auto [number, attention] : llvm::enumerate(attentions)) {
    const Object &object = *attention.getAsObject();
    if (object.getString("entry") == host.getName())
      ofPlace[{object.getString("loc")->str(), object.getString("kind") == "backward"}].push_back(int64_t(number));
  }
  for (auto launch : host.getOps<xft::LaunchOp>())
    if (std::optional<Place> place = placeOf(launch))
      ++counts[*place];
  for (auto &[place, numbers] : ofPlace)
    for (int64_t number : numbers)
      launches[number] = counts[place] / int64_t(numbers.size());
}

std::optional<int64_t> AttentionLaunches::next(xft::LaunchOp launch) {
  std::optional<Place> place = placeOf(launch);
  if (!place || ofPlace[*place].empty())
    return std::nullopt;
  ArrayRef<int64_t> numbers = ofPlace[*place];
  int64_t count = counts[*place], position = seen[*place]++;
  if (count % int64_t(numbers.size()) != 0)
    return std::nullopt;
  return numbers[position / (count / int64_t(numbers.size()))];
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// Writes the host program of one entry.
class EntryWriter {
public:
  EntryWriter(func::FuncOp host, const Array &attentions)
      : host(host), attentions(attentions), attentionLaunches(host, attentions) {}
  Object write();

private:
  Object step(xft::HostStep step);
  void addWork(xft::LaunchOp launch, Object &object);
  int64_t numberOf(Value root);
  Object buffer(Value root);

  func::FuncOp host;
  const Array &attentions;
  AttentionLaunches attentionLaunches;
  llvm::MapVector<Value, std::pair<int64_t, int64_t>> lifetimes; ///< first and last step, by buffer
  int64_t position = 0;
};
} // namespace

static StringRef conditionText(xft::StepCondition condition) {
  switch (condition) {
  case xft::StepCondition::Always:
    return "always";
  case xft::StepCondition::FillsHeld:
    return "once, to hold a parameter";
  case xft::StepCondition::IfHeld:
    return "if parameters are held";
  case xft::StepCondition::IfNotHeld:
    return "if parameters are not held";
  }
}

int64_t EntryWriter::numberOf(Value root) {
  auto [found, isNew] = lifetimes.insert({root, {position, position}});
  found->second.second = position;
  return found - lifetimes.begin();
}

void EntryWriter::addWork(xft::LaunchOp launch, Object &object) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  object["name"] = launch.getKernel();
  object["family"] = familyOf(launch.getKernel());
  object["tiles"] = orNull(constant(launch.getTiles()));
  object["flop"] = orNull(kernel ? productFlop(launch, kernel) : std::nullopt);
  std::optional<int64_t> attention = attentionLaunches.next(launch);
  if (!attention)
    return;
  object["attention"] = *attention;
  if (attentionLaunches.launchesOf(*attention) == 1) // else nothing says how the work is divided
    object["flop"] = orNull(attentions[*attention].getAsObject()->getInteger("flop"));
}

Object EntryWriter::step(xft::HostStep step) {
  Object object{{"loc", locationText(step->getLoc())}, {"when", conditionText(step.getCondition())}};
  llvm::MapVector<int64_t, Object> operands;
  std::optional<int64_t> bytes = 0;
  SmallVector<Value> buffers = step.getReadBuffers();
  for (Value written : step.getWrittenBuffers())
    if (!llvm::is_contained(buffers, written))
      buffers.push_back(written);
  Array list;
  for (Value view : buffers) {
    auto type = cast<MemRefType>(view.getType());
    std::optional<int64_t> moved = bytesOf(type);
    bytes = bytes && moved ? std::optional(*bytes + *moved) : std::nullopt;
    list.push_back(
        Object{{"buffer", numberOf(xft::rootOf(view))}, {"shape", shapeText(type)}, {"bytes", orNull(moved)}});
  }
  object["buffers"] = std::move(list);
  object["bytes"] = orNull(bytes);
  object["name"] = object["family"] = step->getName().stripDialect();
  if (auto launch = dyn_cast<xft::LaunchOp>(step.getOperation()))
    addWork(launch, object);
  return object;
}

Object EntryWriter::buffer(Value root) {
  auto type = cast<MemRefType>(root.getType());
  Object object{{"shape", shapeText(type)}, {"bytes", orNull(bytesOf(type))}};
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto name = host.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "xf.name");
    bool isResult = bool(host.getArgAttr(argument.getArgNumber(), xft::resultAttrName));
    object["kind"] = isResult ? "result" : "argument";
    object["name"] = name ? name.str() : "%arg" + std::to_string(argument.getArgNumber());
  } else if (auto arena = root.getDefiningOp<xft::ArenaOp>()) {
    object["kind"] = "arena";
    object["offset"] = orNull(constant(arena.getOffset()));
  } else {
    object["kind"] = "held";
    if (StringAttr key = xft::heldKey(root))
      object["name"] = key.str();
  }
  return object;
}

Object EntryWriter::write() {
  Object object{{"name", host.getName()}, {"loc", locationText(host.getLoc())}};
  Array steps, buffers;
  for (auto next : host.getOps<xft::HostStep>()) {
    steps.push_back(step(next));
    ++position;
  }
  for (auto &[root, lifetime] : lifetimes) {
    Object written = buffer(root);
    written["first"] = lifetime.first;
    written["last"] = lifetime.second;
    buffers.push_back(std::move(written));
  }
  object["steps"] = std::move(steps);
  object["buffers"] = std::move(buffers);
  for (auto size : host.getOps<xft::ArenaSizeOp>())
    object["arena"] = orNull(constant(size.getBytes()));
  if (auto bound = host->getAttrOfType<IntegerAttr>(arenaBoundAttrName))
    object["bound"] = bound.getInt();
  if (auto flop = host->getAttrOfType<FloatAttr>(xft::flopAttrName))
    object["flop"] = flop.getValueAsDouble();
  return object;
}

Array xf::reportSteps(ModuleOp module, const Array &attentions) {
  Array entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (xft::isEntry(function))
      entries.push_back(EntryWriter(function, attentions).write());
  return entries;
}
