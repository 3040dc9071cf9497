//===- generate.cpp - Text that goes on -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: generate PROMPT --weights=FILE [options]; see --help.
//
//===----------------------------------------------------------------------===//

#include "../Meter.h"
#include "../Program.h"
#include "LanguageModels.h"

#include <xf/xf.h>

#include <charconv>
#include <cstdio>

using namespace xf;
using namespace xf::programs;

namespace {
struct Options {
  std::string prompt, weights, device = "cpu", dtype = "f32";
  std::vector<std::string> stop;
  int64_t tokens = 100, topK = 0, capacity = 0, seed = 0, threads = 0;
  double temperature = .8, topP = 1;
  GivenSettings given;
  bool isText = false;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  line.positional("PROMPT", o.prompt);
  line.text("weights", o.weights, "FILE", "safetensors, index.json or folder of GPT-2 or Llama (required)");
  line.flag("bytes", o.isText, "the prompt is text, whose bytes are the ids; so is what follows");
  line.integer("tokens", o.tokens, 1, 1 << 30, "that follow at most (default 100)");
  line.real("temperature", o.temperature, "0: the likeliest token (default .8)");
  line.integer("top-k", o.topK, 0, 1 << 30, "sample from the K likeliest tokens (default 0: from all)");
  line.real("top-p", o.topP, "sample from the likeliest tokens that have P together (default 1)");
  line.integer("seed", o.seed, 0, INT64_MAX, "of what is drawn (default 0)");
  line.list("stop", o.stop, "ID", "a token that ends the text, beside those of config.json; repeated");
  line.integer("capacity", o.capacity, 1, 1 << 30, "tokens of prompt and text (default: as many as these need)");
  line.integer("heads", o.given.heads, 1, 1 << 20,
               "of an attention (default: as config.json says, else one for each 64 columns; Llama's: 128)");
  line.real("rope-base", o.given.ropeBase, "of Llama's rotary embedding (default: as config.json says, else 10000)");
  line.choice("dtype", o.dtype, {"f32", "bf16"}, "of weights, cache and what is computed (default f32)");
  line.integer("threads", o.threads, 0, 1024, "default: one for each CPU");
  line.text("device", o.device, "D", "cpu (default), cuda, cuda:N, or auto: a GPU where there is one");
}

/// Parses ids that are separated by spaces or commas. Throws UsageError for anything else.
static std::vector<int32_t> parseIds(const std::string &text, const char *what) {
  std::vector<int32_t> ids;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == ','))
      ++at;
    if (at == end)
      return ids;
    auto [next, failure] = std::from_chars(at, end, ids.emplace_back());
    if (failure != std::errc() || ids.back() < 0)
      throw UsageError(std::string(what) + ": expected ids, numbers that are not negative, got '" + text + "'");
    at = next;
  }
}

static std::vector<int32_t> readPrompt(const Options &o) {
  std::vector<int32_t> ids;
  if (o.isText)
    for (unsigned char byte : o.prompt)
      ids.push_back(byte);
  else
    ids = parseIds(o.prompt, "PROMPT");
  if (ids.empty())
    throw UsageError("PROMPT: expected at least one token, got none");
  return ids;
}

namespace {
/// Prints each token at once, and the number of tokens per second.
class Printer {
public:
  Printer(const Options &o) : isText(o.isText), meter("tokens", o.tokens) {}
  void print(int32_t token) {
    if (isText)
      std::putchar(token < 256 ? token : '?');
    else
      std::printf(count ? " %d" : "%d", token);
    std::fflush(stdout);
    meter.update(++count);
  }

private:
  bool isText;
  int64_t count = 0;
  Meter meter;
};
} // namespace

