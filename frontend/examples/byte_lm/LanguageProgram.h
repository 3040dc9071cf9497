//===- LanguageProgram.h - What is compiled, and what determines a run -*- C++ -* -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_LANGUAGEPROGRAM_H
#define BYTE_LM_LANGUAGEPROGRAM_H

#include "Options.h"
#include "training/Corpus.h"

#include <xf/program.h>

namespace byte_lm {

/// Makes a program with the entries of xf::programs::Trainer: "train" (one training step), "evaluate" (loss of one
/// batch) and "logits" (logits of one window).
xf::Program makeProgram(const SparseTransformer &model, const Options &options);

/// Returns all settings that determine the result of a run, as pairs of key and text. A run resumes only from a
/// checkpoint with equal settings.
xf::Metadata describeRun(const Options &options, const xf::programs::Corpus &corpus);

} // namespace byte_lm

#endif // BYTE_LM_LANGUAGEPROGRAM_H
