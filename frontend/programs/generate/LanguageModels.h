//===- LanguageModels.h - Language models of checkpoints ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_LANGUAGEMODELS_H
#define XF_PROGRAMS_LANGUAGEMODELS_H

#include "../ModelConfig.h"

#include <xf/models/gpt2.h>
#include <xf/models/llama.h>

namespace xf::programs {

/// What the user says of a model; 0: nothing.
struct GivenSettings {
  int64_t heads = 0;
  double ropeBase = 0;
};

/// What a checkpoint says beside the options of its model.
struct LanguageSettings {
  int64_t mostTokens = INT64_MAX; ///< of prompt and text
  std::string limit;              ///< what says so
  std::vector<int32_t> ends;      ///< tokens that end a text
};

/// Return the options of a model whose weights are given, by config.json where there is one and by the defaults of the
/// published models otherwise, and print what is assumed. Throw std::runtime_error where the configuration asks for
/// what the model does not compute, or contradicts the weights or the user.
models::GPT2Options gpt2Options(const CheckpointFiles &files, const StateDict &weights, const GivenSettings &given,
                                LanguageSettings &settings);
models::LlamaOptions llamaOptions(const CheckpointFiles &files, const StateDict &weights, const GivenSettings &given,
                                  LanguageSettings &settings);

} // namespace xf::programs

#endif // XF_PROGRAMS_LANGUAGEMODELS_H
