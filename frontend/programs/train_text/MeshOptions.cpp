//===- MeshOptions.cpp - Which rank trains on what ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeshOptions.h"
#include "../Program.h"

#include <algorithm>
#include <sstream>

using namespace xf;
using namespace xf::programs;

static constexpr int64_t mostRanks = 65536;

/// Parses axes and their ranks, such as data=2,sequence=4.
static bool parseAxes(const std::string &text, std::vector<Mesh::Axis> &axes) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    size_t equals = std::min(part.find('='), part.size());
    Mesh::Axis axis{part.substr(0, equals), 0};
    bool isKnown = (axis.name == "data" || axis.name == "sequence") &&
                   std::none_of(axes.begin(), axes.end(), [&](const Mesh::Axis &a) { return a.name == axis.name; });
    if (!isKnown || equals == part.size() ||
        !xfrt::tools::parseInteger(part.substr(equals + 1), 1, mostRanks, axis.ranks))
      return false;
    axes.push_back(axis);
  }
  return !axes.empty() && text.back() != ',';
}

void MeshOptions::declare(xfrt::tools::CommandLine &line) {
  line.option("mesh", "AXES", "share each step among processes of mpirun: data=2,sequence=2",
              [this](const std::string &text, std::string &error) {
                axes.clear();
                if (parseAxes(text, axes))
                  return true;
                error = "--mesh: expected the axes data and sequence with 1 to " + std::to_string(mostRanks) +
                        " processes, as in data=2,sequence=2, got '" + text + "'";
                return false;
              });
  line.integer("chunks", placement.chunks, 1, Placement::mostChunks,
               "of a window that each process of sequence has, in zigzag (default 1)");
}

void MeshOptions::expectShares(int64_t processes, int64_t batch, int64_t length) const {
  std::string text;
  int64_t ranks = 1;
  for (const Mesh::Axis &axis : axes) {
    text += (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.ranks);
    ranks *= axis.ranks;
  }
  if (!axes.empty() && ranks != processes)
    throw UsageError("expected the " + std::to_string(ranks) + " processes of --mesh=" + text + ", got " +
                     std::to_string(processes) + "; start it by mpirun -n " + std::to_string(ranks));
  if (placement.chunks > 1 && lengthOf(0).count == 1)
    throw UsageError("--chunks: expected processes of the axis sequence after --mesh, got none");
  auto expectDivided = [](const Part &part, const char *axis, const char *option, int64_t size) {
    int64_t chunks = part.placement.chunks;
    if (size % (part.count * chunks) != 0)
      throw UsageError(std::string(option) + ": expected a number that " +
                       (chunks > 1 ? std::to_string(part.count * chunks) + " chunks of " : "") + "the " +
                       std::to_string(part.count) + " processes of the axis " + axis + " divide, got " +
                       std::to_string(size));
  };
  expectDivided(rowsOf(0), "data", "--batch", batch);
  expectDivided(lengthOf(0), "sequence", "--length", length);
}

Part MeshOptions::lengthOf(int64_t rank) const {
  Part part = partAlong("sequence", rank);
  part.placement = placement;
  return part;
}

Part MeshOptions::partAlong(const std::string &axis, int64_t rank) const {
  int64_t behind = 1;
  for (auto known = axes.rbegin(); known != axes.rend(); behind *= known++->ranks)
    if (known->name == axis)
      return {.number = rank / behind % known->ranks, .count = known->ranks};
  return {};
}
