//===- interface.cpp - Tests of memory, tensor maps and modules -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Machine.h"
#include "test/ptx/TensorMap.h"

#include <gtest/gtest.h>

using namespace xf::ptx;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Memory, AllocatesUntilItsLimit) {
  Memory memory(1000);
  uint64_t first = memory.allocate(600);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(first % 256, 0u);
  EXPECT_EQ(memory.allocate(401), 0u);
  EXPECT_NE(memory.allocate(400, 1024), 0u);
  EXPECT_TRUE(memory.free(first));
  EXPECT_FALSE(memory.free(first));
  EXPECT_EQ(memory.used(), 400u);
  EXPECT_EQ(memory.allocate(0), 0u);
}

TEST(Memory, ReadsBackWhatWasWrittenOnly) {
  Memory memory;
  uint64_t address = memory.allocate(64);
  uint32_t value = 7, result = 0;
  EXPECT_TRUE(memory.write(address + 8, &value, 4));
  EXPECT_TRUE(memory.read(address + 8, &result, 4));
  EXPECT_EQ(result, 7u);
  EXPECT_FALSE(memory.read(address + 6, &result, 4));
  EXPECT_TRUE(memory.read(address + 6, &result, 4, /*allowUninitialised=*/true));
  EXPECT_FALSE(memory.write(address + 61, &value, 4));
  EXPECT_FALSE(memory.read(address - 1, &result, 1));
}

TEST(Memory, CopiesWhatIsUninitialised) {
  Memory memory;
  uint64_t from = memory.allocate(16), to = memory.allocate(16);
  uint32_t value = 7;
  memory.fill(to, &value, 4, 4);
  memory.write(from + 4, &value, 4);
  EXPECT_TRUE(memory.copy(to, from, 8));
  EXPECT_FALSE(memory.read(to, &value, 4));
  uint32_t both[2];
  EXPECT_TRUE(memory.read(to + 4, both, sizeof both));
  EXPECT_EQ(both[0], 7u);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

namespace {
/// A map of bf16[8][64] that is right; a test makes one thing of it wrong.
struct MapArguments {
  int type = 9;
  uint32_t rank = 2;
  uint64_t address = 4096;
  uint64_t sizes[2] = {64, 8}, strides[1] = {128};
  uint32_t box[2] = {64, 8}, elementStrides[2] = {1, 1};
  int interleave = 0, swizzle = 3, promotion = 2, fill = 0;

  int encode(TensorMap *map = nullptr) const {
    uint8_t bytes[128];
    int result = encodeTiled(type, rank, address, sizes, strides, box, elementStrides, interleave, swizzle, promotion,
                             fill, bytes);
    if (result == 0 && map)
      EXPECT_TRUE(decodeTiled(bytes, *map));
    return result;
  }
};
} // namespace

TEST(TensorMap, DecodesWhatWasEncoded) {
  TensorMap map;
  ASSERT_EQ(MapArguments().encode(&map), 0);
  EXPECT_EQ(map.type, TensorType::BFloat16);
  EXPECT_EQ(map.rank, 2u);
  EXPECT_EQ(map.sizes[1], 8u);
  EXPECT_EQ(map.strides[0], 2u);
  EXPECT_EQ(map.strides[1], 128u);
  EXPECT_EQ(map.boxBytes(), 1024u);
  EXPECT_EQ(map.swizzle, Swizzle::Bytes128);
}

template <class F>
static int encodeWith(F change) {
  MapArguments arguments;
  change(arguments);
  return arguments.encode();
}

TEST(TensorMap, RefusesWhatTheDriverRefuses) {
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.type = 13; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.rank = 0; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.rank = 6; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.address = 4104; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.sizes[0] = 0; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.strides[0] = 136; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.strides[0] = uint64_t(1) << 40; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.box[1] = 257; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.box[0] = 4; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.box[0] = 128; }), 1); // wider than its swizzle
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.elementStrides[0] = 9; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.swizzle = 4; }), 1);
  EXPECT_EQ(encodeWith([](MapArguments &a) { a.type = 1, a.fill = 1; }), 1); // NaN of integers
}

