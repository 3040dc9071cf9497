//===- Generate.cpp - Text, token by token --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/generate.h"
#include "../Graph/Modules/Philox.h"
#include "../Graph/Node.h"
#include "xf/nn/pages.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace xf;
using namespace xf::detail;

using Texts = std::vector<std::vector<int32_t>>;

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

namespace {
/// A token and its value. The value is first the token's logit minus the largest logit, divided by the temperature.
/// Later it is the token's weight.
struct Candidate {
  int32_t token;
  double value;
};
} // namespace

/// Returns a random number in [0, 1) that depends only on the seed, the text's number and the token's number.
static double draw(uint64_t seed, size_t text, size_t number) {
  std::array<uint32_t, 4> bits = philox(seed, number, text);
  uint64_t both = (static_cast<uint64_t>(bits[0]) << 32) | bits[1];
  return static_cast<double>(both >> 11) * 0x1p-53;
}

/// Candidates are in descending order. Keeps the least number of them, from the first on, whose weights add up to at
/// least `p` times the sum of all weights. Keeps at least one. Returns the sum of the weights that are kept.
static double keepShare(std::vector<Candidate> &candidates, double p) {
  double all = 0, sum = 0;
  for (const Candidate &candidate : candidates)
    all += candidate.value;
  size_t count = 0;
  while (count < candidates.size() && (count == 0 || sum < p * all))
    sum += candidates[count++].value;
  candidates.resize(count);
  return sum;
}

/// Returns the token that the options choose from a row of logits, whose largest must be finite. `fraction`, in [0, 1),
/// is the random draw.
static int32_t choose(const std::vector<double> &logits, const GenerateOptions &options, double fraction) {
  auto largest = std::max_element(logits.begin(), logits.end());
  if (options.temperature == 0)
    return static_cast<int32_t>(largest - logits.begin());
  std::vector<Candidate> candidates(logits.size());
  for (size_t n = 0; n < logits.size(); ++n)
    candidates[n] = {static_cast<int32_t>(n), (logits[n] - *largest) / options.temperature};
  std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    return a.value != b.value ? a.value > b.value : a.token < b.token;
  });
  if (options.top_k > 0 && options.top_k < static_cast<int64_t>(candidates.size()))
    candidates.resize(static_cast<size_t>(options.top_k));
  for (Candidate &candidate : candidates)
    candidate.value = std::exp(candidate.value);
  double rest = fraction * keepShare(candidates, options.top_p);
  for (const Candidate &candidate : candidates)
    if ((rest -= candidate.value) < 0)
      return candidate.token;
  return candidates.back().token;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// An entry that maps ids to logits.
struct Step {
  std::string entry, input, result;
  Dtype ids = i32;
  Dim batch = Dim(1), tokens = Dim(1);

  int64_t most() const { return tokens.is_static() ? tokens.value() : tokens.range().max; }
  /// Returns how many of the `left` remaining tokens a call takes, or 0 if it needs more than these.
  int64_t takes(int64_t left) const {
    if (tokens.is_static())
      return tokens.value() <= left ? tokens.value() : 0;
    return left >= tokens.range().min ? std::min(left, most()) : 0;
  }
};
} // namespace

static Step makeStep(const Executable &run, const std::string &entry, Here here) {
  std::vector<TensorSpec> inputs = run.inputs(entry, here), results = run.results(entry, here);
  bool isOne = inputs.size() == 1 && results.size() == 1;
  expect(isOne, here, "expected an entry that maps ids to logits, got '", entry, "' with ", inputs.size(),
         " inputs and ", results.size(), " results");
  const TensorSpec &ids = inputs[0], &logits = results[0];
  expect(!is_float(ids.dtype) && ids.dtype != boolean && ids.shape.size() == 2, here,
         "expected ids of shape [batch, tokens] of entry '", entry, "', got ", ids.shape, " of ", ids.dtype);
  expect(is_float(logits.dtype) && (logits.shape.size() == 2 || logits.shape.size() == 3), here,
         "expected logits of shape [batch, classes] or [batch, rows, classes] of entry '", entry, "', got ",
         logits.shape, " of ", logits.dtype);
  return {entry, ids.name, logits.name, ids.dtype, ids.shape[0], ids.shape[1]};
}

