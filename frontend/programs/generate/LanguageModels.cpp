//===- LanguageModels.cpp - Language models of checkpoints ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the options of language models from checkpoints. A member that config.json lacks has the default of GPT2Config
// or LlamaConfig in the package transformers.
//
//===----------------------------------------------------------------------===//

#include "LanguageModels.h"
#include "../WeightShapes.h"

#include <algorithm>
#include <cstring>

using namespace xf;
using namespace xf::programs;

/// Returns the tokens that end a text, from generation_config.json, or else from config.json.
static std::vector<int32_t> endsOf(const CheckpointFiles &files) {
  ModelConfig generation = ModelConfig::read(files.folder + "generation_config.json");
  std::vector<int64_t> own = files.config.integers("eos_token_id"), ends = generation.integers("eos_token_id");
  if (ends.empty())
    ends = own;
  std::erase_if(ends, [](int64_t id) { return id < 0 || id > INT32_MAX; }); // -1 stands for none
  return std::vector<int32_t>(ends.begin(), ends.end());
}

static void expectHeads(const CheckpointFiles &files, int64_t width, int64_t heads) {
  if (width == 0 || width % heads != 0)
    throw std::runtime_error(files.weights + ": expected a width that " + std::to_string(heads) +
                             " heads divide, found " + std::to_string(width) + "; --heads says how many there are");
}