/// Generates with a model whose next(ids, cache) computes the logits of the token after the last one.
template <typename Model>
static void generateWith(Model &model, const StateDict &weights, const Options &o, int64_t vocabulary,
                         const LanguageSettings &settings) {
  std::vector<int32_t> prompt = readPrompt(o);
  for (int32_t id : prompt)
    if (id >= vocabulary)
      throw std::runtime_error("PROMPT: expected ids below " + std::to_string(vocabulary) + ", got " +
                               std::to_string(id));
  int64_t needed = static_cast<int64_t>(prompt.size()) + o.tokens, capacity = o.capacity ? o.capacity : needed;
  if (needed > capacity || needed > settings.mostTokens)
    throw std::runtime_error("expected at most " + std::to_string(std::min(capacity, settings.mostTokens)) +
                             " tokens of prompt and text, got " + std::to_string(needed) +
                             (needed > settings.mostTokens ? "; the limit is " + settings.limit : ""));
  Dtype dtype = o.dtype == "bf16" ? bf16 : f32;
  model.to(dtype);
  Program program("generate", model);
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = capacity, .dtype = dtype}));
  Dim tokens = dim("tokens", {.min = 1, .max = capacity});
  auto next = [&](Tensor ids) { return model.next(ids, cache); };
  program.entry("prompt", {{"ids", i32, {1, tokens}}}, next);
  program.entry("token", {{"ids", i32, {1, 1}}}, next); // reads keys as they lie, and no more than there are
  Executable run = program.compile(
      {.threads = static_cast<int>(o.threads), .device = parseDevice(o.device), .hold_parameters = true});
  run.load_state_dict(weights, {.cast = true});
  std::vector<int32_t> stop = settings.ends;
  for (const std::string &text : o.stop)
    for (int32_t id : parseIds(text, "--stop"))
      stop.push_back(id);
  Printer printer(o);
  generate(run, "token", prompt,
           {.tokens = o.tokens,
            .temperature = o.temperature,
            .top_k = o.topK,
            .top_p = o.topP,
            .seed = static_cast<uint64_t>(o.seed),
            .stop = stop,
            .each = [&](int32_t token, size_t) { printer.print(token); },
            .prefill = "prompt"});
  std::putchar('\n');
}

static void generateGpt2(const CheckpointFiles &files, const Options &o) {
  ReadOptions published = models::GPT2::checkpoint();
  std::erase(published.drop, "lm_head.weight"); // read, to compare it
  for (std::string &pattern : published.transpose)
    pattern.insert(0, "*");
  for (std::string &pattern : published.drop)
    pattern.insert(0, "*");
  StateDict weights = load_safetensors(files.weights, published);
  if (weights.count("transformer.wte.weight"))
    weights = rename(weights, {{"transformer.", ""}});
  LanguageSettings settings;
  models::GPT2Options options = gpt2Options(files, weights, o.given, settings);
  weights.erase("lm_head.weight");
  models::GPT2 model(options);
  generateWith(model, weights, o, options.vocabulary, settings);
}

static void generateLlama(const CheckpointFiles &files, StateDict weights, const Options &o) {
  LanguageSettings settings;
  models::LlamaOptions options = llamaOptions(files, weights, o.given, settings);
  if (options.tied)
    weights.erase("lm_head.weight");
  models::Llama model(options);
  generateWith(model, weights, o, options.vocabulary, settings);
}

static void run(const Options &o) {
  if (o.weights.empty())
    throw UsageError("expected --weights=FILE; --help lists the options");
  if (!(o.topP > 0 && o.topP <= 1))
    throw UsageError("--top-p: expected a number in (0, 1], got " + std::to_string(o.topP));
  if (o.temperature == 0 && (o.topK != 0 || o.topP != 1))
    throw UsageError("--temperature: expected a number above 0 beside --top-k and --top-p, got 0");
  // Which model a file holds shows in its names, without reading what it need not.
  CheckpointFiles files = findCheckpoint(o.weights);
  StateDict weights =
      load_safetensors(files.weights, {.drop = {"*.rotary_emb.inv_freq", "*attn.bias", "*attn.masked_bias"}});
  if (weights.count("wte.weight") || weights.count("transformer.wte.weight"))
    return generateGpt2(files, o);
  if (weights.count("model.embed_tokens.weight"))
    return generateLlama(files, weights, o);
  throw std::runtime_error(files.weights +
                           ": expected 'wte.weight' of GPT-2 or 'model.embed_tokens.weight' of Llama, found "
                           "neither");
}

int main(int argc, char **argv) {
  Options options;
  xfrt::tools::CommandLine line(
      "generate", "Continues a prompt with GPT-2 or Llama. PROMPT is ids between spaces or commas, or, with\n"
                  "--bytes, text. Prints the ids, or the text, that follow, and tokens a second.");
  declare(line, options);
  return runProgram("generate", line, argc, argv, [&] { run(options); });
}
