//===- MachineOptions.td - Passes that compile for a machine -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_MACHINEOPTIONS_TD
#define XF_COMPILER_SUPPORT_MACHINEOPTIONS_TD

include "mlir/Pass/PassBase.td"

/// The options of passes that depend on the target; MachineOptions.h has the same fields.
defvar machineOptions = [
  Option<"machine", "machine", "std::string", /*default=*/[{"native"}],
         "the machine to compile for: a CPU, as -mcpu takes it, or the architecture of a GPU">,
  Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"0",
         "size of the vector registers of a CPU: 128, 256 or 512; 0 for the CPU's own">,
  Option<"f32Products", "f32-products", "std::string", /*default=*/[{"exact"}],
         "precision of f32 products on GPUs: exact, tf32 or bf16x3">,
  Option<"targetTriple", "target-triple", "std::string", /*default=*/"",
         "architecture and system of a CPU; empty for those of the CPU's name">,
];

#endif // XF_COMPILER_SUPPORT_MACHINEOPTIONS_TD
