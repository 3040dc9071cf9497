//===- Target.h - A kind of machine that code is generated for --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target stands for a kind of machine: what it has, which tiles it wants, how kernels become its code. The registry
// (Targets.cpp) names each target once; passes find it by the name of a machine. What a target's own options and
// reports are called is still told by the tools (tools/xfc), and the code generator of CPUs also translates the
// functions of a host program (Pipeline/EmitVariants.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_TARGET_H
#define XF_COMPILER_TARGET_TARGET_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Host/TileModel.h"
#include "mlir/Pass/PassManager.h"
#include "xfrt/model.h"

namespace mlir::xf {

/// Code that a runtime loads onto a device.
struct CodeImage {
  xfrt_image_kind kind;
  std::string bytes;
};

class Target {
public:
  virtual ~Target() = default;

  /// Returns the machine that the options name; null where this target has none of this name.
  virtual MachineRef findMachine(const MachineOptions &options) const = 0;
  /// Returns the names of all machines of this target, older ones first; none where LLVM lists them.
  virtual ArrayRef<StringRef> machineNames() const { return {}; }
  /// Returns the names of machines whose code, together, runs on every device of this target.
  virtual ArrayRef<StringRef> defaultMachines() const { return {}; }
  /// Returns the name of the newest machine whose code runs on a device of this compute capability (xfrt_find_device);
  /// empty if there is none.
  virtual StringRef machineFor(int /*capability*/) const { return ""; }
  /// Whether this is the target of a machine.
  virtual bool runs(const Machine &machine) const = 0;
  /// Whether a processor that runs code for both machines, which are of this target, prefers that for the second.
  virtual bool isOlder(const Machine &, const Machine &) const { return false; }
  /// Adds the dialects and translations that its code passes through.
  virtual void registerDialects(DialectRegistry &registry) const = 0;
  /// What the stage `tile` asks about a machine of this target.
  virtual std::unique_ptr<TileModel> createTileModel(const Machine &machine) const = 0;
  /// What kernels run on, as the tables of an object say it.
  virtual xfrt_device device() const = 0;
  /// Whether a runtime loads the kernels as an image: they are compiled apart from the functions of the host.
  virtual bool hasImage() const { return false; }
  /// Expands the structured ops of all kernels, for xf-expand-kernels. Fails, after an error, at an op that the target
  /// does not support.
  virtual LogicalResult expandKernels(ModuleOp module, const Machine &machine) const = 0;
  /// Gives an expanded kernel the arguments that the runtime passes, for xf-lower-kernel-abi. Fails after an error.
  virtual LogicalResult lowerKernelAbi(func::FuncOp kernel) const = 0;
  /// Adds the passes that lower expanded kernels, and functions of the host, to the LLVM dialect, for
  /// xf-kernels-to-llvm.
  virtual void addLowering(OpPassManager &pm) const = 0;
  /// Marks the kernels of a module, after these passes.
  virtual void markKernels(ModuleOp) const {}
  /// The image of the kernels of a module, after xf-kernels-to-llvm, where hasImage(). Fails after an error.
  virtual FailureOr<CodeImage> translate(ModuleOp module, const Machine &machine) const;
  /// Returns the path of the assembler of images; empty where it is not installed or images need none.
  virtual std::string findAssembler() const { return ""; }
  /// The machine code of an image, made by the assembler at the path `assembler`; nothing where images need none. Fails
  /// after an error at `module`.
  virtual FailureOr<std::optional<CodeImage>> assemble(ModuleOp module, StringRef image, const Machine &machine,
                                                       StringRef assembler) const;
};

/// All targets; a machine is of one of them.
ArrayRef<const Target *> allTargets();
/// Returns the machine that options name, of whichever target has it; null after an error.
MachineRef findMachine(const MachineOptions &options, function_ref<InFlightDiagnostic()> emitError);
/// Return the CPU, or the GPU, that options name; null where there is none. A GPU is a machine whose kernels are loaded
/// as an image.
MachineRef findCpu(const MachineOptions &options);
MachineRef findGpu(const MachineOptions &options);
/// Returns the names of all GPUs.
SmallVector<StringRef> gpuNames();
/// Returns the names of GPUs whose code, together, runs on every GPU.
SmallVector<StringRef> defaultGpus();
/// The target of a machine.
const Target &targetOf(const Machine &machine);
/// The model of a machine, by its target.
std::unique_ptr<TileModel> createTileModel(const Machine &machine);
/// The model of the machine that options name, for createTileProgramPass; null after an error.
std::unique_ptr<TileModel> tileModelOf(const MachineOptions &options, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_TARGET_TARGET_H
