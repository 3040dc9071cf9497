//===- classify.cpp - What is in a picture --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: classify IMAGE.. --weights=FILE [options]; see --help.
//
//===----------------------------------------------------------------------===//

#include "../ModelConfig.h"
#include "../Program.h"
#include "../WeightShapes.h"
#include "Image.h"

#include <xf/models/vit.h>
#include <xf/xf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

using namespace xf;
using namespace xf::programs;

namespace {
struct Options {
  std::vector<std::string> images;
  std::string weights, labels, normalize, device = "cpu";
  int64_t top = 5, heads = 0, threads = 0;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  line.positionals("IMAGE", o.images);
  line.text("weights", o.weights, "FILE", "safetensors, index.json or folder of timm or of Hugging Face (required)");
  line.text("labels", o.labels, "FILE", "names of the classes, one a line (default: those of config.json)");
  line.integer("top", o.top, 1, 1000, "classes to print (default 5)");
  line.choice("normalize", o.normalize, {"half", "imagenet"},
              "mean and deviation of the pixels (default: those beside the weights, or half: .5)");
  line.integer("heads", o.heads, 1, 1024,
               "of an attention (default: as config.json says, else the width / 64, 16 for ViT-H)");
  line.integer("threads", o.threads, 0, 1024, "default: one for each CPU");
  line.text("device", o.device, "D", "cpu (default), cuda, cuda:N, or auto: a GPU where there is one");
}

static std::vector<std::string> readLines(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(path + ": expected a file of labels, which cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

/// The contents of a checkpoint that classify reads.
struct Checkpoint {
  CheckpointFiles files;
  bool isHuggingFace;
  StateDict weights; ///< under the names of models::ViT
};

/// Throws for a configuration of Hugging Face that asks for anything that ViT does not compute, or that contradicts the
/// weights.
static void expectHuggingFace(const ModelConfig &config, const models::ViTOptions &options) {
  config.expectText("model_type", {"vit"});
  config.expectText("hidden_act", {"gelu"});
  config.expectFlag("qkv_bias", true);
  config.expectAbsent("quantization_config");
  config.expectSize("hidden_size", options.width);
  config.expectSize("num_hidden_layers", options.layers);
  config.expectSize("intermediate_size", options.hidden);
  config.expectSize("num_channels", options.channels);
  for (auto [name, size] : {std::pair("patch_size", options.patch), std::pair("image_size", options.image)})
    for (int64_t found : config.integers(name))
      if (found != size.height)
        config.fail(name, std::to_string(size.height) + " as the weights have");
}

/// Throws for a configuration of timm that asks for anything that ViT does not compute, or that contradicts the
/// weights. Most of these settings follow from the name of the architecture.
static void expectTimm(const ModelConfig &config, const models::ViTOptions &options) {
  std::string name = config.text("architecture").value_or("vit_");
  if (!name.starts_with("vit_") || name.find("quickgelu") != std::string::npos)
    config.fail("architecture", "vit_.. with gelu, which is all that is computed here");
  config.expectAbsent("model_args");
  config.expectText("global_pool", {options.average ? "avg" : "token"});
  config.expectSize("num_classes", options.classes);
}

/// Returns the number of heads that published models of this width have, for weights without a configuration.
static int64_t headsOf(int64_t width) {
  for (int64_t ofSixteen : {1152, 1280, 1408, 1664}) // so400m, huge, giant, gigantic
    if (width == ofSixteen)
      return 16;
  return std::max<int64_t>(width / 64, 1);
}

static models::ViTOptions modelOptions(const Options &o, const Checkpoint &checkpoint) {
  const auto &[files, isHuggingFace, weights] = checkpoint;
  WeightShapes shapes(files.weights, "a Vision Transformer", weights);
  models::ViTOptions options;
  options.width = shapes.size("positions", 3, 2);
  options.layers = shapes.count("layers.", ".norm1.weight");
  bool isSaid = isHuggingFace && files.config.exists();
  options.heads = settle("--heads", o.heads, files.config, "num_attention_heads", isSaid ? 12 : headsOf(options.width));
  options.hidden = shapes.size("layers.0.linear1.weight", 2, 0);
  options.channels = shapes.size("patches.weight", 4, 1);
  options.patch = {shapes.size("patches.weight", 4, 2), shapes.size("patches.weight", 4, 3)};
  options.classes = shapes.size("head.weight", 2, 0);
  options.fused = !isHuggingFace;
  options.eps = files.config.real("layer_norm_eps").value_or(isHuggingFace ? 1e-12 : options.eps);
  options.average = !weights.count("class_token");
  int64_t patches = shapes.size("positions", 3, 1) - !options.average, side = 0;
  while (side * side < patches)
    ++side;
  bool isSquare = side * side == patches && options.channels == 3 && options.patch.height == options.patch.width;
  if (!isSquare || options.width % options.heads != 0)
    throw std::runtime_error(
        files.weights + ": expected three channels, square patches of a square image, and a width that " +
        std::to_string(options.heads) + " heads divide, found " + std::to_string(options.channels) + " channels, " +
        std::to_string(patches) + " patches and width " + std::to_string(options.width));
  options.image = side * options.patch.height;
  isHuggingFace ? expectHuggingFace(files.config, options) : expectTimm(files.config, options);
  return options;
}

static Checkpoint readCheckpoint(const Options &o) {
  Checkpoint checkpoint{findCheckpoint(o.weights), false, {}};
  StateDict given = load_safetensors(checkpoint.files.weights, {.cast = f32});
  checkpoint.isHuggingFace = given.count("vit.embeddings.cls_token") > 0;
  if (!checkpoint.isHuggingFace && !given.count("patch_embed.proj.weight"))
    throw std::runtime_error(checkpoint.files.weights +
                             ": expected 'patch_embed.proj.weight' of timm's Vision Transformers or "
                             "'vit.embeddings.cls_token' of Hugging Face's, found neither");
  auto names = checkpoint.isHuggingFace ? models::ViT::huggingface() : models::ViT::timm();
  if (!given.count(names.front().first)) // the class token, which a mean in its place leaves out
    names.erase(names.begin());
  checkpoint.weights = rename(given, names);
  return checkpoint;
}

/// Sets `row` (a mean or a deviation for each channel) from the member `name`. Returns false if there is no such
/// member.
static bool takeRow(const ModelConfig &config, const std::string &name, bool divides, std::array<float, 3> &row) {
  std::vector<double> numbers = config.reals(name);
  if (numbers.empty())
    return false;
  bool isRight = std::all_of(numbers.begin(), numbers.end(), [&](double number) { return !divides || number > 0; });
  if (numbers.size() != 3 || !isRight)
    config.fail(name, divides ? "three numbers above 0" : "three numbers");
  std::copy(numbers.begin(), numbers.end(), row.begin());
  return true;
}

/// Returns the normalisation from the user's option, timm's config.json or Hugging Face's preprocessor_config.json. If
/// none has it, reports the assumed one: in `assumed`, or at once if there is a config.json, because then no other
/// assumption is printed.
static Normalization normalizationOf(const Options &o, const CheckpointFiles &files, std::string &assumed) {
  Normalization half = {{.5f, .5f, .5f}, {.5f, .5f, .5f}};
  Normalization imagenet = {{.485f, .456f, .406f}, {.229f, .224f, .225f}}, found = half;
  if (!o.normalize.empty())
    return o.normalize == "imagenet" ? imagenet : half;
  ModelConfig images = ModelConfig::read(files.folder + "preprocessor_config.json");
  ModelConfig timm = files.config.object("pretrained_cfg");
  images.expectFlag("do_normalize", true);
  images.expectFlag("do_rescale", true);
  if (std::abs(images.real("rescale_factor").value_or(1. / 255) * 255 - 1) > 1e-6)
    images.fail("rescale_factor", "1 / 255, which is all that is computed here");
  bool hasMean = takeRow(images, "image_mean", false, found.mean) || takeRow(timm, "mean", false, found.mean);
  bool hasDeviation =
      takeRow(images, "image_std", true, found.deviation) || takeRow(timm, "std", true, found.deviation);
  std::string missing = !hasMean && !hasDeviation ? "mean and deviation" : !hasMean ? "mean" : "deviation";
  if ((!hasMean || !hasDeviation) && files.config.exists())
    std::fprintf(stderr, "classify: found no %s of the pixels in %s: assumes .5 (--normalize)\n", missing.c_str(),
                 images.path().c_str());
  else if (!hasMean || !hasDeviation)
    assumed += ", pixels of " + missing + " .5 (--normalize)";
  return found;
}

/// Returns the names of the classes from the user's file, or else from config.json, or none.
static std::vector<std::string> labelsOf(const Options &o, const ModelConfig &config, int64_t classes) {
  if (!o.labels.empty())
    return readLines(o.labels);
  ModelConfig names = config.object("id2label");
  std::vector<std::string> labels;
  for (int64_t n = 0; names.exists() && n < classes; ++n)
    labels.push_back(names.text(std::to_string(n)).value_or(std::to_string(n)));
  return labels;
}

/// Prints the most likely classes with their probabilities.
static void printClasses(const Array &logits, int64_t top, const std::vector<std::string> &labels) {
  auto scores = logits.data<float>();
  float highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (float score : scores)
    sum += std::exp(double(score) - highest);
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto comesFirst = [&](size_t a, size_t b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); };
  std::sort(order.begin(), order.end(), comesFirst);
  order.resize(std::min(order.size(), size_t(top)));
  for (size_t number : order)
    std::printf("  %5.1f %%  %s\n", 100 * std::exp(double(scores[number]) - highest) / sum,
                number < labels.size() ? labels[number].c_str() : std::to_string(number).c_str());
}

static void classify(const Options &o) {
  if (o.weights.empty())
    throw UsageError("expected --weights=FILE; --help lists the options");
  Checkpoint checkpoint = readCheckpoint(o);
  models::ViTOptions options = modelOptions(o, checkpoint);
  std::vector<std::string> labels = labelsOf(o, checkpoint.files.config, options.classes);
  std::string assumed = std::to_string(options.heads) + " heads of " + std::to_string(options.width / options.heads) +
                        " columns (--heads), epsilon " + (checkpoint.isHuggingFace ? "1e-12" : "1e-06");
  Normalization normalization = normalizationOf(o, checkpoint.files, assumed);
  printAssumptions("classify", checkpoint.files, assumed);
  models::ViT model(options);
  Program program("classify", model);
  int64_t size = options.image.height;
  program.entry("logits", {{"image", f32, {1, options.channels, size, size}}}, model);
  Executable run =
      program.compile({.threads = int(o.threads), .device = parseDevice(o.device), .hold_parameters = true});
  run.load_state_dict(checkpoint.weights);
  for (const std::string &path : o.images) {
    Array logits = run("logits", modelInput(readImage(path), size, normalization));
    std::printf("%s\n", path.c_str());
    printClasses(logits, o.top, labels);
  }
}

int main(int argc, char **argv) {
  Options options;
  xfrt::tools::CommandLine line("classify", "Prints what a Vision Transformer sees in PNG, JPEG or PPM files.");
  declare(line, options);
  return runProgram("classify", line, argc, argv, [&] { classify(options); });
}
