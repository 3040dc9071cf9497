//===- ExpandAttend.h - Attention kernels become vector code -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_EXPANDATTEND_H
#define XF_COMPILER_TARGET_CPU_ATTEND_EXPANDATTEND_H

#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expand one structured op to vector code and erase it. The op must be the only one of its kernel. `shared` are the
/// ops of all kernels that share this code. If the CPU does not support the op (its schedule, its products or its score
/// region), emit an error and fail.
LogicalResult expandAttend(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandAttendVjp(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandAttendResidues(xft::AttendResiduesOp op, KernelBuilder &kb);
LogicalResult expandAttendStencil(xft::AttendStencilOp op, KernelBuilder &kb);
LogicalResult expandAttendResiduesVjp(xft::AttendResiduesVjpOp op, KernelBuilder &kb);
LogicalResult expandAttendStencilVjp(xft::AttendStencilVjpOp op, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_EXPANDATTEND_H
