//===- Bare.cpp - A libcuda.so.1 from before our time ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

extern "C" int cuInit(unsigned) { return 0; }

extern "C" int cuDriverGetVersion(int *version) {
  *version = 6050;
  return 0;
}
