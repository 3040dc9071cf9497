//===- tiles.cpp - A kernel on a GPU that reads by tensor map -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (x: f32[N, 32]) -> 2 x. A tile is four rows, which a bulk copy puts into shared memory with a swizzle of 128 bytes;
// rows beyond N come as zeros and are not written. Blocks run several tiles each.
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <numeric>
#include <string.h>

using namespace gpumodel;

namespace {

const char kernel[] = R"(
.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry boxes(.param .u64 rows, .param .u64 x, .param .u64 y, .param .align 64 .b8 map[128], .param .u64 tiles)
.maxntid 32
{
  .reg .pred %p<5>;
  .reg .b32 %r<20>;
  .reg .b64 %d<12>;
  .reg .f32 %f<2>;
  ld.param.u64 %d0, [rows];
  ld.param.u64 %d1, [y];
  ld.param.u64 %d2, [tiles];
  cvt.u32.u64 %r0, %d2;
  mov.b64 %d3, map;
  cvta.param.u64 %d3, %d3;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, smem;
  add.s32 %r5, %r4, 512;
  shl.b32 %r6, %r3, 2;
  mov.b32 %r7, 0; // parity
  setp.ne.u32 %p0, %r3, 0;
  @%p0 bra $ready;
  mov.b32 %r8, 1;
  mbarrier.init.shared.b64 [%r5], %r8;
  fence.mbarrier_init.release.cluster;
$ready:
  bar.sync 0;
$tile:
  setp.ge.u32 %p1, %r1, %r0;
  @%p1 bra $done;
  shl.b32 %r9, %r1, 2; // first row
  @%p0 bra $wait;
  mov.b32 %r10, 512;
  mov.b32 %r11, 0;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r5], %r10;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%d3, {%r11, %r9}], [%r5];
$wait:
  mbarrier.try_wait.parity.shared.b64 %p2, [%r5], %r7;
  @!%p2 bra $wait;
  xor.b32 %r7, %r7, 1;
  mov.b32 %r12, 0;
$row:
  add.s32 %r13, %r9, %r12;
  cvt.u64.u32 %d4, %r13;
  setp.ge.u64 %p3, %d4, %d0;
  @%p3 bra $next;
  shl.b32 %r14, %r12, 4;
  xor.b32 %r14, %r14, %r6;
  shl.b32 %r15, %r12, 7;
  add.s32 %r14, %r14, %r15;
  add.s32 %r14, %r14, %r4;
  ld.shared.f32 %f0, [%r14];
  add.f32 %f0, %f0, %f0;
  shl.b64 %d5, %d4, 7;
  add.s64 %d5, %d5, %d1;
  cvt.u64.u32 %d6, %r6;
  add.s64 %d5, %d5, %d6;
  st.global.f32 [%d5], %f0;
$next:
  add.s32 %r12, %r12, 1;
  setp.lt.u32 %p4, %r12, 4;
  @%p4 bra $row;
  bar.sync 0;
  add.s32 %r1, %r1, %r2;
  bra $tile;
$done:
  ret;
}
)";

// frame: {tiles, N, arena, 32}
void prepare(const int64_t *symbols, int64_t *frame) {
  frame[0] = (symbols[0] + 3) / 4;
  frame[1] = symbols[0];
  frame[3] = 32;
}

const xfrt_symbol symbols[] = {{"N", 0, 1000}};
const xfrt_dim dims[] = {{0, 0}, {32, -1}};
const xfrt_tensor arguments[] = {testmodel::tensor("x", XFRT_F32, 2, dims)};
const xfrt_tensor results[] = {testmodel::tensor("y", XFRT_F32, 2, dims)};
const xfrt_operand operands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}};
const int32_t rowScalars[] = {1};
const xfrt_tensor_map maps[] = {{0, XFRT_F32, 2, {3, 1, 0, 0, 0}, {0, 3, 0, 0, 0}, {32, 4, 0, 0, 0}, 128}};
const xfrt_launch launches[] = {{nullptr, "boxes", 0, 0, 2, 0, 1, 32, 520, 2, 0, 1}};
const xfrt_entry tileEntries[] = {
    {"boxes",  1, 1,       arguments, results,    1, symbols, 4, nullptr, prepare, 2, 1,      testmodel::launchSteps, 1,
     launches, 0, nullptr, operands,  rowScalars, 0, 0,       0, 0,       maps,    0, nullptr}};

class Tiles : public OnGpu {
protected:
  Tiles() {
    table.images = images;
    table.entries = tileEntries;
    table.entry_count = 1;
    options = onGpu();
  }

  std::vector<float> call(int64_t rows) {
    Array<float> x({rows, 32}), y({rows, 32}, -1);
    std::iota(x.values.begin(), x.values.end(), 0.0f);
    xfrt_buffer in = x.buffer(), out = y.buffer();
    EXPECT_EQ(xfrt_call(context, 0, &in, 1, &out, 1), XFRT_OK) << xfrt_message(context);
    return y.values;
  }

  Model model;
  xfrt_image images[1] = {{"sm_90a", XFRT_PTX, kernel, sizeof(kernel)}};
  xfrt_model table = model.table;
  xfrt_options options;
  xfrt_context *context = nullptr;
};

TEST_F(Tiles, AreReadByTheKernel) {
  for (const char *schedule : {"lazy", "eager", "random"}) {
    settings.set("XF_SIM_SCHEDULE", schedule);
    ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK) << xfrt_message(nullptr);
    for (int64_t rows : {1, 4, 0, 100, 101}) {
      std::vector<float> expected(size_t(rows) * 32);
      for (size_t i = 0; i < expected.size(); ++i)
        expected[i] = 2 * float(i);
      EXPECT_EQ(call(rows), expected);
    }
    xfrt_destroy(context);
  }
}

/// Fewer processors run more tiles in each block, with the same results.
TEST_F(Tiles, AreTheSameOnAnyNumberOfProcessors) {
  std::vector<float> first;
  for (const char *processors : {"1", "3", "132"}) {
    settings.set("XF_SIM_PROCESSORS", processors);
    ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK);
    std::vector<float> values = call(50);
    EXPECT_EQ(values, first.empty() ? values : first);
    first = values;
    xfrt_destroy(context);
  }
}

} // namespace
