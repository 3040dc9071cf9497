//===- xf/nn/generate.h - Text, token by token -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates text token by token with a compiled model that has a cache:
//
//   std::vector<int32_t> text =
//       generate(run, "step", prompt, {.tokens = 200, .temperature = .8, .top_p = .95, .seed = 1});
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_GENERATE_H
#define XF_NN_GENERATE_H

#include "xf/executable.h"

namespace xf {

/// Options of generate.
struct GenerateOptions {
  /// The largest number of tokens that are added to a prompt.
  int64_t tokens = 100;
  /// Divides the logits before sampling. 0: takes the token with the largest logit. If several logits are the largest,
  /// takes the first.
  double temperature = 0;
  /// Samples only from the `top_k` tokens with the largest logits (Fan 2018); 0: from all. Needs a temperature above 0,
  /// as `top_p` does.
  int64_t top_k = 0;
  /// Samples from the smallest set of tokens whose probabilities add up to at least `top_p` (Holtzman 2020).
  double top_p = 1;
  /// Seed of the random draws. At temperature 0 nothing is drawn. Equal seeds give equal draws. Draws for the texts of
  /// a batch are independent, and the draws for text n do not depend on which other texts there are.
  uint64_t seed = 0;
  /// Tokens that end a text; they are part of the result.
  std::vector<int32_t> stop = {};
  /// Called with each new token, and the number of its text in the batch, as soon as it is known.
  std::function<void(int32_t token, size_t text)> each = {};
  /// The name of a cache or state that the entries use. Before the first call, generate resets this cache
  /// (Executable::reset), and also all other caches and states that the entries update, because they carry the text
  /// from call to call. Empty: resets nothing. The prompt then continues the text that the caches hold.
  std::string cache = "cache";
  /// Name of an entry like `entry` that takes more tokens at once, for the prompt. Empty: `entry` computes the prompt
  /// too.
  std::string prefill = {};
};

/// Continues a prompt with a model that has a cache (xf/nn/cache.h), and returns the new tokens. The entry takes ids,
/// i32 or i64 of shape [1, tokens]. It returns floating-point logits of shape [1, classes] or [1, rows, classes], whose
/// last row belongs to the last token. The prompt is passed in calls of as many tokens as the entry takes, and each
/// later token in a call of its own. Sampling computes in f64 on the host.
///
/// Throws Error for an entry of another form, for a cache that the entry does not use, and for a `prefill` that does
/// not use the same states and caches. Also throws Error for an empty prompt, for options out of range, and for logits
/// that are NaN or whose largest is not finite. Throws what calls throw.
std::vector<int32_t> generate(const Executable &run, const std::string &entry, const std::vector<int32_t> &prompt,
                              const GenerateOptions &options = {}, Here here = Here::current());
/// Continues several prompts, which may have different lengths, and returns the new tokens of each. The entry takes ids
/// [batch, tokens], and returns logits [batch, classes] or [batch, rows, classes]. A text starts to grow when its
/// prompt ends, while longer prompts are still read, so that no text is padded. In a cache with pages
/// (KVCacheOptions::page), texts take pages as they grow, and return them when they end. Throws what generate throws,
/// and Error where too few pages are left.
std::vector<std::vector<int32_t>> generate_batch(const Executable &run, const std::string &entry,
                                                 const std::vector<std::vector<int32_t>> &prompts,
                                                 const GenerateOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_NN_GENERATE_H
