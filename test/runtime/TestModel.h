//===- TestModel.h - A model whose tables are written by hand --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries, each the smallest that shows one thing:
//   add      (x, y: f32[2x3]) -> sum           static, one launch
//   chain    (x: f32[N, 8]) -> y, N in 1..4096 dynamic; x -> arena (cubes) -> y (sums of prefixes, via scratch)
//   step     (w: f32[4] parameter, g: f32[4]) -> w' updates w
//   gather   (t: f32[5], i: i32[K]) -> o[K]    i checked in [0, 4]; K in 0..100
//   scale    (w: f32[4] parameter) -> 2 w       by a held copy of w, or by w
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_TESTMODEL_H
#define XF_TEST_RUNTIME_TESTMODEL_H

#include "xfrt/xfrt.h"

#include <atomic>
#include <string>
#include <vector>

namespace testmodel {

enum Entry { Add, Chain, Step, Gather, Scale, Keep, EntryCount };

/// Kernels that ran since the start of the process.
inline std::atomic<int> kernelsRun{0};

inline void addKernel(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *) {
  ++kernelsRun;
  auto *x = static_cast<const float *>(buffers[0]), *y = static_cast<const float *>(buffers[1]);
  for (int64_t row = begin; row < end; ++row)
    for (int64_t i = row * scalars[0]; i < (row + 1) * scalars[0]; ++i)
      static_cast<float *>(buffers[2])[i] = x[i] + y[i];
}

inline void cubeKernel(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *) {
  ++kernelsRun;
  auto *x = static_cast<const float *>(buffers[0]);
  for (int64_t i = begin * scalars[0]; i < end * scalars[0]; ++i)
    static_cast<float *>(buffers[1])[i] = x[i] * x[i] * x[i];
}

/// Goes through the scratch area, so that workers that shared one would disturb each other.
inline void prefixKernel(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *scratch) {
  ++kernelsRun;
  int64_t width = scalars[0];
  auto *sums = static_cast<float *>(scratch);
  for (int64_t row = begin; row < end; ++row) {
    auto *x = static_cast<const float *>(buffers[0]) + row * width;
    float sum = 0;
    for (int64_t i = 0; i < width; ++i)
      sums[i] = sum += x[i] / 3;
    for (int64_t i = 0; i < width; ++i)
      static_cast<float *>(buffers[1])[row * width + i] = sums[i];
  }
}

inline void stepKernel(const int64_t *, void *const *buffers, int64_t begin, int64_t end, void *) {
  ++kernelsRun;
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[0])[i] -= 0.5f * static_cast<const float *>(buffers[1])[i];
}

inline void gatherKernel(const int64_t *, void *const *buffers, int64_t begin, int64_t end, void *) {
  ++kernelsRun;
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[2])[i] =
        static_cast<const float *>(buffers[0])[static_cast<const int32_t *>(buffers[1])[i]];
}

inline std::atomic<int> copiesMade{0};

inline void copyKernel(const int64_t *, void *const *buffers, int64_t begin, int64_t end, void *) {
  ++copiesMade;
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[1])[i] = static_cast<const float *>(buffers[0])[i];
}

inline void doubleKernel(const int64_t *, void *const *buffers, int64_t begin, int64_t end, void *) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[1])[i] = 2 * static_cast<const float *>(buffers[0])[i];
}

inline constexpr xfrt_tensor tensor(const char *name, int32_t dtype, int32_t rank, const xfrt_dim *dims,
                                    int32_t role = XFRT_INPUT, int32_t updates = -1) {
  return {name, dtype, rank, dims, role, updates, 0, 0, 0, 0, 0};
}

/// Steps of entries that run one launch, or two, in every call.
inline constexpr xfrt_step launchSteps[] = {{XFRT_LAUNCH, 0, XFRT_ALWAYS, 0}, {XFRT_LAUNCH, 1, XFRT_ALWAYS, 0}};

// add: frame {rows, columns}
inline constexpr xfrt_dim addDims[] = {{2, -1}, {3, -1}};
inline constexpr xfrt_tensor addArguments[] = {tensor("x", XFRT_F32, 2, addDims), tensor("y", XFRT_F32, 2, addDims)};
inline constexpr xfrt_tensor addResults[] = {tensor("sum", XFRT_F32, 2, addDims)};
inline constexpr int64_t addFrame[] = {2, 3, 0};
inline constexpr xfrt_operand addOperands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_ARGUMENT, 1, -1}, {XFRT_RESULT, 0, -1}};
inline constexpr int32_t addScalars[] = {1};
inline constexpr xfrt_launch addLaunches[] = {{addKernel, "add", 0, 0, 3, 0, 1, 0, 0, 0, 0, 0}};

