//===- RankModel.h - Models of one collective, by hand ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RANKS_RANKMODEL_H
#define XF_TEST_RANKS_RANKMODEL_H

#include "LocalNetwork.h"
#include "xfrt/xfrt.h"

#include <numeric>

namespace rankmodel {

inline const char strings[] = "model\0\0hash\0entry\0x\0y\0data\0sequence\0sm_80\0copy";
inline const char *const modelName = strings, *const features = strings + 6, *const hash = strings + 7,
                         *const entryName = strings + 12, *const nameOfX = strings + 18, *const nameOfY = strings + 20,
                         *const dataAxis = strings + 22, *const sequenceAxis = strings + 27,
                         *const architecture = strings + 36, *const kernelName = strings + 42;

/// An image without kernels.
inline const char image[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A model of a mesh data x sequence whose entry has one collective, from x to y.
struct RankModel {
  RankModel(int32_t dataRanks, int32_t sequenceRanks, xfrt_collective row, std::vector<int64_t> numbers,
            int64_t sizeOfX, int64_t sizeOfY, std::vector<int64_t> planNumbers = {})
      : axes{{dataAxis, dataRanks}, {sequenceAxis, sequenceRanks}}, collective(row), frame(std::move(numbers)),
        plan(std::move(planNumbers)), dims{{sizeOfX, -1}, {sizeOfY, -1}},
        tensors{{nameOfX, row.dtype, 1, &dims[0], XFRT_INPUT, -1, 0, 0, 0, 0, 0},
                {nameOfY, row.dtype, 1, &dims[1], XFRT_INPUT, -1, 0, 0, 0, 0, 0}} {
    entry.name = entryName;
    entry.argument_count = entry.result_count = 1;
    entry.arguments = &tensors[0];
    entry.results = &tensors[1];
    entry.frame_size = int32_t(frame.size());
    entry.frame = frame.data();
    entry.arena_bytes = int32_t(frame.size()) - 1;
    entry.step_count = 2;
    entry.steps = steps;
    entry.operands = operands;
    tables.entries = &entry;
    tables.entries_end = &entry + 1;
    tables.tensors = tensors;
    tables.tensors_end = tensors + 2;
    tables.dims = dims;
    tables.dims_end = dims + 2;
    tables.frames = frame.data();
    tables.frames_end = frame.data() + frame.size();
    tables.steps = steps;
    tables.steps_end = steps + 2;
    tables.operands = operands;
    tables.operands_end = operands + 2;
    tables.strings = strings;
    tables.strings_end = strings + sizeof strings;
    tables.axes = axes;
    tables.axes_end = axes + 2;
    tables.collectives = &collective;
    tables.collectives_end = &collective + 1;
    tables.plans = plan.data();
    tables.plans_end = plan.data() + plan.size();
    model.abi_version = XFRT_ABI_VERSION;
    model.name = modelName;
    model.features = features;
    model.content_hash = hash;
    model.entry_count = 1;
    model.entries = &entry;
    model.tables = &tables;
  }
  RankModel(const RankModel &) = delete;
  /// Makes it one for GPUs.
  void moveToGpu() {
    tables.images = &code;
    tables.images_end = &code + 1;
    tables.code = image;
    tables.code_end = image + sizeof image;
    model.device = XFRT_CUDA;
    model.features = architecture;
    model.image_count = 1;
    model.images = &code;
  }
  /// Gives the collective segments of all queries and keys, which are one list of numbers, in so many lists as a slot
  /// of the frame says.
  void setSegments(const std::vector<int32_t> &segments, int32_t lists) {
    model.constants = tables.constants = reinterpret_cast<const char *>(segments.data());
    tables.constants_end = tables.constants + segments.size() * sizeof(int32_t);
    model.constant_bytes = int64_t(segments.size() * sizeof(int32_t));
    tables.operands_end = operands + 4;
    collective.query_segments = 2;
    collective.key_segments = 3;
    collective.segment_lists = lists;
    collective.segment_dtype = XFRT_I32;
  }
  int32_t ranks() const { return axes[0].ranks * axes[1].ranks; }

  xfrt_axis axes[2];
  xfrt_collective collective;
  std::vector<int64_t> frame, plan;
  xfrt_dim dims[2];
  xfrt_tensor tensors[2];
  xfrt_operand operands[4] = {
      {XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}, {XFRT_CONSTANT, 0, -1}, {XFRT_CONSTANT, 0, -1}};
  xfrt_step steps[2] = {{XFRT_COLLECTIVE, 0, XFRT_ALWAYS, 0}, {XFRT_WAIT, 0, XFRT_ALWAYS, 0}};
  xfrt_image code = {architecture, XFRT_PTX, image, sizeof image};
  xfrt_entry entry = {};
  xfrt_tables tables = {};
  xfrt_model model = {};
};

/// What a call on one rank returns.
struct Answer {
  xfrt_status status = XFRT_OK;
  std::string text;
  std::vector<float> y;
};

/// Calls the entry of a model on one rank, with the rank's own elements of x.
inline Answer callOn(const RankModel &of, const xfrt_communicator &communicator, int calls = 1, bool spoils = false) {
  Answer answer;
  xfrt_options options{};
  options.device = of.model.device;
  options.device_number = communicator.gpu > 0 ? communicator.gpu - 1 : 0;
  options.threads = 1;
  options.communicator = &communicator;
  options.timeout_ms = 1000;
  xfrt_context *context = nullptr;
  if ((answer.status = xfrt_create(&of.model, &options, &context)) != XFRT_OK) {
    answer.text = xfrt_message(nullptr);
    return answer;
  }
  std::vector<float> x(size_t(of.dims[0].size));
  std::iota(x.begin(), x.end(), float(100 * communicator.rank));
  answer.y.assign(size_t(of.dims[1].size), -1);
  xfrt_buffer in = {x.data(), spoils ? XFRT_F64 : XFRT_F32, 1, &of.dims[0].size, nullptr, XFRT_CPU};
  xfrt_buffer out = {answer.y.data(), XFRT_F32, 1, &of.dims[1].size, nullptr, XFRT_CPU};
  for (int n = 0; n < calls && answer.status == XFRT_OK; ++n)
    answer.status = xfrt_call(context, 0, &in, 1, &out, 1);
  if (answer.status != XFRT_OK)
    answer.text = xfrt_message(context);
  xfrt_destroy(context);
  return answer;
}

inline std::vector<Answer> callAll(const RankModel &of, const std::function<Answer(const xfrt_communicator &)> &call,
                                   xfrt::NetworkOptions options = {}) {
  options.ranks = of.ranks();
  xfrt::LocalNetwork network(options);
  std::vector<Answer> answers(size_t(options.ranks));
  network.run([&](const xfrt_communicator &communicator) { answers[size_t(communicator.rank)] = call(communicator); });
  return answers;
}
inline std::vector<Answer> callAll(const RankModel &of, xfrt::NetworkOptions options = {}) {
  return callAll(of, [&](const xfrt_communicator &communicator) { return callOn(of, communicator, 3); }, options);
}

} // namespace rankmodel

#endif // XF_TEST_RANKS_RANKMODEL_H
