//===- NullTarget.h - A machine that nobody has, as a target ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_TARGET_NULL_NULLTARGET_H
#define XF_TEST_COMPILER_TARGET_NULL_NULLTARGET_H

#include "compiler/Target/Target.h"

namespace mlir::xf::null {

/// A target with tiles of sizes that no other has, and no code.
const Target &getTarget();

} // namespace mlir::xf::null

#endif // XF_TEST_COMPILER_TARGET_NULL_NULLTARGET_H
