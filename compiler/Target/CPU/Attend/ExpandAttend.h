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

/// Expand one structured op, the only one of its kernel, to vector code. `shared` are the ops of all kernels that share
/// this code. expandAttend fails, with an error at the op, for a score region that it does not support.
LogicalResult expandAttend(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandAttendVjp(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandAttendLanes(xft::AttendLanesOp op, KernelBuilder &kb);
LogicalResult expandAttendLanesVjp(xft::AttendLanesVjpOp op, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_EXPANDATTEND_H
