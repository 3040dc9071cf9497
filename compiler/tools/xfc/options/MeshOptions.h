//===- MeshOptions.h - The options of explain --mesh ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_OPTIONS_MESHOPTIONS_H
#define XF_COMPILER_TOOLS_XFC_OPTIONS_MESHOPTIONS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace mlir::xf {

/// The speed of a rank and of its network.
struct RankMachine {
  double flops = 0;         ///< operations a second of its kernels
  double bytes = 0;         ///< bytes a second that it sends to other nodes
  double nodeBytes = 0;     ///< bytes a second that it sends within its node; 0: they cost nothing
  double messageTime = 0;   ///< seconds that a message takes, whatever its size
  int64_t ranksPerNode = 1; ///< a node has neighbours in the order of ranks
};

/// The mesh, sizes and machine for which `xfc explain --mesh` reports.
struct MeshOptions {
  SmallVector<std::pair<std::string, int64_t>, 3> axes; ///< by name, in the order of the option; empty: no mesh
  llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>>
      sizes; ///< the sizes of dynamic dimensions, by their names in explain's formulas
  RankMachine machine;

  bool isGiven() const { return !axes.empty(); }
  /// Returns the number of ranks along `axis`, or 1 if the mesh has no such axis.
  int64_t ranksOf(StringRef axis) const;
  /// Returns the axes as text: "data = 2, sequence = 4".
  std::string text() const;
};

/// The texts of the options --mesh, --mesh-sizes and --mesh-machine. They may be given in any order.
struct MeshTexts {
  std::optional<std::string> axes, sizes, machine;
};

/// Parses the options. The machine is a rank of `target` ("cpu" or "cuda"), except for what --mesh-machine sets. On a
/// mistake, describes it in `error` and fails.
FailureOr<MeshOptions> parseMesh(const MeshTexts &texts, StringRef target, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OPTIONS_MESHOPTIONS_H
