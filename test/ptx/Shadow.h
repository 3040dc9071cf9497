//===- Shadow.h - Who touched which bytes last ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_SHADOW_H
#define XF_TEST_PTX_SHADOW_H

namespace xf::ptx {

class Shadow {};

} // namespace xf::ptx

#endif // XF_TEST_PTX_SHADOW_H