// chain: frame {N, width, arena bytes, offset in the arena}
inline void prepareChain(const int64_t *symbols, int64_t *frame) {
  frame[0] = symbols[0];
  frame[1] = 8;
  frame[3] = 64;
  frame[2] = 64 + (symbols[0] * 8 * 4 + 63) / 64 * 64;
}
inline constexpr xfrt_symbol chainSymbols[] = {{"N", 1, 4096}};
inline constexpr xfrt_dim chainDims[] = {{0, 0}, {8, -1}};
inline constexpr xfrt_tensor chainArguments[] = {tensor("x", XFRT_F32, 2, chainDims)};
inline constexpr xfrt_tensor chainResults[] = {tensor("y", XFRT_F32, 2, chainDims)};
inline constexpr xfrt_operand chainOperands[] = {
    {XFRT_ARGUMENT, 0, -1}, {XFRT_ARENA, 0, 3}, {XFRT_ARENA, 0, 3}, {XFRT_RESULT, 0, -1}};
inline constexpr int32_t chainScalars[] = {1};
inline constexpr xfrt_launch chainLaunches[] = {{cubeKernel, "cube", 0, 0, 2, 0, 1, 0, 0, 0, 0, 0},
                                                {prefixKernel, "prefix", 0, 2, 2, 0, 1, 0, 0, 0, 0, 0}};

// step: frame {elements, arena}
inline constexpr xfrt_dim stepDims[] = {{4, -1}};
inline constexpr xfrt_tensor stepArguments[] = {tensor("w", XFRT_F32, 1, stepDims, XFRT_PARAMETER),
                                                tensor("g", XFRT_F32, 1, stepDims)};
inline constexpr xfrt_tensor stepResults[] = {tensor("w", XFRT_F32, 1, stepDims, XFRT_PARAMETER, 0)};
inline constexpr int64_t stepFrame[] = {4, 0};
inline constexpr xfrt_operand stepOperands[] = {{XFRT_RESULT, 0, -1}, {XFRT_ARGUMENT, 1, -1}};
inline constexpr xfrt_launch stepLaunches[] = {{stepKernel, "step", 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}};

// gather: frame {K, arena}
inline void prepareGather(const int64_t *symbols, int64_t *frame) { frame[0] = symbols[0]; }
inline constexpr xfrt_symbol gatherSymbols[] = {{"K", 0, 100}};
inline constexpr xfrt_dim gatherTable[] = {{5, -1}}, gatherIndex[] = {{0, 0}};
inline constexpr xfrt_tensor gatherArguments[] = {tensor("t", XFRT_F32, 1, gatherTable),
                                                  {"i", XFRT_I32, 1, gatherIndex, XFRT_INPUT, -1, 1, 0, 4, 0, 0}};
inline constexpr xfrt_tensor gatherResults[] = {tensor("o", XFRT_F32, 1, gatherIndex)};
inline constexpr xfrt_launch gatherLaunches[] = {{gatherKernel, "gather", 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}};

// scale: frame {elements, arena}
inline constexpr xfrt_operand scaleOperands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_HELD, 0, -1},     {XFRT_HELD, 0, -1},
                                                 {XFRT_RESULT, 0, -1},   {XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}};
inline constexpr xfrt_tensor scaleResults[] = {tensor("y", XFRT_F32, 1, stepDims)};
inline constexpr xfrt_launch scaleLaunches[] = {{copyKernel, "copy", 0, 0, 2, 0, 0, 0, 0, 0, 0, 0},
                                                {doubleKernel, "double", 0, 2, 2, 0, 0, 0, 0, 0, 0, 0},
                                                {doubleKernel, "double", 0, 4, 2, 0, 0, 0, 0, 0, 0, 0}};

inline constexpr xfrt_step scaleSteps[] = {
    {XFRT_LAUNCH, 0, XFRT_FILLS_HELD, 0}, {XFRT_LAUNCH, 1, XFRT_IF_HELD, 0}, {XFRT_LAUNCH, 2, XFRT_IF_NOT_HELD, 0}};

// keep: two results, x^3 and a copy of it, from a copy of x. Frame {N, width, arena bytes, offset in the arena, bytes}
inline void prepareKeep(const int64_t *symbols, int64_t *frame) {
  prepareChain(symbols, frame);
  frame[4] = symbols[0] * 8 * 4;
}
inline constexpr xfrt_tensor keepResults[] = {tensor("y", XFRT_F32, 2, chainDims), tensor("z", XFRT_F32, 2, chainDims)};
inline constexpr xfrt_operand keepOperands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_ARENA, 0, 3},   {XFRT_ARENA, 0, 3},
                                                {XFRT_RESULT, 0, -1},   {XFRT_RESULT, 0, -1}, {XFRT_RESULT, 1, -1}};
