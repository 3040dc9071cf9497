//===- Code.h - Decoded instructions of a module ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_CODE_H
#define XF_TEST_PTX_CODE_H

namespace xf::ptx {

struct Code {};

} // namespace xf::ptx

#endif // XF_TEST_PTX_CODE_H
