//===- Steps.h - Models token by token -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program whose states are those of a recurrent model: each call takes one token and updates them. The logits of all
// tokens have to be those of a call for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_MODELS_LANGUAGE_STEPS_H
#define XF_TEST_MODELS_LANGUAGE_STEPS_H

#include "models/Model.h"

namespace xf::test {

/// Says by `step` how a model computes a token at a position, [1], from the tensors of its state, which are those of
/// `start`. Runs 9 tokens of 2 sequences in f64 twice, from zero, and prints whether steps agree. Saves the program.
template <typename Model>
void compareSteps(Model &model, const std::vector<Tensor> &start,
                  const std::function<Tensor(const Tensor &, const Tensor &, std::vector<Tensor> &)> &step,
                  const std::string &path) {
  constexpr int64_t tokens = 9;
  Program program("steps", model);
  std::vector<State> states;
  for (const Tensor &tensor : start)
    states.push_back(program.state({"state" + std::to_string(states.size()), tensor.dtype(), tensor.shape()}));
  program.entry("all", {{"ids", i32, {2, tokens}}}, model);
  program.entry("step", {{"id", i32, {2, 1}}, {"position", i32, {1}}}, [&](const Tensor &id, const Tensor &position) {
    std::vector<Tensor> values(states.begin(), states.end());
    Tensor logits = step(id, position, values);
    for (size_t n = 0; n < states.size(); ++n)
      states[n].assign(values[n]);
    return logits;
  });
  program.save(path);
  Executable run = program.compile();
  std::vector<int32_t> ids;
  for (int32_t n = 0; n < 2 * tokens; ++n)
    ids.push_back((7 * n * n + 3) % 29);
  std::vector<double> all = doubles(run("all", Array(ids, {2, tokens})));
  size_t columns = all.size() / ids.size();
  double largest = 0, difference = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (const State &state : states)
      run.reset(state.name());
    for (int32_t n = 0; n < tokens; ++n) {
      Arrays inputs{{"id", Array(std::vector<int32_t>{ids[n], ids[tokens + n]}, {2, 1})},
                    {"position", Array(std::vector<int32_t>{n}, {1})}};
      std::vector<double> logits = doubles(run("step", inputs));
      for (size_t m = 0; m < logits.size(); ++m) {
        double expected = all[(m / columns * tokens + n) * columns + m % columns];
        largest = std::max(largest, std::abs(expected));
        difference = std::max(difference, std::abs(logits[m] - expected));
      }
    }
  }
  std::printf("steps: %s\n", largest > 0 && difference <= 1e-12 * largest ? "equal" : "different");
}

} // namespace xf::test

#endif // XF_TEST_MODELS_LANGUAGE_STEPS_H
