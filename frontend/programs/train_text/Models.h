//===- Models.h - Language models by name ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_MODELS_H
#define XF_PROGRAMS_MODELS_H

#include <xf/xf.h>

namespace xf::programs {

/// Sizes that every language model of bytes has.
struct ModelSizes {
  int64_t width = 128, layers = 2, heads = 4, length = 256;
  int64_t hidden = 0; ///< of the feed-forward; 0: 4 width, or 8/3 width where it has a gate
};

/// A causal language model of 256 tokens.
struct LanguageModel {
  std::shared_ptr<nn::Module> module;
  /// Computes the logits of the next token at each token: batch x length to batch x length x 256.
  std::function<Tensor(const Tensor &ids)> logits;
  /// Ends of the names of matrices that the published files have transposed.
  std::vector<std::string> transposed = {};
  /// What the published files say in config.json, which `generate` reads; empty for models without.
  std::string config = {};
};

/// Returns the names of all models.
std::vector<std::string> modelNames();

/// Makes a model of one of these names. Throws Error for sizes that do not fit together.
LanguageModel makeModel(const std::string &name, const ModelSizes &sizes);

/// Returns weights as the published files of the model have them.
StateDict published(const LanguageModel &model, const StateDict &weights);

} // namespace xf::programs

#endif // XF_PROGRAMS_MODELS_H