/// Calls an entry with `count` tokens of each text, from token `begin` on. Returns the last row of logits of each text.
static std::vector<std::vector<double>> callStep(const Executable &run, const Step &step, const Texts &texts,
                                                 size_t begin, size_t count, Here here) {
  std::vector<int64_t> ids;
  for (const std::vector<int32_t> &text : texts)
    ids.insert(ids.end(), text.begin() + static_cast<std::ptrdiff_t>(begin),
               text.begin() + static_cast<std::ptrdiff_t>(begin + count));
  Array input(ids, {static_cast<int64_t>(texts.size()), static_cast<int64_t>(count)});
  Array logits = run.call(step.entry, {{step.input, input.to(step.ids, here)}}, here).at(step.result).to(f64, here);
  const std::vector<int64_t> &shape = logits.shape();
  auto classes = static_cast<size_t>(shape.back());
  size_t rows = shape.size() == 3 ? static_cast<size_t>(shape[1]) : 1;
  expect(classes > 0 && rows > 0, here, "expected logits of at least one row and class, got ",
         Shape(shape.begin(), shape.end()));
  std::span<double> elements = logits.data<double>();
  std::vector<std::vector<double>> last;
  for (size_t text = 0; text < texts.size(); ++text) {
    auto row = elements.subspan(((text + 1) * rows - 1) * classes, classes);
    last.emplace_back(row.begin(), row.end());
  }
  return last;
}

//===----------------------------------------------------------------------===//
// Generating
//===----------------------------------------------------------------------===//

static void expectOptions(const GenerateOptions &options, Here here) {
  expect(options.tokens >= 0, here, "expected tokens >= 0, got ", options.tokens);
  expect(options.temperature >= 0 && std::isfinite(options.temperature), here, "expected a temperature >= 0, got ",
         options.temperature);
  expect(options.top_k >= 0, here, "expected top_k >= 0, got ", options.top_k);
  expect(options.top_p > 0 && options.top_p <= 1, here, "expected top_p in (0, 1], got ", options.top_p);
  expect(options.temperature > 0 || (options.top_k == 0 && options.top_p == 1), here,
         "expected a temperature > 0 beside top_k and top_p, which choose what to sample from, got 0");
}

/// Throws Error if a logit is NaN, or if the largest is not finite, so that no token is the most likely.
static void expectChoice(const std::vector<double> &logits, size_t text, Here here) {
  expect(std::none_of(logits.begin(), logits.end(), [](double logit) { return std::isnan(logit); }), here,
         "expected logits that are numbers, got NaN for text ", text);
  double largest = *std::max_element(logits.begin(), logits.end());
  expect(std::isfinite(largest), here, "expected logits whose largest is finite, got ", largest, " for text ", text);
}

namespace {
/// The texts of a batch: prompts, each followed by the tokens that were added to it.
class Batch {
public:
  Batch(const Texts &prompts, const GenerateOptions &options)
      : texts(prompts), added(prompts.size()), isOver(prompts.size(), options.tokens == 0), options(options) {}

  size_t size() const { return texts.size(); }
  bool over(size_t text) const { return isOver[text]; }
  bool allOver() const { return std::find(isOver.begin(), isOver.end(), false) == isOver.end(); }
  /// Returns the length of the shortest text.
  size_t length() const {
    size_t shortest = SIZE_MAX;
    for (size_t n = 0; n < texts.size(); ++n)
      shortest = std::min(shortest, texts[n].size());
    return shortest;
  }
  /// Adds a token to each text that has `end` tokens. `logits` has the logits of the last token of each text. A text
  /// that has ended gets a copy of its last token, so that other texts can go on. The copy is not part of the result.
  void add(const std::vector<std::vector<double>> &logits, size_t end, Here here) {
    for (size_t n = 0; n < texts.size(); ++n) {
      if (texts[n].size() != end)
        continue; // in its prompt
      if (isOver[n]) {
        texts[n].push_back(texts[n].back());
        continue;
      }
      expectChoice(logits[n], n, here);
      int32_t token = choose(logits[n], options, draw(options.seed, n, added[n].size()));
      texts[n].push_back(token);
      added[n].push_back(token);
      if (options.each)
        options.each(token, n);
      bool stops = std::find(options.stop.begin(), options.stop.end(), token) != options.stop.end();
      isOver[n] = stops || static_cast<int64_t>(added[n].size()) == options.tokens;
    }
  }

  Texts texts, added;

private:
  std::vector<bool> isOver;
  const GenerateOptions &options;
};
} // namespace

