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
  std::string weights, labels, normalize = "half", device = "cpu";
  int64_t top = 5, heads = 0, threads = 0;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  line.positionals("IMAGE", o.images);
  line.text("weights", o.weights, "FILE", "safetensors or index.json of timm or of Hugging Face (required)");
  line.text("labels", o.labels, "FILE", "names of the classes, one a line (default: their numbers)");
  line.integer("top", o.top, 1, 1000, "classes to print (default 5)");
  line.choice("normalize", o.normalize, {"half", "imagenet"}, "mean and deviation of the pixels (default half: .5)");
  line.integer("heads", o.heads, 1, 1024, "of an attention (default: the width / 64, 16 for ViT-H)");
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

static models::ViTOptions modelOptions(const Options &o, bool isHuggingFace, const StateDict &weights) {
  WeightShapes shapes(o.weights, "a Vision Transformer", weights);
  models::ViTOptions options;
  options.width = shapes.size("positions", 3, 2);
  options.layers = shapes.count("layers.", ".norm1.weight");
  options.heads = o.heads ? o.heads : options.width == 1280 ? 16 : std::max<int64_t>(options.width / 64, 1);
  options.hidden = options.layers ? shapes.size("layers.0.linear1.weight", 2, 0) : 1;
  options.channels = shapes.size("patches.weight", 4, 1);
  options.patch = {shapes.size("patches.weight", 4, 2), shapes.size("patches.weight", 4, 3)};
  options.classes = shapes.size("head.weight", 2, 0);
  options.fused = !isHuggingFace;
  options.eps = isHuggingFace ? 1e-12 : options.eps;
  options.average = !weights.count("class_token");
  int64_t patches = shapes.size("positions", 3, 1) - !options.average, side = 0;
  while (side * side < patches)
    ++side;
  bool isSquare = side * side == patches && options.channels == 3 && options.patch.height == options.patch.width;
  if (!isSquare || options.width % options.heads != 0)
    throw std::runtime_error(
        o.weights + ": expected three channels, square patches of a square image, and a width that " +
        std::to_string(options.heads) + " heads divide, found " + std::to_string(options.channels) + " channels, " +
        std::to_string(patches) + " patches and width " + std::to_string(options.width));
  options.image = side * options.patch.height;
  return options;
}

static StateDict loadWeights(const Options &o, bool &isHuggingFace) {
  StateDict given = load_safetensors(o.weights, {.cast = f32});
  isHuggingFace = given.count("vit.embeddings.cls_token") > 0;
  return rename(given, isHuggingFace ? models::ViT::huggingface() : models::ViT::timm());
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
  std::vector<std::string> labels = o.labels.empty() ? std::vector<std::string>() : readLines(o.labels);
  bool isHuggingFace = false;
  StateDict weights = loadWeights(o, isHuggingFace);
  models::ViTOptions options = modelOptions(o, isHuggingFace, weights);
  models::ViT model(options);
  Program program("classify", model);
  int64_t size = options.image.height;
  program.entry("logits", {{"image", f32, {1, options.channels, size, size}}}, model);
  Executable run =
      program.compile({.threads = int(o.threads), .device = parseDevice(o.device), .hold_parameters = true});
  run.load_state_dict(weights);
  Normalization normalization = {{.5f, .5f, .5f}, {.5f, .5f, .5f}};
  if (o.normalize == "imagenet")
    normalization = {{.485f, .456f, .406f}, {.229f, .224f, .225f}};
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
