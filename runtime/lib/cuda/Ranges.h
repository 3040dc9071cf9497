//===- Ranges.h - What profilers show beside kernels ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_RANGES_H
#define XFRT_LIB_CUDA_RANGES_H

namespace xfrt::cuda {

/// An RAII guard for a range of NVTX on this thread. Nsight Systems shows the range, and the launches that are made
/// during its lifetime. Needs the library libnvtx3interop.so.1 (CUDA 13) or libnvToolsExt.so.1 (earlier), and does
/// nothing without such a library. The first range in a process searches for the libraries.
class Range {
public:
  explicit Range(const char *name);
  ~Range();
  Range(const Range &) = delete;
  Range &operator=(const Range &) = delete;
};

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_RANGES_H
