//===- Target.h - A kind of machine that code is generated for --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target knows a kind of machine: which tiles it wants, how kernels become its code. The registry (Targets.cpp) names
// each once. What a target's own options and reports are called is still told by the tools (tools/xfc), and the code
// generator of CPUs also compiles the functions of a host program (Pipeline.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_TARGET_H
#define XF_COMPILER_TARGET_TARGET_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Host/TileModel.h"
#include "xfrt/model.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::xf {

/// Code that a runtime loads onto a device.
struct CodeImage {
  xfrt_image_kind kind;
  std::string bytes;
};

/// What a target makes of the kernels of a module.
struct TargetCode {
  /// What a launch of a kernel passes to the device beside operands.
  struct Launch {
    int64_t threads;     ///< of a block
    int64_t sharedBytes; ///< of shared memory, of a block
  };

  /// The functions that compute sizes of a call on the CPU, where kernels run on a device; null where both stay in one
  /// module.
  OwningOpRef<ModuleOp> host = nullptr;
  std::optional<CodeImage> image = std::nullopt; ///< of all kernels, where they run on a device
  llvm::StringMap<Launch> launches = {};         ///< by kernel, where they run on a device
};

class Target {
public:
  virtual ~Target() = default;

  /// Whether this is the target of a machine.
  virtual bool runs(const Machine &machine) const = 0;
  /// Adds the dialects and translations that its code passes through.
  virtual void registerDialects(DialectRegistry &registry) const = 0;
  /// What the stage `tile` asks about a machine of this target.
  virtual std::unique_ptr<TileModel> createTileModel(const Machine &machine) const = 0;
  /// What kernels run on, as the tables of an object say it.
  virtual xfrt_device device() const = 0;
  /// Expands the structured ops of all kernels and lowers them to the LLVM dialect. Stores in `code` what leaves the
  /// module: host functions, device image and launch parameters. Fails, after an error, at an op that the target does
  /// not support.
  virtual LogicalResult compileKernels(ModuleOp module, const Machine &machine, TargetCode &code) const = 0;
  /// The machine code of an image, made by the assembler at the path `assembler`; nothing where images need none. Fails
  /// after an error at `module`.
  virtual FailureOr<std::optional<CodeImage>> assemble(ModuleOp module, StringRef image, const Machine &machine,
                                                       StringRef assembler) const;
};

/// All targets; a machine is of one of them.
ArrayRef<const Target *> allTargets();
/// The target of a machine.
const Target &targetOf(const Machine &machine);
/// The model of a machine, by its target.
std::unique_ptr<TileModel> createTileModel(const Machine &machine);

} // namespace mlir::xf

#endif // XF_COMPILER_TARGET_TARGET_H
