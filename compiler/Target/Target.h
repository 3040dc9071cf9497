//===- Target.h - A kind of machine that code is generated for --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target stands for a kind of machine. It knows the machine's facts, chooses tiles, and turns kernels into code. The
// registry (Targets.cpp) names each target once, and passes find a target by the name of a machine.
//
// Two other places know targets: the tools (tools/xfc) name the options of targets, and the code generator of CPUs also
// translates the functions of a host program (Pipeline/EmitVariants.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_TARGET_H
#define XF_COMPILER_TARGET_TARGET_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Host/TileModel.h"
#include "mlir/Pass/PassManager.h"
#include "xfrt/model.h"

namespace mlir::xf {

/// The code of kernels that a runtime loads onto a device. `kind` says which format it has.
struct CodeImage {
  xfrt_image_kind kind;
  std::string bytes;
};

class Target {
public:
  virtual ~Target() = default;

  /// Returns the machine that `options` name, or null if this target has no machine of that name.
  virtual MachineRef findMachine(const MachineOptions &options) const = 0;
  /// Returns the names of all machines of this target, older ones first. The list is empty if LLVM defines the names,
  /// as for CPUs.
  virtual ArrayRef<StringRef> machineNames() const { return {}; }
  /// Returns the names of the machines that the compiler compiles for by default. Together, their code runs on every
  /// device of this target.
  virtual ArrayRef<StringRef> defaultMachines() const { return {}; }
  /// Returns the name of the newest machine whose code runs on a device of this compute capability (xfrt_find_device).
  /// Returns an empty string if there is none.
  virtual StringRef machineFor(int /*capability*/) const { return ""; }
  /// Returns whether this is the target of `machine`.
  virtual bool runs(const Machine &machine) const = 0;
  /// Returns whether the first machine is older than the second. A processor that runs code for both prefers the code
  /// for the second. Both machines belong to this target.
  virtual bool isOlder(const Machine &, const Machine &) const { return false; }
  /// Registers the dialects and translations that the lowering of the target uses.
  virtual void registerDialects(DialectRegistry &registry) const = 0;
  /// Returns the tile model of a machine of this target. The tile model makes the choices of the stage `tile`.
  virtual std::unique_ptr<TileModel> createTileModel(const Machine &machine) const = 0;
  /// Returns the kind of device that kernels run on. The tables of a compiled object record it.
  virtual xfrt_device device() const = 0;
  /// Returns whether a runtime loads the kernels as an image. If so, kernels are compiled apart from the functions of
  /// the host.
  virtual bool hasImage() const { return false; }
  /// Expands the structured ops of all kernels to the code of a machine, for xf-expand-kernels. Emits an error and
  /// fails at an op that the target does not support.
  virtual LogicalResult expandKernels(ModuleOp module, const Machine &machine) const = 0;
  /// Replaces the operands of an expanded kernel by the arguments that the runtime passes, for xf-lower-kernel-abi.
  /// Emits an error and fails if the kernel reads more of a memref than its pointer, sizes and strides.
  virtual LogicalResult lowerKernelAbi(func::FuncOp kernel) const = 0;
  /// Adds the passes that lower expanded kernels and functions of the host to the LLVM dialect, for xf-kernels-to-llvm.
  virtual void addLowering(OpPassManager &pm) const = 0;
  /// Marks the kernels of a module for the code generator, after the passes of addLowering.
  virtual void markKernels(ModuleOp) const {}
  /// Returns the image of the kernels of a module, after xf-kernels-to-llvm. Emits an error and fails if the target has
  /// no images or cannot translate the module.
  virtual FailureOr<CodeImage> translate(ModuleOp module, const Machine &machine) const;
  /// Returns the path of the assembler of images. Returns an empty string if it is not installed, or if images need
  /// none.
  virtual std::string findAssembler() const { return ""; }
  /// Returns the machine code of `image`, made by the assembler at the path `assembler`. Returns nullopt if the images
  /// of this target need no assembler. Emits an error at `module` and fails if the assembler fails.
  virtual FailureOr<std::optional<CodeImage>> assemble(ModuleOp module, StringRef image, const Machine &machine,
                                                       StringRef assembler) const;
};

/// Returns all targets. Each machine belongs to exactly one.
ArrayRef<const Target *> allTargets();
/// Returns the machine that `options` name, of any target. Emits an error and returns null if the options are invalid
/// or no target has that machine.
MachineRef findMachine(const MachineOptions &options, function_ref<InFlightDiagnostic()> emitError);
/// Returns the CPU that `options` name, or null if they do not name a CPU.
MachineRef findCpu(const MachineOptions &options);
/// Returns an error message that says why findCpu() returns null for `options`.
std::string cpuError(const MachineOptions &options);
/// Returns the GPU that `options` name, or null if they do not name a GPU. A GPU is a machine whose kernels are loaded
/// as an image.
MachineRef findGpu(const MachineOptions &options);
/// Returns the names of all GPUs.
SmallVector<StringRef> gpuNames();
/// Returns the names of the GPUs that the compiler compiles for by default. Together, their code runs on every GPU.
SmallVector<StringRef> defaultGpus();
/// Returns the target of a machine.
const Target &targetOf(const Machine &machine);
/// Returns the tile model of a machine, from its target.
std::unique_ptr<TileModel> createTileModel(const Machine &machine);
/// Returns the tile model of the machine that `options` names, for createTileProgramPass. Emits an error and returns
/// null if there is no such machine (findMachine).
std::unique_ptr<TileModel> tileModelOf(const MachineOptions &options, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_TARGET_TARGET_H
