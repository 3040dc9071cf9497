//===- xf/nn/generate.h - Text, token by token -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   std::vector<int32_t> text = generate(run, "step", prompt, {.tokens = 200, .temperature = .8, .top_p = .95, .seed =
//   1});
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_GENERATE_H
#define XF_NN_GENERATE_H

#include "xf/executable.h"

namespace xf {

/// Options of generate.
struct GenerateOptions {
  /// Number of tokens that are added to a prompt at most.
  int64_t tokens = 100;
  /// Divides the logits before they are sampled; 0: takes the token of the largest logit, of several the first.
  double temperature = 0;
  /// Samples from the `top_k` tokens of the largest logits only (Fan 2018); 0: from all.
  int64_t top_k = 0;
  /// Samples from the fewest tokens whose probabilities are `top_p` together (Holtzman 2020), and at least from one.
  double top_p = 1;
  /// Draws are equal for equal seeds, and independent for the texts of a batch: text number n draws the same whatever
  /// texts are beside it.
  uint64_t seed = 0;
  /// Tokens that end a text; they are part of the result.
  std::vector<int32_t> stop = {};
  /// Called with each new token, and the number of its text in the batch, as soon as it is known.
  std::function<void(int32_t token, size_t text)> each = {};
  /// A cache or state that the entries use. Before the first call it is emptied (Executable::reset), and so is all else
  /// that the entries update, other caches and recurrent states: what they carry from call to call is the text. Empty
  /// text: nothing is emptied, and the prompt continues what they hold.
  std::string cache = "cache";
  /// An entry like `entry` for more tokens at once, for the prompt; empty: `entry` is used for the prompt too.
  std::string prefill = {};
};

/// Continues a prompt by a model with a cache (xf/nn/cache.h). The entry takes ids, i32 or i64 of shape [1, tokens],
/// and returns floating-point logits of shape [1, classes] or [1, rows, classes], whose last row is that of the last
/// token. It is called with as many tokens of the prompt at once as it takes, then with one at a time. Sampling
/// computes in f64 on the host. Returns the new tokens. Throws Error for another entry, a cache that it does not use, a
/// `prefill` that does not use what the entry updates or the other way round, a prompt without a token, options out of
/// range, and logits whose largest is not finite or that are NaN, and what calls throw.
std::vector<int32_t> generate(const Executable &run, const std::string &entry, const std::vector<int32_t> &prompt,
                              const GenerateOptions &options = {}, Here here = Here::current());
/// Continues several prompts, which may have different lengths, by an entry of as many texts: ids [batch, tokens],
/// logits [batch, classes] or [batch, rows, classes]. Where a prompt has ended its text goes on, beside the rest of the
/// others, so that no text is padded. In a cache with pages (KVCacheOptions::page) texts hold pages as they grow, and
/// give them back when they end. Returns the new tokens of each text. Throws what generate throws, and Error where too
/// few pages are left.
std::vector<std::vector<int32_t>> generate_batch(const Executable &run, const std::string &entry,
                                                 const std::vector<std::vector<int32_t>> &prompts,
                                                 const GenerateOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_NN_GENERATE_H
