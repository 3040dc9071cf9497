//===- embed.cpp - Embeddings of sentences --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: embed IDS --weights=FILE --output=FILE.npy [options]; see --help.
//
//===----------------------------------------------------------------------===//

#include "../Meter.h"
#include "../ModelConfig.h"
#include "../Program.h"
#include "../WeightShapes.h"
#include "Sentences.h"
#include "runtime/tools/Npy.h"

#include <xf/models/bert.h>
#include <xf/xf.h>

#include <algorithm>
#include <cstring>

using namespace xf;
using namespace xf::programs;

namespace {
struct Options {
  std::string ids, weights, output, device = "cpu";
  int64_t batch = 32, heads = 0, threads = 0;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  line.positional("IDS", o.ids);
  line.text("weights", o.weights, "FILE", "safetensors, index.json or folder of BERT, MiniLM and the like (required)");
  line.text("output", o.output, "FILE", "npy file for the embeddings, a row for each sentence (required)");
  line.integer("batch", o.batch, 1, 1024, "sentences of a call (default 32)");
  line.integer("heads", o.heads, 1, 1024,
               "of an attention (default: as config.json says, else 12 of width 384, else the width / 64)");
  line.integer("threads", o.threads, 0, 1024, "default: one for each CPU");
  line.text("device", o.device, "D", "cpu (default), cuda, cuda:N, or auto: a GPU where there is one");
}

/// Throws for a configuration that asks for anything that this program does not compute, including another way to
/// combine the tokens of a sentence.
static void expectBert(const CheckpointFiles &files, const models::BertOptions &options) {
  const ModelConfig &config = files.config;
  config.expectText("model_type", {"bert"});
  config.expectText("hidden_act", {"gelu"});
  config.expectText("position_embedding_type", {"absolute"});
  config.expectFlag("is_decoder", false);
  config.expectFlag("add_cross_attention", false);
  config.expectAbsent("quantization_config");
  config.expectSize("vocab_size", options.vocabulary);
  config.expectSize("hidden_size", options.width);
  config.expectSize("max_position_embeddings", options.positions);
  config.expectSize("type_vocab_size", options.types);
  config.expectSize("num_hidden_layers", options.layers);
  config.expectSize("intermediate_size", options.hidden);
  ModelConfig pooling = ModelConfig::read(files.folder + "1_Pooling/config.json");
  for (const std::string &name : pooling.names())
    if (name.starts_with("pooling_mode_"))
      pooling.expectFlag(name, name == "pooling_mode_mean_tokens");
}

static models::BertOptions modelOptions(const Options &o, const CheckpointFiles &files, const StateDict &weights) {
  WeightShapes shapes(files.weights, "BERT", weights);
  models::BertOptions options;
  options.vocabulary = shapes.size("embeddings.word_embeddings.weight", 2, 0);
  options.width = shapes.size("embeddings.word_embeddings.weight", 2, 1);
  options.positions = shapes.size("embeddings.position_embeddings.weight", 2, 0);
  options.types = shapes.size("embeddings.token_type_embeddings.weight", 2, 0);
  options.layers = shapes.count("encoder.layer.", ".output.dense.weight");
  options.hidden = shapes.size("encoder.layer.0.intermediate.dense.weight", 2, 0);
  options.pooler = false;
  expectBert(files, options);
  bool isThin = options.width == 384 || files.config.exists();
  int64_t otherwise = isThin ? 12 : std::max<int64_t>(options.width / 64, 1);
  options.heads = settle("--heads", o.heads, files.config, "num_attention_heads", otherwise);
  if (options.width % options.heads != 0)
    throw std::runtime_error(files.weights + ": expected a width that " + std::to_string(options.heads) +
                             " heads divide, found " + std::to_string(options.width) +
                             "; --heads says how many there are");
  options.eps = files.config.real("layer_norm_eps").value_or(options.eps);
  printAssumptions("embed", files,
                   std::to_string(options.heads) + " heads of " + std::to_string(options.width / options.heads) +
                       " columns (--heads), epsilon 1e-12, the mean of tokens");
  return options;
}

static StateDict loadWeights(const std::string &path) {
  ReadOptions options = models::Bert::checkpoint();
  options.drop.insert(options.drop.end(), {"*.position_ids", "*pooler.*"});
  options.cast = f32;
  StateDict weights = load_safetensors(path, options);
  bool isPrefixed = !weights.empty() && weights.begin()->first.starts_with("bert.");
  return isPrefixed ? rename(weights, {{"bert.", ""}}) : weights;
}

/// Computes the embeddings of sentences [begin, end). Pads them to the length of the longest of these sentences.
static Array embedBatch(const Executable &run, const std::vector<Sentence> &sentences, size_t begin, size_t end) {
  size_t longest = 0;
  for (size_t n = begin; n < end; ++n)
    longest = std::max(longest, sentences[n].size());
  auto count = static_cast<int64_t>(end - begin), tokens = static_cast<int64_t>(longest);
  Array ids(i32, {count, tokens}), lengths(i32, {count});
  for (size_t n = begin; n < end; ++n) {
    std::copy(sentences[n].begin(), sentences[n].end(),
              ids.data<int32_t>().begin() + static_cast<std::ptrdiff_t>((n - begin) * longest));
    lengths.data<int32_t>()[n - begin] = static_cast<int32_t>(sentences[n].size());
  }
  return run("embed", {ids, lengths});
}

static void save(const std::string &path, const std::vector<Array> &parts, int64_t count, int64_t width) {
  xfrt::tools::Tensor all;
  std::string error;
  if (!all.allocate(XFRT_F32, {count, width}, error))
    throw std::runtime_error(path + ": " + error);
  char *target = all.data();
  for (const Array &part : parts) {
    std::memcpy(target, part.bytes().data(), part.bytes().size());
    target += part.bytes().size();
  }
  if (!xfrt::tools::writeNpy(path, all, error))
    throw std::runtime_error(error);
}

static void embed(const Options &o) {
  for (auto [name, value] : {std::pair("weights", &o.weights), std::pair("output", &o.output)})
    if (value->empty())
      throw UsageError(std::string("expected --") + name + "=FILE; --help lists the options");
  CheckpointFiles files = findCheckpoint(o.weights);
  StateDict weights = loadWeights(files.weights);
  models::BertOptions options = modelOptions(o, files, weights);
  std::vector<Sentence> sentences = readSentences(o.ids, options.vocabulary, options.positions);
  models::Bert model(options);
  Program program("embed", model);
  Dim batch = dim("batch", {.min = 1, .max = o.batch}), tokens = dim("tokens", {.min = 1, .max = options.positions});
  program.entry("embed", {{"ids", i32, {batch, tokens}}, {"lengths", i32, {batch}}},
                [&](Tensor ids, Tensor lengths) { return model.embed(ids, lengths); });
  Executable run = program.compile(
      {.threads = static_cast<int>(o.threads), .device = parseDevice(o.device), .hold_parameters = true});
  run.load_state_dict(weights);
  std::vector<Array> parts;
  auto count = static_cast<int64_t>(sentences.size());
  {
    Meter meter("sentences", count);
    for (int64_t begin = 0; begin < count; begin += o.batch) {
      int64_t end = std::min(begin + o.batch, count);
      parts.push_back(embedBatch(run, sentences, static_cast<size_t>(begin), static_cast<size_t>(end)));
      meter.update(end);
    }
  }
  save(o.output, parts, count, options.width);
}

int main(int argc, char **argv) {
  Options options;
  xfrt::tools::CommandLine line("embed",
                                "Computes embeddings of sentences, rows of length 1, with BERT's encoder. IDS is an\n"
                                "npy file of a matrix, whose rows end with a negative number, or a text file with a\n"
                                "line of ids for each sentence.");
  declare(line, options);
  return runProgram("embed", line, argc, argv, [&] { embed(options); });
}
