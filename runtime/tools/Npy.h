//===- Npy.h - NumPy's file format -----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes npy files. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Versions
// 1, 2 and 3 can be read, in either byte order and either memory order. Files are not trusted: malformed contents give
// a message, and memory is limited by the size of the file.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_NPY_H
#define XFRT_TOOLS_NPY_H

#include "Tensor.h"

namespace xfrt::tools {

/// Reads `path` as a tensor of `dtype`:
///   f32, f64, f16, bf16 from f2, f4 or f8, rounded once to nearest even (npy has no bf16)
///   i32, i64            from any integer type whose values fit
///   i1                  from b1 or any integer type; any non-zero value is true
/// On failure returns false; `error` then names the file, what was expected and what was found.
bool readNpy(const std::string &path, int32_t dtype, Tensor &tensor, std::string &error);

/// Writes a tensor as an npy file of version 1.0, in C order and little endian, with bf16 as f4. Atomic: after a
/// failure the file at `path` is the old file or the complete new one.
bool writeNpy(const std::string &path, const Tensor &tensor, std::string &error);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_NPY_H