static std::string numeral(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

static std::string describeHeads(int64_t heads, int64_t size) {
  return std::to_string(heads) + " heads of " + std::to_string(size) + " columns (--heads)";
}

/// Throws if the weights contain both matrices, and these differ. GPT-2 computes logits with `embeddings`, not with
/// `head`.
static void expectTied(const CheckpointFiles &files, const StateDict &weights, const char *head,
                       const std::string &embeddings) {
  auto a = weights.find(head), b = weights.find(embeddings);
  if (a == weights.end() || b == weights.end())
    return;
  auto x = a->second.bytes(), y = b->second.bytes();
  if (x.size() != y.size() || !std::equal(x.begin(), x.end(), y.begin()))
    throw std::runtime_error(files.weights + ": expected '" + std::string(head) + "' equal to '" + embeddings +
                             "', which GPT-2 multiplies with, found other numbers");
}

models::GPT2Options programs::gpt2Options(const CheckpointFiles &files, const StateDict &weights,
                                          const GivenSettings &given, LanguageSettings &settings) {
  const ModelConfig &config = files.config;
  WeightShapes shapes(files.weights, "GPT-2", weights);
  models::GPT2Options options;
  options.vocabulary = shapes.size("wte.weight", 2, 0);
  options.width = shapes.size("wte.weight", 2, 1);
  options.positions = shapes.size("wpe.weight", 2, 0);
  options.layers = shapes.count("h.", ".ln_1.weight");
  config.expectText("model_type", {"gpt2"});
  config.expectText("activation_function", {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"});
  config.expectFlag("scale_attn_weights", true);
  config.expectFlag("scale_attn_by_inverse_layer_idx", false);
  config.expectFlag("add_cross_attention", false);
  config.expectFlag("tie_word_embeddings", true);
  config.expectAbsent("quantization_config");
  config.expectSize("vocab_size", options.vocabulary);
  config.expectSize("n_embd", options.width);
  config.expectSize("n_positions", options.positions);
  config.expectSize("n_layer", options.layers);
  config.expectSize("n_inner", 4 * options.width);
  expectTied(files, weights, "lm_head.weight", "wte.weight");
  if (given.ropeBase)
    throw std::runtime_error("--rope-base: expected weights of Llama, got " + files.weights + " of GPT-2");
  int64_t otherwise = config.exists() ? 12 : std::max<int64_t>(options.width / 64, 1);
  const char *heads = config.integer("n_head") ? "n_head" : "num_attention_heads";
  options.heads = settle("--heads", given.heads, config, heads, otherwise);
  expectHeads(files, options.width, options.heads);
  options.eps = config.real("layer_norm_epsilon").value_or(options.eps);
  settings.mostTokens = options.positions;
  settings.limit = "the rows of wpe.weight";
  settings.ends = endsOf(files);
  printAssumptions("generate", files,
                   describeHeads(options.heads, options.width / options.heads) + ", epsilon " + numeral(options.eps));
  return options;
}

/// Returns the scaling of a rotary embedding that `config`, an object of the configuration, describes.
static RotaryScaling scalingOf(const ModelConfig &config) {
  std::string kindName = config.text("rope_type") ? "rope_type" : "type";
  std::string kind = config.text(kindName).value_or("default");
  auto number = [&](const char *name) {
    std::optional<double> value = config.real(name);
    if (!value || !(*value > 0))
      config.fail(name, "a number above 0");
    return *value;
  };
  RotaryScaling scaling;
  if (kind == "linear")
    scaling = RotaryScaling::linear(number("factor"));
  else if (kind == "llama3")
    scaling = RotaryScaling::llama3({.factor = number("factor"),
                                     .low = number("low_freq_factor"),
                                     .high = number("high_freq_factor"),
                                     .length = number("original_max_position_embeddings")});
  else if (kind != "default")
    config.fail(kindName, "default, linear or llama3, which is all that is computed here");
  std::set<std::string> harmless = {"rope_type", "type"};
  if (kind == "default")
    harmless.insert({"factor", "original_max_position_embeddings"});
  for (const std::string &name : config.unread(harmless))
    config.fail(name, "none, as it is not computed here");
  return scaling;
}

static Rotary rotaryOf(const ModelConfig &config, double given) {
  ModelConfig scaling = config.object("rope_scaling"), parameters = config.object("rope_parameters");
  auto expectWhole = [](const ModelConfig &object) {
    if (object.real("partial_rotary_factor").value_or(1) != 1)
      object.fail("partial_rotary_factor", "1, which is all that is computed here");
  };
  expectWhole(config), expectWhole(parameters);
  const ModelConfig &owner = parameters.real("rope_theta") ? parameters : config;
  std::optional<double> theta = owner.real("rope_theta");
  if (theta && !(*theta > 0))
    owner.fail("rope_theta", "a number above 0");
  if (given && theta && given != *theta)
    throw std::runtime_error("--rope-base: expected " + numeral(*theta) + " as 'rope_theta' of " + config.path() +
                             ", got " + numeral(given));
  double base = given ? given : theta.value_or(10000);
  return {.base = base, .scaling = scalingOf(scaling.exists() ? scaling : parameters)};
}

/// Throws for a configuration that differs from Llama: biases, another activation of the gate, other layers. If
/// attention has a window, limits the number of tokens to its size. Up to this number of tokens, attention sees all of
/// them.
static void expectLlama(const ModelConfig &config, const models::LlamaOptions &options, LanguageSettings &settings) {
  config.expectText("model_type", {"llama", "mistral"});
  config.expectText("hidden_act", {"silu", "swish"});
  config.expectFlag("attention_bias", false);
  config.expectFlag("mlp_bias", false);
  config.expectAbsent("quantization_config");
  config.expectSize("vocab_size", options.vocabulary);
  config.expectSize("hidden_size", options.width);
  config.expectSize("intermediate_size", options.hidden);
  config.expectSize("num_hidden_layers", options.layers);
  for (const std::string &layer : config.texts("layer_types"))
    if (layer != "full_attention" && layer != "sliding_attention")
      config.fail("layer_types", "full_attention or sliding_attention");
  std::optional<int64_t> window = config.integer("sliding_window");
  if (window && config.flag("use_sliding_window").value_or(true))
    settings.mostTokens = *window, settings.limit = "sliding_window"; // one that holds all tokens sees them all
}

models::LlamaOptions programs::llamaOptions(const CheckpointFiles &files, const StateDict &weights,
                                            const GivenSettings &given, LanguageSettings &settings) {
  const ModelConfig &config = files.config;
  WeightShapes shapes(files.weights, "Llama", weights);
  models::LlamaOptions options;
  options.vocabulary = shapes.size("model.embed_tokens.weight", 2, 0);
  options.width = shapes.size("model.embed_tokens.weight", 2, 1);
  options.layers = shapes.count("model.layers.", ".input_layernorm.weight");
  options.hidden = shapes.size("model.layers.0.mlp.gate_proj.weight", 2, 0);
  expectLlama(config, options, settings);
  int64_t otherwise = config.exists() ? 32 : std::max<int64_t>(options.width / 128, 1);
  options.heads = settle("--heads", given.heads, config, "num_attention_heads", otherwise);
  int64_t rows = shapes.size("model.layers.0.self_attn.q_proj.weight", 2, 0);
  int64_t keyRows = shapes.size("model.layers.0.self_attn.k_proj.weight", 2, 0);
  expectHeads(files, rows, options.heads);
  options.head_size = rows / options.heads;
  options.kv_heads = std::max<int64_t>(keyRows / options.head_size, 1);
  if (options.kv_heads * options.head_size != keyRows || options.heads % options.kv_heads != 0)
    throw std::runtime_error(files.weights + ": expected keys of heads that divide " + std::to_string(options.heads) +
                             " heads of " + std::to_string(options.head_size) + " columns, found " +
                             std::to_string(keyRows) + " columns; --heads says how many heads there are");
  config.expectSize("head_dim", options.head_size);
  config.expectSize("num_key_value_heads", options.kv_heads);
  options.rotary = rotaryOf(config, given.ropeBase);
  options.eps = config.real("rms_norm_eps").value_or(config.exists() ? 1e-6 : options.eps);
  bool hasHead = weights.count("lm_head.weight") > 0;
  options.tied = config.exists() ? config.flag("tie_word_embeddings").value_or(false) : !hasHead;
  settings.ends = endsOf(files);
  printAssumptions("generate", files,
                   describeHeads(options.heads, options.head_size) + ", rotary base " + numeral(options.rotary.base) +
                       " (--rope-base), epsilon " + numeral(options.eps));
  return options;
}
