//===- Kernels.h - Small kernels in PTX ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand in the form that xfrt/model.h asks for. A tile is a row of at most 32 elements, one for each thread.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_CUDA_KERNELS_H
#define XF_TEST_RUNTIME_CUDA_KERNELS_H

#include <string>

namespace gpumodel {

/// A kernel with the scalar `columns` and `buffers` buffers of 4-byte elements. `body` runs for every element: %aN is
/// its address in buffer N, %bN where the buffer begins; %f0 to %f3, %r4 and %d20 to %d23 are free.
inline std::string rowKernel(const std::string &name, int buffers, const std::string &body) {
  std::string parameters = ".param .u64 columns", loads, addresses;
  for (int i = 0; i < buffers; ++i) {
    std::string n = std::to_string(i);
    parameters += ", .param .u64 buffer" + n;
    loads += "  ld.param.u64 %b" + n + ", [buffer" + n + "];\n";
    addresses += "  add.s64 %a" + n + ", %b" + n + ", %d6;\n";
  }
  return ".visible .entry " + name + "(" + parameters + ", .param .u64 tiles)\n" +
         "{\n"
         "  .reg .pred %p<2>;\n  .reg .b32 %r<5>;\n  .reg .b64 %d<24>;\n  .reg .b64 %a<4>;\n  .reg .b64 %b<4>;\n"
         "  .reg .f32 %f<4>;\n"
         "  ld.param.u64 %d0, [columns];\n" +
         loads +
         "  ld.param.u64 %d1, [tiles];\n"
         "  mov.u32 %r0, %ctaid.x;\n  cvt.u64.u32 %d2, %r0;\n"
         "  mov.u32 %r1, %nctaid.x;\n  cvt.u64.u32 %d3, %r1;\n"
         "  mov.u32 %r2, %tid.x;\n  cvt.u64.u32 %d4, %r2;\n"
         "$tile:\n"
         "  setp.ge.s64 %p0, %d2, %d1;\n  @%p0 bra $done;\n"
         "  setp.ge.s64 %p1, %d4, %d0;\n  @%p1 bra $next;\n"
         "  mul.lo.s64 %d5, %d2, %d0;\n  add.s64 %d5, %d5, %d4;\n  shl.b64 %d6, %d5, 2;\n" +
         addresses + body +
         "$next:\n"
         "  add.s64 %d2, %d2, %d3;\n  bra $tile;\n"
         "$done:\n  ret;\n}\n";
}

/// The image of GpuModel.h, for the architecture `target`.
inline std::string image(const std::string &target, const std::string &version = "8.0") {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n" +
         rowKernel("add", 3,
                   "  ld.global.f32 %f0, [%a0];\n  ld.global.f32 %f1, [%a1];\n  add.f32 %f2, %f0, %f1;\n"
                   "  st.global.f32 [%a2], %f2;\n") +
         rowKernel("cube", 2,
                   "  ld.global.f32 %f0, [%a0];\n  mul.f32 %f1, %f0, %f0;\n  mul.f32 %f1, %f1, %f0;\n"
                   "  st.global.f32 [%a1], %f1;\n") +
         rowKernel("halve", 2,
                   "  ld.global.f32 %f0, [%a0];\n  mul.f32 %f1, %f0, 0f3F000000;\n  st.global.f32 [%a1], %f1;\n") +
         rowKernel("step", 2,
                   "  ld.global.f32 %f0, [%a0];\n  ld.global.f32 %f1, [%a1];\n  mul.f32 %f1, %f1, 0f3F000000;\n"
                   "  sub.f32 %f2, %f0, %f1;\n  st.global.f32 [%a0], %f2;\n") +
         rowKernel("gather", 3,
                   "  ld.global.s32 %r4, [%a1];\n  mul.wide.s32 %d20, %r4, 4;\n  add.s64 %d21, %b0, %d20;\n"
                   "  ld.global.f32 %f0, [%d21];\n  st.global.f32 [%a2], %f0;\n") +
         rowKernel("copy", 2, "  ld.global.f32 %f0, [%a0];\n  st.global.f32 [%a1], %f0;\n") +
         rowKernel("double", 2, "  ld.global.f32 %f0, [%a0];\n  add.f32 %f1, %f0, %f0;\n  st.global.f32 [%a1], %f1;\n");
}

} // namespace gpumodel

#endif // XF_TEST_RUNTIME_CUDA_KERNELS_H