inline constexpr xfrt_copy keepCopies[] = {{0, 1, 4}, {4, 5, 4}};
inline constexpr xfrt_launch keepLaunches[] = {{cubeKernel, "cube", 0, 2, 2, 0, 1, 0, 0, 0, 0, 0}};
inline constexpr xfrt_step keepSteps[] = {
    {XFRT_COPY, 0, XFRT_ALWAYS, 0}, {XFRT_LAUNCH, 0, XFRT_ALWAYS, 0}, {XFRT_COPY, 1, XFRT_ALWAYS, 0}};

inline const xfrt_entry entries[] = {
    {"add",       2, 1,       addArguments, addResults, 0, nullptr, 3, addFrame, nullptr, 2, 1,      launchSteps, 1,
     addLaunches, 0, nullptr, addOperands,  addScalars, 0, 6,       0, 0,        nullptr, 0, nullptr},
    {"chain",
     1,
     1,
     chainArguments,
     chainResults,
     1,
     chainSymbols,
     4,
     nullptr,
     prepareChain,
     2,
     2,
     launchSteps,
     2,
     chainLaunches,
     0,
     nullptr,
     chainOperands,
     chainScalars,
     64,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
    {"step",       2, 1,       stepArguments, stepResults, 0, nullptr, 2, stepFrame, nullptr, 1, 1,      launchSteps, 1,
     stepLaunches, 0, nullptr, stepOperands,  nullptr,     0, 0,       0, 0,         nullptr, 0, nullptr},
    {"gather",
     2,
     1,
     gatherArguments,
     gatherResults,
     1,
     gatherSymbols,
     2,
     nullptr,
     prepareGather,
     1,
     1,
     launchSteps,
     1,
     gatherLaunches,
     0,
     nullptr,
     addOperands,
     nullptr,
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
     stepArguments,
     scaleResults,
     0,
     nullptr,
     2,
     stepFrame,
     nullptr,
     1,
     3,
     scaleSteps,
     3,
     scaleLaunches,
     0,
     nullptr,
     scaleOperands,
     nullptr,
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
     chainArguments,
     keepResults,
     1,
     chainSymbols,
     5,
     nullptr,
     prepareKeep,
     2,
     3,
     keepSteps,
     1,
     keepLaunches,
     2,
     keepCopies,
     keepOperands,
     chainScalars,
     0,
     0,
     0,
     0,
     nullptr,
     0,
     nullptr},
};
inline const xfrt_model model = {XFRT_ABI_VERSION, "test", "",      "00",    EntryCount, entries, nullptr, 0, 1, 16,
                                 XFRT_CPU,         0,      nullptr, nullptr, nullptr,    0,       0};

/// A buffer that owns its elements and shape. Starts 64-byte aligned or not: the library must not care.
template <typename T>
struct Array {
  std::vector<int64_t> shape;
  std::vector<T> values;

  Array(std::vector<int64_t> sizes, T fill = T()) : shape(std::move(sizes)) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    values.assign(count, fill);
  }
  xfrt_buffer buffer();
};

template <typename T>
constexpr int32_t dtypeOf = -1;
template <>
inline constexpr int32_t dtypeOf<float> = XFRT_F32;
template <>
inline constexpr int32_t dtypeOf<double> = XFRT_F64;
template <>
inline constexpr int32_t dtypeOf<int32_t> = XFRT_I32;
template <>
inline constexpr int32_t dtypeOf<int64_t> = XFRT_I64;

template <typename T>
xfrt_buffer Array<T>::buffer() {
  return {values.data(), dtypeOf<T>, int32_t(shape.size()), shape.data(), nullptr, XFRT_CPU};
}

/// A handle that ends with its scope.
class Handle {
public:
  explicit Handle(xfrt_options options = {}, const xfrt_model *of = &model)
      : status(xfrt_create(of, &options, &context)) {}
  explicit Handle(int32_t threads) : Handle(withThreads(threads)) {}
  ~Handle() { xfrt_destroy(context); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;

  xfrt_status call(Entry entry, std::vector<xfrt_buffer> arguments, std::vector<xfrt_buffer> results) {
    return xfrt_call(context, entry, arguments.data(), int32_t(arguments.size()), results.data(),
                     int32_t(results.size()));
  }
  std::string message() const { return xfrt_message(context); }

  static xfrt_options withThreads(int32_t threads) {
    xfrt_options options{};
    options.threads = threads;
    return options;
  }

  xfrt_context *context = nullptr;
  xfrt_status status;
};

} // namespace testmodel

#endif // XF_TEST_RUNTIME_TESTMODEL_H