static bool holds(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the names without those of states that belong to a cache in `names`. A cache is reset as a whole.
static std::vector<std::string> withoutParts(const Executable &run, const std::vector<std::string> &names) {
  auto isPart = [&](const std::string &name) {
    return std::any_of(names.begin(), names.end(), [&](const std::string &cache) {
      if (run.has_state(cache) || !name.starts_with(cache + "."))
        return false;
      std::string_view part = std::string_view(name).substr(cache.size() + 1);
      return part.ends_with(".k") || part.ends_with(".v") || part == "count" || part == "table" || part == "place" ||
             part == "lap";
    });
  };
  std::vector<std::string> wholes;
  std::remove_copy_if(names.begin(), names.end(), std::back_inserter(wholes), isPart);
  return wholes;
}

/// Resets all caches and states that the steps update, and returns their names. Does nothing if `cache` is empty.
/// Throws Error unless all steps use the same caches and states: a step without them would not know the text.
static std::vector<std::string> emptyCaches(const Executable &run, const std::vector<Step> &steps,
                                            const std::string &cache, Here here) {
  if (cache.empty())
    return {};
  std::vector<std::string> updated;
  for (const Step &step : steps)
    for (const std::string &name : withoutParts(run, run.updates_of(step.entry, here)))
      if (!holds(updated, name))
        updated.push_back(name);
  for (const Step &step : steps) {
    std::vector<std::string> used = run.states_of(step.entry, here), wholes = withoutParts(run, used);
    std::string list;
    for (const std::string &name : wholes)
      list += (list.empty() ? "'" : ", '") + name + "'";
    if (list.empty())
      list = "none";
    expect(holds(used, cache), here, "expected a cache that entry '", step.entry, "' uses (", list,
           "), or \"\" to empty none, got '", cache, "'");
    for (const std::string &name : updated)
      expect(holds(wholes, name), here, "expected entries that use the same caches and states, but '", step.entry,
             "' does not use '", name, "'");
  }
  for (const std::string &name : updated)
    run.reset(name, here);
  if (!holds(updated, cache))
    run.reset(cache, here);
  return updated;
}

/// Returns a page table for each of `caches` that has pages. The caches must be empty.
static std::vector<PageTable> pagesOf(const Executable &run, const std::vector<std::string> &caches, size_t texts,
                                      Here here) {
  std::vector<PageTable> tables;
  for (const std::string &cache : caches) {
    if (!run.has_state(cache + ".table"))
      continue;
    const PageTable &pages = tables.emplace_back(run, cache, here);
    expect(pages.texts() == texts, here, "expected ", pages.texts(), " prompts beside a cache with pages, got ", texts);
  }
  return tables;
}

/// Takes back the pages of texts that have ended. Then assigns pages for the next `count` tokens to the other texts.
static void turnPages(PageTable &pages, const Batch &batch, size_t count, Here here) {
  for (size_t text = 0; text < batch.size(); ++text)
    if (batch.over(text) && pages.length(text))
      pages.release(text, here);
  for (size_t text = 0; text < batch.size(); ++text)
    if (!batch.over(text))
      pages.extend(text, static_cast<int64_t>(count), here);
}

Texts xf::generate_batch(const Executable &run, const std::string &entry, const Texts &prompts,
                         const GenerateOptions &options, Here here) {
  expectOptions(options, here);
  Step step = makeStep(run, entry, here);
  std::vector<Step> steps = {step};
  if (!options.prefill.empty())
    steps.insert(steps.begin(), makeStep(run, options.prefill, here));
  expect(step.takes(1) == 1, here, "expected an entry that takes one token, got '", entry, "' of ", step.tokens);
  expect(!prompts.empty(), here, "expected at least one prompt, got none");
  for (const std::vector<int32_t> &prompt : prompts)
    expect(!prompt.empty(), here, "expected a token in each prompt, got none");
  std::vector<std::string> emptied = emptyCaches(run, steps, options.cache, here);
  std::vector<PageTable> tables = pagesOf(run, emptied, prompts.size(), here);
  Batch batch(prompts, options);
  for (size_t done = 0; !batch.allOver();) {
    auto left = static_cast<int64_t>(batch.length() - done);
    auto next = std::find_if(steps.begin(), steps.end(), [&](const Step &each) { return each.takes(left) > 0; });
    auto count = static_cast<size_t>(next->takes(left));
    for (PageTable &pages : tables)
      turnPages(pages, batch, count, here);
    std::vector<std::vector<double>> logits = callStep(run, *next, batch.texts, done, count, here);
    done += count;
    batch.add(logits, done, here);
  }
  return batch.added;
}

std::vector<int32_t> xf::generate(const Executable &run, const std::string &entry, const std::vector<int32_t> &prompt,
                                  const GenerateOptions &options, Here here) {
  return generate_batch(run, entry, Texts{prompt}, options, here)[0];
}
