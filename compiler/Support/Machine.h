//===- Machine.h - The processor that kernels are generated for -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_MACHINE_H
#define XF_COMPILER_SUPPORT_MACHINE_H

#include "compiler/Support/MachineOptions.h"
#include "llvm/Support/ExtensibleRTTI.h"
#include <memory>

namespace mlir::xf {

/// The facts that every stage may read about the processor for which code is generated. Each target derives its own
/// kind of machine, which adds the facts that its tiles and instructions depend on. The target casts machines to this
/// kind.
struct Machine : llvm::RTTIExtends<Machine, llvm::RTTIRoot> {
  static inline char ID = 0;

  MachineOptions options; ///< the options by which passes name it
  std::string cpu;        ///< the name that -mcpu takes; for a GPU "sm_80", "sm_90a"
  std::string features;   ///< "+avx2,+fma,..", as LLVM's target machine takes it
  std::string triple;
  /// The processor features that generated code may use, such as "avx2,fma". The runtime verifies that they are present
  /// before a kernel runs.
  std::string requiredFeatures;
};

/// A machine of any kind, or null if no machine was found.
using MachineRef = std::shared_ptr<const Machine>;

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_MACHINE_H
