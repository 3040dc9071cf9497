//===- ModelConfig.cpp - What a checkpoint says of its model --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelConfig.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using namespace xf::programs;
using nlohmann::json;

static constexpr uintmax_t maxBytes = 16'000'000; // names of 20,000 classes are one million
static constexpr int mostDepth = 64;              // copies and texts of values take the stack

ModelConfig ModelConfig::read(const std::string &path) {
  ModelConfig config;
  config.file = path;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return config;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > maxBytes)
    throw std::runtime_error(path + ": expected a regular file of at most " + std::to_string(maxBytes) + " bytes");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw std::runtime_error(path + ": " + std::strerror(errno));
  auto checkDepth = [&](int depth, json::parse_event_t, json &) {
    if (depth > mostDepth)
      throw std::runtime_error(path + ": expected JSON nested at most " + std::to_string(mostDepth) + " deep");
    return true;
  };
  json contents = json::parse(stream, checkDepth, /*allow_exceptions=*/false);
  if (!contents.is_object())
    throw std::runtime_error(path + ": expected a JSON object, found " +
                             (contents.is_discarded() ? "something else" : contents.type_name()));
  config.contents = std::make_shared<const json>(std::move(contents));
  return config;
}

const json *ModelConfig::find(const std::string &name) const {
  if (!contents)
    return nullptr;
  asked->insert(name);
  auto found = contents->find(name);
  return found == contents->end() || found->is_null() ? nullptr : &*found;
}

void ModelConfig::fail(const std::string &name, const std::string &expected) const {
  const json *value = find(name);
  std::string found = value ? value->dump(-1, ' ', false, json::error_handler_t::replace) : "none";
  if (found.size() > 80)
    found = found.substr(0, 78) + "..";
  throw std::runtime_error(file + ": '" + prefix + name + "': expected " + expected + ", found " + found);
}

std::optional<int64_t> ModelConfig::integer(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t(INT64_MAX)))
    fail(name, "an integer");
  return value->get<int64_t>();
}

std::optional<double> ModelConfig::real(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_number())
    fail(name, "a number");
  return value->get<double>();
}

std::optional<bool> ModelConfig::flag(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_boolean())
    fail(name, "true or false");
  return value->get<bool>();
}

std::optional<std::string> ModelConfig::text(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_string())
    fail(name, "a text");
  return value->get<std::string>();
}

std::vector<int64_t> ModelConfig::integers(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return {};
  json list = value->is_array() ? *value : json::array({*value});
  if (!std::all_of(list.begin(), list.end(), [](const json &each) { return each.is_number_integer(); }))
    fail(name, "integers");
  return list.get<std::vector<int64_t>>();
}

std::vector<double> ModelConfig::reals(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return {};
  json list = value->is_array() ? *value : json::array({*value});
  if (!std::all_of(list.begin(), list.end(), [](const json &each) { return each.is_number(); }))
    fail(name, "numbers");
  return list.get<std::vector<double>>();
}

std::vector<std::string> ModelConfig::texts(const std::string &name) const {
  const json *value = find(name);
  if (!value)
    return {};
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), [](const json &e) { return e.is_string(); }))
    fail(name, "a list of texts");
  return value->get<std::vector<std::string>>();
}

ModelConfig ModelConfig::object(const std::string &name) const {
  ModelConfig member;
  member.file = file;
  const json *value = find(name);
  if (!value)
    return member;
  if (!value->is_object())
    fail(name, "an object");
  member.prefix = prefix + name + ".";
  member.contents = std::shared_ptr<const json>(contents, value);
  return member;
}

std::vector<std::string> ModelConfig::names() const {
  std::vector<std::string> list;
  if (contents)
    for (const auto &[name, value] : contents->items())
      list.push_back(name);
  return list;
}

void ModelConfig::expectText(const std::string &name, const std::vector<std::string> &values) const {
  std::optional<std::string> found = text(name);
  if (!found || std::find(values.begin(), values.end(), *found) != values.end())
    return;
  std::string list;
  for (const std::string &value : values)
    list += (list.empty() ? "" : " or ") + value;
  fail(name, list + ", which is all that is computed here");
}

void ModelConfig::expectFlag(const std::string &name, bool value) const {
  if (flag(name).value_or(value) != value)
    fail(name, std::string(value ? "true" : "false") + ", which is all that is computed here");
}

void ModelConfig::expectInteger(const std::string &name, int64_t value) const {
  if (integer(name).value_or(value) != value)
    fail(name, std::to_string(value) + ", which is all that is computed here");
}

