//===- Ranges.h - What profilers show beside kernels ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_RANGES_H
#define XFRT_LIB_CUDA_RANGES_H

namespace xfrt::cuda {

/// An RAII guard: a range of NVTX on this thread, which Nsight Systems shows with the launches made in it. Does nothing
/// where neither libnvtx3interop.so.1 (CUDA 13) nor libnvToolsExt.so.1 (before) is found; both are searched once in a
/// process, when the first range begins.
class Range {
public:
  explicit Range(const char *name);
  ~Range();
  Range(const Range &) = delete;
  Range &operator=(const Range &) = delete;
};

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_RANGES_H