TEST(TensorMap, SwizzlesByBitsOfTheAddress) {
  EXPECT_EQ(swizzled(0x480, Swizzle::Bytes128), 0x490u);
  EXPECT_EQ(swizzled(0x7f0, Swizzle::Bytes128), 0x780u);
  EXPECT_EQ(swizzled(0x780, Swizzle::Bytes64), 0x7b0u);
  EXPECT_EQ(swizzled(0x780, Swizzle::Bytes32), 0x790u);
  EXPECT_EQ(swizzled(0x780, Swizzle::None), 0x780u);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

static const char *const text = R"(
.version 7.0
.target sm_80
.address_size 64
.shared .align 16 .b8 used[32];
.shared .align 16 .b8 other[64];
.global .align 4 .u32 counter = 5;
.visible .entry first(.param .u32 a, .param .align 64 .b8 b[128], .param .u64 c)
.maxntid 128, 2
.minnctapersm 3
{
	.reg .b32 %r<3>;
	mov.u32 %r1, used;
	ld.global.u32 %r2, [counter];
	add.u32 %r2, %r2, 1;
	st.global.u32 [counter], %r2;
	ret;
}
)";

TEST(Module, KnowsItsKernels) {
  std::string error;
  auto module = Module::parse(text, "text", error);
  ASSERT_TRUE(module) << error;
  EXPECT_EQ(module->target, "sm_80");
  const Kernel *kernel = module->kernel("first");
  ASSERT_TRUE(kernel);
  ASSERT_EQ(kernel->parameters.size(), 3u);
  EXPECT_EQ(kernel->parameters[1].offset, 64u);
  EXPECT_EQ(kernel->parameters[2].offset, 192u);
  EXPECT_EQ(kernel->parameterBytes, 200u);
  EXPECT_EQ(kernel->maxThreads[1], 2u);
  EXPECT_EQ(kernel->minBlocks, 3u);
  EXPECT_EQ(kernel->sharedBytes, 32u);
  EXPECT_FALSE(module->kernel("second"));
}

TEST(Module, KeepsItsVariablesFromLaunchToLaunch) {
  std::string error;
  auto module = Module::parse(text, "text", error);
  ASSERT_TRUE(module) << error;
  Memory memory;
  Launch launch;
  launch.module = module.get();
  launch.kernel = "first";
  launch.parameters.resize(200);
  EXPECT_TRUE(run(launch, memory).empty());
  EXPECT_TRUE(run(launch, memory).empty());
  uint32_t counter = 0;
  EXPECT_TRUE(memory.read(variableAddress(*module, "counter", memory), &counter, 4));
  EXPECT_EQ(counter, 7u);
  unload(*module, memory);
  EXPECT_EQ(memory.used(), 0u);
}

TEST(Machine, RefusesImpossibleLaunches) {
  std::string error;
  auto module = Module::parse(text, "text", error);
  ASSERT_TRUE(module) << error;
  Memory memory;
  auto kindOf = [&](auto change) {
    Launch launch;
    launch.module = module.get();
    launch.kernel = "first";
    launch.parameters.resize(200);
    change(launch);
    std::vector<Report> reports = run(launch, memory);
    return reports.size() == 1 && reports[0].kind == ReportKind::Launch;
  };
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.kernel = "second"; }));
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.block[0] = 1025; }));
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.block[0] = 257; })); // .maxntid
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.grid[1] = 65536; }));
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.grid[2] = 0; }));
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.sharedBytes = 227 * 1024; })); // with the static ones
  EXPECT_TRUE(kindOf([](Launch &launch) { launch.parameters.resize(199); }));
  EXPECT_FALSE(kindOf([](Launch &) {}));
}
