//===- GpuModel.h - A model for a GPU, by hand -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of TestModel.h, with the kernels of Kernels.h:
//   add      (x, y: f32[2x3]) -> sum           static, one launch
//   chain    (x: f32[N, 8]) -> y, N in 1..4096 dynamic; x -> arena (cubes) -> y (halves)
//   step     (w: f32[4] parameter, g: f32[4]) -> w' updates w
//   gather   (t: f32[5], i: i32[K]) -> o[K]    i checked in [0, 4]; K in 0..100
//   scale    (w: f32[4] parameter) -> 2 w      by a held copy of w, or by w
//   shift    (x: f32[4]) -> x + constants
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_CUDA_GPUMODEL_H
#define XF_TEST_RUNTIME_CUDA_GPUMODEL_H

#include "../TestModel.h"
#include "Kernels.h"

namespace gpumodel {

using testmodel::Array;
enum Entry { Add, Chain, Step, Gather, Scale, Shift, Keep, EntryCount };

inline constexpr xfrt_launch launch(const char *name, int32_t grid, int32_t firstOperand, int32_t operands,
                                    int32_t blocks = 0) {
  return {nullptr, name, grid, firstOperand, operands, 0, 1, 32, 0, blocks, 0, 0};
}

// Every frame begins with rows, columns, arena.
inline constexpr int32_t scalars[] = {1};
inline constexpr xfrt_launch addLaunches[] = {launch("add", 0, 0, 3)};

inline void prepareChain(const int64_t *symbols, int64_t *frame) {
  frame[0] = symbols[0];
  frame[1] = 8;
  frame[3] = 64;
  frame[2] = 64 + (symbols[0] * 8 * 4 + 63) / 64 * 64;
}
inline constexpr xfrt_launch chainLaunches[] = {launch("cube", 0, 0, 2, 2), launch("halve", 0, 2, 2, 1)};

inline constexpr int64_t rowFrame[] = {1, 4, 0};
inline constexpr xfrt_launch stepLaunches[] = {launch("step", 0, 0, 2)};

inline void prepareGather(const int64_t *symbols, int64_t *frame) {
  frame[0] = symbols[0];
  frame[1] = 1;
}
inline constexpr xfrt_launch gatherLaunches[] = {launch("gather", 0, 0, 3)};

inline constexpr xfrt_launch scaleLaunches[] = {launch("copy", 0, 0, 2), launch("double", 0, 2, 2),
                                                launch("double", 0, 4, 2)};

alignas(64) inline constexpr float constants[] = {0, 0, 0, 0, 10, 20, 30, 40};
inline constexpr int64_t shiftFrame[] = {1, 4, 0, 16};
inline constexpr xfrt_tensor shiftArguments[] = {testmodel::tensor("x", XFRT_F32, 1, testmodel::stepDims)};
inline constexpr xfrt_tensor shiftResults[] = {testmodel::tensor("y", XFRT_F32, 1, testmodel::stepDims)};
inline constexpr xfrt_operand shiftOperands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_CONSTANT, 0, 3}, {XFRT_RESULT, 0, -1}};
inline constexpr xfrt_launch shiftLaunches[] = {launch("add", 0, 0, 3)};

inline constexpr xfrt_launch keepLaunches[] = {launch("cube", 0, 2, 2)};

inline const xfrt_entry entries[] = {
    {"add",
     2,
     1,
     testmodel::addArguments,
     testmodel::addResults,
     0,
     nullptr,
     3,
     testmodel::addFrame,
     nullptr,
     2,
     1,
     testmodel::launchSteps,
     1,
     addLaunches,
     0,
     nullptr,
     testmodel::addOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"chain",
     1,
     1,
     testmodel::chainArguments,
     testmodel::chainResults,
     1,
     testmodel::chainSymbols,
     4,
     nullptr,
     prepareChain,
     2,
     2,
     testmodel::launchSteps,
     2,
     chainLaunches,
     0,
     nullptr,
     testmodel::chainOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"step",
     2,
     1,
     testmodel::stepArguments,
     testmodel::stepResults,
     0,
     nullptr,
     3,
     rowFrame,
     nullptr,
     2,
     1,
     testmodel::launchSteps,
     1,
     stepLaunches,
     0,
     nullptr,
     testmodel::stepOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"gather",
     2,
     1,
     testmodel::gatherArguments,
     testmodel::gatherResults,
     1,
     testmodel::gatherSymbols,
     3,
     nullptr,
     prepareGather,
     2,
     1,
     testmodel::launchSteps,
     1,
     gatherLaunches,
     0,
     nullptr,
     testmodel::addOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"scale",
     1,
     1,
     testmodel::stepArguments,
     testmodel::scaleResults,
     0,
     nullptr,
     3,
     rowFrame,
     nullptr,
     2,
     3,
     testmodel::scaleSteps,
     3,
     scaleLaunches,
     0,
     nullptr,
     testmodel::scaleOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"shift",
     1,
     1,
     shiftArguments,
     shiftResults,
     0,
     nullptr,
     4,
     shiftFrame,
     nullptr,
     2,
     1,
     testmodel::launchSteps,
     1,
     shiftLaunches,
     0,
     nullptr,
     shiftOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"keep",
     1,
     2,
     testmodel::chainArguments,
     testmodel::keepResults,
     1,
     testmodel::chainSymbols,
     5,
     nullptr,
     testmodel::prepareKeep,
     2,
     3,
     testmodel::keepSteps,
     1,
     keepLaunches,
     2,
     testmodel::keepCopies,
     testmodel::keepOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
};

/// The model for one architecture. `next` follows.
struct Model {
  explicit Model(const std::string &target = "sm_90a", const xfrt_model *next = nullptr,
                 const std::string &version = "8.0")
      : target(target), text(image(target, version)),
        images{{this->target.c_str(), XFRT_PTX, text.c_str(), int64_t(text.size() + 1)}}, table{XFRT_ABI_VERSION,
                                                                                                "gpu",
                                                                                                this->target.c_str(),
                                                                                                "00",
                                                                                                EntryCount,
                                                                                                entries,
                                                                                                constants,
                                                                                                sizeof(constants),
                                                                                                1,
                                                                                                16,
                                                                                                XFRT_CUDA,
                                                                                                1,
                                                                                                images,
                                                                                                next,
                                                                                                nullptr,
                                                                                                0,
                                                                                                0} {}
  Model(const Model &) = delete;

  const std::string target, text;
  xfrt_image images[1];
  xfrt_model table;
};

} // namespace gpumodel

#endif // XF_TEST_RUNTIME_CUDA_GPUMODEL_H
