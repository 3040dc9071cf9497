//===- Target.h - A kind of machine that code is generated for --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target knows a kind of machine: which tiles it wants, how kernels become its code. The registry (Targets.cpp) names
// each once; nothing else outside a target's folder does.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_TARGET_H
#define XF_COMPILER_TARGET_TARGET_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Host/TileModel.h"

namespace mlir::xf {

class Target {
public:
  virtual ~Target() = default;

  /// "cpu", "nvgpu": for messages and tests.
  virtual StringRef name() const = 0;
  /// Whether this is the target of a machine.
  virtual bool runs(const Machine &machine) const = 0;
  /// Adds the dialects and translations that its code passes through.
  virtual void registerDialects(DialectRegistry &registry) const = 0;
  /// What the stage `tile` asks about a machine of this target.
  virtual std::unique_ptr<TileModel> createTileModel(const Machine &machine) const = 0;
};

/// All targets, in no order that matters.
ArrayRef<const Target *> allTargets();
/// The target of a machine.
const Target &targetOf(const Machine &machine);
/// The model of a machine, by its target.
std::unique_ptr<TileModel> createTileModel(const Machine &machine);

} // namespace mlir::xf

#endif // XF_COMPILER_TARGET_TARGET_H
