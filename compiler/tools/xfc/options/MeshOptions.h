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

/// A rank and its network as numbers.
struct RankMachine {
  double flops = 0;         ///< operations a second of its kernels
  double bytes = 0;         ///< bytes a second that it sends to other nodes
  double nodeBytes = 0;     ///< bytes a second that it sends within its node; 0: they cost nothing
  double messageTime = 0;   ///< seconds that a message takes, whatever its size
  int64_t ranksPerNode = 1; ///< neighbours in the order of ranks
};

/// What `xfc explain --mesh` is asked.
struct MeshOptions {
  SmallVector<std::pair<std::string, int64_t>, 3> axes; ///< by name, in the order of the option; empty: no mesh
  llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>>
      sizes; ///< of dynamic dimensions, by the names of explain's formulas
  RankMachine machine;

  bool isGiven() const { return !axes.empty(); }
  /// The ranks along an axis; 1 where there is none.
  int64_t ranksOf(StringRef axis) const;
  /// The axes as text: "data = 2, sequence = 4".
  std::string text() const;
};

/// The texts of the options --mesh, --mesh-sizes and --mesh-machine, which may follow each other in any order.
struct MeshTexts {
  std::optional<std::string> axes, sizes, machine;
};

/// Parses the options. The machine is a rank of `target` ("cpu" or "cuda") where --mesh-machine does not say another
/// one. On a mistake, describes it in `error` and fails.
FailureOr<MeshOptions> parseMesh(const MeshTexts &texts, StringRef target, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OPTIONS_MESHOPTIONS_H
