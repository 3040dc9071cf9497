//===- CompileOptions.h - What a compilation takes and gives ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_COMPILEOPTIONS_H
#define XF_COMPILER_PIPELINE_COMPILEOPTIONS_H

#include "compiler/Pipeline/StageClock.h"
#include "compiler/Support/F32Products.h"
#include <string>
#include <vector>

namespace mlir::xf {

enum class EmitKind { Object, Shared, Static, Header, Assembly, LLVM, MLIR, PTX, Cubin };

/// Returns true if a compilation outputs only the code of one GPU.
inline bool isDeviceCode(EmitKind kind) { return kind == EmitKind::PTX || kind == EmitKind::Cubin; }

/// The options of one compilation. The comment beside a member names its flag of xfc, such as --multi-isa.
struct CompileOptions {
  std::string modelName = "model"; ///< determines the object's symbol
  std::string cpu = "native";      ///< -mcpu
  std::string targetTriple;        ///< --target-triple: of the CPUs; empty: that of this process or of the CPU's name
  std::vector<std::string> isas;   ///< --multi-isa: CPUs that get code side by side, instead of `cpu`; empty: `cpu`
  std::vector<std::string> gpus;   ///< --gpu-arch: GPUs that get kernels beside the CPU's (gpuNames)
  F32Products f32Products = F32Products::Exact; ///< --f32-products: precision in GPU kernels
  std::string ptxas;                ///< assembler of GPU kernels (findAssembler); empty: objects hold only PTX
  unsigned vectorBits = 0;          ///< width of vector registers to generate code for (MachineOptions); 0: the CPU's
  unsigned optLevel = 2;            ///< -O
  bool exactWeights = false;        ///< --exact-weights: weights are not rounded to 16 bits in any attention
  std::vector<std::string> entries; ///< functions to compile; empty: all
  std::vector<std::string> vjpEntries;
  EmitKind emit = EmitKind::Object;
  std::string startFrom, stopAfter; ///< stage names; empty: all
  bool errorOnReshard = false;      ///< --error-on-reshard: an operand that ranks have to gather is an error
  bool keysOrder = false;           ///< --rank-order=keys: ranks add in the order of one rank (kKeysOrderAttrName)
  bool bytecode = false;            ///< --emit-bytecode: a module is written as MLIR's bytecode
  std::string dumpStages;           ///< folder that receives N-STAGE.mlir after each stage, empty: none
  StageClock *clock = nullptr;      ///< measures stages and passes, unless null
};

/// The output of one compilation.
struct Compiled {
  std::string bytes;  ///< the object, assembly, LLVM IR, MLIR, PTX or machine code of the one GPU, by EmitKind
  std::string header; ///< C header of the object; empty for text kinds
};

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_COMPILEOPTIONS_H
