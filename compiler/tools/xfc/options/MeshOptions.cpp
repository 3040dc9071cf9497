//===- MeshOptions.cpp - The options of explain --mesh --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/options/MeshOptions.h"
#include "runtime/support/NearestWord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <utility>

using namespace mlir;
using namespace mlir::xf;

static constexpr StringLiteral axisNames[] = {"data", "sequence", "tensor"};
/// The names of an attention's sizes in explain's formulas. N stands for both Nq and Nk.
static constexpr StringLiteral sizeNames[] = {"B", "H", "Hk", "Hv", "Nq", "Nk", "N", "D", "Dv"};
static constexpr StringLiteral machineNames[] = {"flops", "bytes", "node-bytes", "message", "node"};

/// The default speeds of a rank: a GPU with 400 Gbit/s to other nodes, and a machine of 64 cores with 100 Gbit/s.
static const RankMachine gpuRank = {500e12, 42e9, 360e9, 8e-6, 8};
static const RankMachine cpuRank = {6.8e12, 11e9, 0, 15e-6, 1};

int64_t MeshOptions::ranksOf(StringRef axis) const {
  auto found = llvm::find_if(axes, [&](const auto &named) { return named.first == axis; });
  return found == axes.end() ? 1 : found->second;
}

std::string MeshOptions::text() const {
  return llvm::join(llvm::map_range(axes, [](auto &axis) { return axis.first + " = " + std::to_string(axis.second); }),
                    ", ");
}

static LogicalResult fail(std::string &error, const Twine &message) {
  error = message.str();
  return failure();
}

template <typename Names>
static std::string listOf(const Names &names) {
  return llvm::join(ArrayRef(names), ", ");
}

static std::string suggestionOf(StringRef name, ArrayRef<StringLiteral> names) {
  return xfrt::suggestion(name, {names.begin(), names.end()});
}

/// Splits NAME=NUMBER at the equals sign.
static std::pair<StringRef, StringRef> splitItem(StringRef item) { return item.split('='); }

static LogicalResult parseAxes(StringRef text, MeshOptions &options, std::string &error) {
  constexpr int64_t most = 1024; // each of which is counted
  int64_t ranks = 1;
  for (StringRef item : llvm::split(text, ',')) {
    auto [name, number] = splitItem(item);
    int64_t size = 0;
    if (!llvm::is_contained(axisNames, name))
      return fail(error, "expected axes " + listOf(axisNames) + " of --mesh=AXIS=RANKS,.., got '" + name + "'" +
                             suggestionOf(name, axisNames));
    if (llvm::any_of(options.axes, [&](auto &axis) { return axis.first == name; }))
      return fail(error, "expected each axis of --mesh once, got '" + name + "' twice");
    if (!llvm::to_integer(number, size, 10) || size < 1 || size > most)
      return fail(error, "expected from 1 to " + Twine(most) + " ranks for the axis '" + name + "' of --mesh, got '" +
                             number + "'");
    ranks *= size;
    if (ranks > most)
      return fail(error, "expected a mesh of at most " + Twine(most) + " ranks, got " + Twine(ranks) + " or more");
    options.axes.emplace_back(name, size);
  }
  return success();
}

static LogicalResult parseSizes(StringRef text, MeshOptions &options, std::string &error) {
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  for (StringRef item : llvm::split(text, ',')) {
    auto [name, number] = splitItem(item);
    int64_t size = 0;
    if (!llvm::is_contained(sizeNames, name))
      return fail(error, "expected sizes " + listOf(sizeNames) + " of --mesh-sizes=SIZE=NUMBER,.., got '" + name + "'");
    if (!llvm::to_integer(number, size, 10) || size < 0 || size > most)
      return fail(error, "expected from 0 to " + Twine(most) + " for the size '" + name + "' of --mesh-sizes, got '" +
                             number + "'");
    if (!options.sizes.insert({name.str(), size}).second)
      return fail(error, "expected each size of --mesh-sizes once, got '" + name + "' twice");
  }
  return success();
}

static LogicalResult setNumber(StringRef name, StringRef number, RankMachine &machine, std::string &error) {
  double value = 0;
  bool isNumber = !number.getAsDouble(value) && std::isfinite(value);
  bool isWhole = isNumber && value == std::floor(value);
  if (name == "node") {
    if (!isWhole || value < 1 || value > 65536)
      return fail(error, "expected from 1 to 65536 ranks in a node of --mesh-machine, got '" + number + "'");
    machine.ranksPerNode = int64_t(value);
    return success();
  }
  double *field = llvm::StringSwitch<double *>(name)
                      .Case("flops", &machine.flops)
                      .Case("bytes", &machine.bytes)
                      .Case("node-bytes", &machine.nodeBytes)
                      .Case("message", &machine.messageTime)
                      .Default(nullptr);
  if (!field)
    return fail(error, "expected gpu, cpu or " + listOf(machineNames) + " of --mesh-machine, got '" + name + "'" +
                           suggestionOf(name, machineNames));
  bool isTime = name == "message";
  if (!isNumber || value < (isTime ? 0 : 1) || value > 1e24)
    return fail(error, Twine(isTime ? "expected seconds" : "expected a number a second") + " for '" + name +
                           "' of --mesh-machine, got '" + number + "'");
  *field = value;
  return success();
}

static LogicalResult parseMachine(StringRef text, MeshOptions &options, std::string &error) {
  bool isFirst = true;
  for (StringRef item : llvm::split(text, ',')) {
    if (std::exchange(isFirst, false) && (item == "gpu" || item == "cpu")) {
      options.machine = item == "gpu" ? gpuRank : cpuRank;
      continue;
    }
    auto [name, number] = splitItem(item);
    if (failed(setNumber(name, number, options.machine, error)))
      return failure();
  }
  return success();
}

FailureOr<MeshOptions> xf::parseMesh(const MeshTexts &texts, StringRef target, std::string &error) {
  MeshOptions options;
  options.machine = target == "cuda" ? gpuRank : cpuRank;
  if (!texts.axes) {
    if (texts.sizes || texts.machine)
      return fail(error, "expected --mesh=AXIS=RANKS,.. with --mesh-sizes and --mesh-machine");
    return options;
  }
  if (failed(parseAxes(*texts.axes, options, error)) ||
      (texts.sizes && failed(parseSizes(*texts.sizes, options, error))) ||
      (texts.machine && failed(parseMachine(*texts.machine, options, error))))
    return failure();
  return options;
}
