//===- AmdgpuTarget.h - AMD's GPUs as a target ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands where a folder compiler/Target/ROCDL would be: the machines, the lowering and the code generator, for
// kernels without operands. No runtime loads them. docs/other-gpus.md says what is missing.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_TARGET_AMDGPU_AMDGPUTARGET_H
#define XF_TEST_COMPILER_TARGET_AMDGPU_AMDGPUTARGET_H

#include "compiler/Target/Target.h"

namespace mlir::xf::amdgpu {

/// A processor of AMD, by LLVM's name: "gfx942" is an MI300, "gfx1100" an RX 7900.
struct AmdgpuMachine : llvm::RTTIExtends<AmdgpuMachine, Machine> {
  static inline char ID = 0;

  int64_t lanes = 64;             ///< of a wavefront
  int64_t sharedBytes = 64 << 10; ///< LDS that a workgroup can have
};

/// The form of code that emitCode() returns.
enum class CodeForm { Assembly, Object };

/// Returns the code of the kernels of a module, after Target::markKernels: text, or an ELF object that ld.lld links to
/// a code object (hsaco). Emits an error and fails if the module does not translate to LLVM IR.
FailureOr<std::string> emitCode(ModuleOp module, const Machine &machine, CodeForm form);

/// The target. It refuses structured ops, and kernels with operands.
const Target &getTarget();

} // namespace mlir::xf::amdgpu

#endif // XF_TEST_COMPILER_TARGET_AMDGPU_AMDGPUTARGET_H
