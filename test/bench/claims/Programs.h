//===- Programs.h - What the founding papers' claims are measured on -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_BENCH_CLAIMS_PROGRAMS_H
#define XF_TEST_BENCH_CLAIMS_PROGRAMS_H

#include <xf/xf.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// What a program is asked for besides its name. 0 tokens are those of the claim.
struct Sizes {
  int64_t tokens = 0;
  bool bf16 = false;
};

/// A program by name: `write` saves it to a file and returns the number of its parameters.
struct Claimed {
  std::string name;
  std::function<int64_t(const Sizes &sizes, const std::string &file)> write;
};

/// Long sequences: a Sparse Transformer's training step, one head of a million tokens, a linear transformer that
/// generates; and one weight that random features estimate.
void addSequences(std::vector<Claimed> &programs);
/// Models of images by their parameters and operations; sliced and recomputed layers by their memory.
void addModels(std::vector<Claimed> &programs);
/// Saves the training step of a model from `data` to `targets`, and returns the number of its parameters.
template <typename Model>
int64_t saveTraining(Model &model, const xf::TensorSpec &data, const xf::TensorSpec &targets, const std::string &file) {
  xf::Program program("claims", model);
  program.train_step(
      "train", model, {data, targets},
      [&](const xf::Tensor &x, const xf::Tensor &y) { return xf::cross_entropy(model(x), y); },
      xf::optim::AdamW{.weight_decay = 0.1});
  program.save(file);
  return model.parameter_count();
}

} // namespace bench

#endif // XF_TEST_BENCH_CLAIMS_PROGRAMS_H
