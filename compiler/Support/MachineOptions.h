//===- MachineOptions.h - Passes that compile for a machine ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_MACHINEOPTIONS_H
#define XF_COMPILER_SUPPORT_MACHINEOPTIONS_H

#include <string>

namespace mlir::xf {

/// A machine as the options of passes name it (MachineOptions.td). The target that knows the name creates the Machine.
struct MachineOptions {
  std::string machine = "native";    ///< a CPU, as -mcpu takes it, or the architecture of a GPU
  unsigned vectorBits = 0;           ///< the width of a CPU's vector registers: 128, 256 or 512; 0 for its own
  std::string f32Products = "exact"; ///< one of f32ProductsNames
  std::string targetTriple = "";     ///< the architecture and system of a CPU; empty for those of the CPU's name
};

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_MACHINEOPTIONS_H
