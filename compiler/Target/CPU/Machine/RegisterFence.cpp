//===- RegisterFence.cpp - A place where registers are free ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/RegisterFence.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xf;

void cpu::freeRegisters(KernelBuilder &kb) {
  const CpuMachine &machine = machineOf(kb);
  if (!machine.has("avx2"))
    return;
  std::string clobbers;
  for (unsigned n = 0; n < machine.registers; ++n)
    llvm::raw_string_ostream(clobbers) << (n ? ",~{xmm" : "~{xmm") << n << "}";
  LLVM::InlineAsmOp::create(kb.b, kb.loc, TypeRange(), ValueRange(), "", clobbers, /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}
