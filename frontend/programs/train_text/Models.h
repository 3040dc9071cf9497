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

/// Sizes of a language model of bytes.
struct ModelSizes {
  int64_t width = 128, layers = 2, heads = 4, length = 256;
  int64_t hidden = 0; ///< width inside the feed-forward; 0: 4 width, or 8/3 width with a gate
};

/// A causal language model with a vocabulary of 256 tokens, the bytes.
struct LanguageModel {
  std::shared_ptr<nn::Module> module;
  /// Computes the logits of the next token, batch x length x 256, at each token of `ids`, batch x length.
  std::function<Tensor(const Tensor &ids)> logits;
  /// Suffixes of the names of matrices that the published files store transposed.
  std::vector<std::string> transposed = {};
  /// Contents of config.json in the published form, which `generate` reads; empty for models without one.
  std::string config = {};
};

/// Returns the names of all models.
std::vector<std::string> modelNames();

/// Makes the model with one of these names. Throws std::runtime_error for another name, and for sizes that do not fit
/// together.
LanguageModel makeModel(const std::string &name, const ModelSizes &sizes);

/// Returns `weights` in the form of the model's published files.
StateDict published(const LanguageModel &model, const StateDict &weights);

} // namespace xf::programs

#endif // XF_PROGRAMS_MODELS_H
