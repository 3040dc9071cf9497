//===- shared_model.cpp - Models for the CPU and a GPU in one object ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `xfc --target=cuda --emit=shared` makes of a program. The model for the CPU doubles where that for the GPU adds,
// so that one can see which ran.
//
//===----------------------------------------------------------------------===//

#include "GpuModel.h"

#include <algorithm>

static void doubleKernel(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *) {
  for (int64_t i = begin * scalars[0]; i < end * scalars[0]; ++i)
    static_cast<float *>(buffers[2])[i] = 2 * static_cast<const float *>(buffers[0])[i];
}

static const gpumodel::Model gpu("sm_80");
static const xfrt_launch launch = {doubleKernel, "double", 0, 0, 3, 0, 1, 0, 0, 0, 0, 0};

static const xfrt_model *makeModel() {
  static xfrt_entry entries[gpumodel::EntryCount];
  std::copy_n(gpumodel::entries, size_t(gpumodel::EntryCount), entries);
  for (xfrt_entry &entry : entries)
    entry.step_count = entry.launch_count = entry.copy_count = 0;
  entries[gpumodel::Add].step_count = entries[gpumodel::Add].launch_count = 1;
  entries[gpumodel::Add].launches = &launch;
  static const xfrt_model cpu = {
      XFRT_ABI_VERSION, "both",  "", "00", gpumodel::EntryCount, entries, nullptr, 0, 0, 0, XFRT_CPU, 0, nullptr,
      &gpu.table,       nullptr, 0,  0};
  return &cpu;
}

extern "C" const xfrt_model *const xfrt_shared_model;
const xfrt_model *const xfrt_shared_model = makeModel();
