//===- Copy.h - Copies of bytes on a CPU ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_COPY_H
#define XFRT_LIB_CPU_COPY_H

#include <stdint.h>

namespace xfrt::cpu {

/// The number of bytes of a tile of copyTiles. The last tile may have fewer.
constexpr int64_t copyTileBytes = 16 << 10;

/// A kernel (xfrt_kernel) that copies scalars[0] > 0 bytes from buffers[0] to buffers[1], which do not overlap.
void copyTiles(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *scratch);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_COPY_H
