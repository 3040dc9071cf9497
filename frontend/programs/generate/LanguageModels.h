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

/// Settings of a model that the user gives; 0: not given.
struct GivenSettings {
  int64_t heads = 0;
  double ropeBase = 0;
};

/// Settings in a checkpoint that are not options of its model.
struct LanguageSettings {
  int64_t mostTokens = INT64_MAX; ///< largest number of tokens of prompt and text together
  std::string limit;              ///< name of the setting that limits mostTokens
  std::vector<int32_t> ends;      ///< tokens that end a text
};

/// Return the options of the model with these weights. A setting has the value that the user gives, else that of
/// config.json. Without a config.json, it has the value of the published models, and the assumption is printed. Set
/// `settings`. Throw std::runtime_error if the configuration asks for anything that the model does not compute, or
/// contradicts the weights or the user.
models::GPT2Options gpt2Options(const CheckpointFiles &files, const StateDict &weights, const GivenSettings &given,
                                LanguageSettings &settings);
models::LlamaOptions llamaOptions(const CheckpointFiles &files, const StateDict &weights, const GivenSettings &given,
                                  LanguageSettings &settings);

} // namespace xf::programs

#endif // XF_PROGRAMS_LANGUAGEMODELS_H
