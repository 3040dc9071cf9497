//===- ReportSteps.cpp - Launches and memory in a page --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes host programs as JSON. The FLOP and bytes of a step are those that the compiler has recorded in its attributes
// (XftWork.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ReportSteps.h"
#include "compiler/Memory/PlanArena.h"
#include "compiler/tools/xfc/Explain.h"
#include "dialects/xft/IR/XftHeld.h"
#include "dialects/xft/IR/XftWork.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

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

/// Returns the sizes and the element type of a memref: "256 x 128 f32".
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

/// Returns the part of a kernel's name that tells what the kernel computes: "matmul_bias" for "matmul_bias_2",
/// "softmax" for "softmax_kernel".
static StringRef familyOf(StringRef kernel) {
  auto [family, ending] = kernel.rsplit('_');
  kernel = !ending.empty() && llvm::all_of(ending, llvm::isDigit) ? family : kernel;
  kernel.consume_back("_kernel");
  return kernel;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// Writes the host program of one entry as a JSON object.
class EntryWriter {
public:
  explicit EntryWriter(func::FuncOp host) : host(host) {}
  Object write();

private:
  Object step(xft::HostStep step);
  void addWork(xft::LaunchOp launch, Object &object);
  int64_t numberOf(Value root);
  Object buffer(Value root);

  func::FuncOp host;
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
  object["name"] = launch.getKernel();
  object["family"] = familyOf(launch.getKernel());
  object["tiles"] = orNull(constant(launch.getTiles()));
  auto flop = xft::flopOf(launch);
  object["flop"] = flop ? llvm::json::Value(std::llround(*flop)) : llvm::json::Value(nullptr);
  if (auto launched = xft::LaunchedAttention::of(launch))
    object["attention"] = launched->number;
}

Object EntryWriter::step(xft::HostStep step) {
  Object object{{"loc", locationText(step->getLoc())}, {"when", conditionText(step.getCondition())}};
  llvm::MapVector<int64_t, Object> operands;
  Array list;
  for (Value view : xft::buffersOf(step)) {
    auto type = cast<MemRefType>(view.getType());
    list.push_back(Object{
        {"buffer", numberOf(xft::rootOf(view))}, {"shape", shapeText(type)}, {"bytes", orNull(xft::bytesOf(type))}});
  }
  object["buffers"] = std::move(list);
  auto bytes = xft::bytesOf(step);
  object["bytes"] = bytes ? llvm::json::Value(int64_t(*bytes)) : llvm::json::Value(nullptr);
  object["name"] = object["family"] = step->getName().stripDialect();
  if (auto launch = dyn_cast<xft::LaunchOp>(step.getOperation()))
    addWork(launch, object);
  return object;
}

Object EntryWriter::buffer(Value root) {
  auto type = cast<MemRefType>(root.getType());
  Object object{{"shape", shapeText(type)}, {"bytes", orNull(xft::bytesOf(type))}};
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

Array xf::reportSteps(ModuleOp module) {
  Array entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (xft::isEntry(function))
      entries.push_back(EntryWriter(function).write());
  return entries;
}