void ModelConfig::expectSize(const std::string &name, int64_t weights) const {
  if (integer(name).value_or(weights) != weights)
    fail(name, std::to_string(weights) + " as the weights have");
}

void ModelConfig::expectAbsent(const std::string &name) const {
  if (find(name))
    fail(name, "none, as it is not computed here");
}

std::vector<std::string> ModelConfig::unread(const std::set<std::string> &harmless) const {
  std::vector<std::string> list = names();
  std::erase_if(list, [&](const std::string &name) {
    return asked->contains(name) || harmless.contains(name) || name.starts_with("_") || (*contents)[name].is_null();
  });
  return list;
}

CheckpointFiles xf::programs::findCheckpoint(const std::string &path) {
  CheckpointFiles files{path, path.substr(0, path.rfind('/') + 1), {}};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    files.folder = path.ends_with('/') ? path : path + "/";
    files.weights.clear();
    for (const char *name : {"model.safetensors", "model.safetensors.index.json", "weights.safetensors"})
      if (files.weights.empty() && std::filesystem::exists(files.folder + name, error))
        files.weights = files.folder + name;
    if (files.weights.empty())
      throw std::runtime_error(path + ": expected model.safetensors, model.safetensors.index.json or "
                                      "weights.safetensors in the folder, found none");
  }
  files.config = ModelConfig::read(files.folder + "config.json");
  return files;
}

int64_t xf::programs::settle(const char *option, int64_t given, const ModelConfig &config, const std::string &name,
                             int64_t otherwise) {
  std::optional<int64_t> found = config.integer(name);
  if (found && (*found < 1 || *found > (int64_t(1) << 31)))
    config.fail(name, "a number above 0");
  if (found && given && given != *found)
    throw std::runtime_error(std::string(option) + ": expected " + std::to_string(*found) + " as '" + name + "' of " +
                             config.path() + ", got " + std::to_string(given));
  return given ? given : found.value_or(otherwise);
}

/// Returns the names of members that do not change the results: those about training, about other tasks, or about how a
/// library computes the same numbers. Includes members that only one of the programs reads, such as pretrained_cfg.
static const std::set<std::string> &harmless() {
  static const std::set<std::string> names = {"architectures",
                                              "attention_dropout",
                                              "attention_probs_dropout_prob",
                                              "attn_pdrop",
                                              "bos_token_id",
                                              "chunk_size_feed_forward",
                                              "classifier_dropout",
                                              "dtype",
                                              "embd_pdrop",
                                              "encoder_stride",
                                              "eos_token_id",
                                              "finetuning_task",
                                              "gradient_checkpointing",
                                              "hidden_dropout_prob",
                                              "id2label",
                                              "initializer_range",
                                              "is_encoder_decoder",
                                              "label2id",
                                              "label_descriptions",
                                              "label_names",
                                              "max_length",
                                              "max_position_embeddings",
                                              "n_ctx",
                                              "num_features",
                                              "output_attentions",
                                              "output_hidden_states",
                                              "pad_token_id",
                                              "pooler_act",
                                              "pooler_fc_size",
                                              "pooler_num_attention_heads",
                                              "pooler_num_fc_layers",
                                              "pooler_output_size",
                                              "pooler_size_per_head",
                                              "pooler_type",
                                              "pretrained_cfg",
                                              "pretraining_tp",
                                              "problem_type",
                                              "reorder_and_upcast_attn",
                                              "resid_pdrop",
                                              "return_dict",
                                              "summary_activation",
                                              "summary_first_dropout",
                                              "summary_proj_to_labels",
                                              "summary_type",
                                              "summary_use_proj",
                                              "task_specific_params",
                                              "tie_word_embeddings",
                                              "tokenizer_class",
                                              "torch_dtype",
                                              "transformers_version",
                                              "use_cache",
                                              "vocab_size"};
  return names;
}

void xf::programs::printAssumptions(const char *program, const CheckpointFiles &files, const std::string &assumed) {
  if (!files.config.exists()) {
    std::fprintf(stderr, "%s: found no %s: assumes %s\n", program, files.config.path().c_str(), assumed.c_str());
    return;
  }
  std::string list;
  for (const std::string &name : files.config.unread(harmless()))
    list += (list.empty() ? "" : ", ") + name;
  if (!list.empty())
    std::fprintf(stderr, "%s: %s: does not know, and ignores %s\n", program, files.config.path().c_str(), list.c_str());
}
