//===- Models.cpp - Claims on models of images, and on memory --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <xf/models.h>

using namespace xf;
using namespace bench;

/// Saves the forward pass of a model of one image, and returns the number of its parameters.
template <typename Model>
static int64_t saveForward(const Model &model, const std::string &file) {
  Program program("claims", model);
  program.entry("forward", {{"images", f32, {1, 3, 224, 224}}}, [&](const Tensor &images) { return model(images); });
  program.save(file);
  return model.parameter_count();
}

static void addImages(std::vector<Claimed> &programs) {
  auto add = [&](const std::string &name, auto make) {
    programs.push_back({name, [=](const Sizes &, const std::string &file) { return saveForward(make(), file); }});
  };
  add("ViT-B/16", [] { return models::ViT(models::ViTOptions::base(16)); });
  add("ViT-B/32", [] { return models::ViT(models::ViTOptions::base(32)); });
  add("ViT-L/16", [] { return models::ViT(models::ViTOptions::large(16)); });
  add("ViT-H/14", [] { return models::ViT(models::ViTOptions::huge(14)); });
  for (int64_t layers : {7, 10, 12, 14, 19, 24})
    for (bool performer : {true, false})
      if (performer || layers >= 14)
        add("T2T-ViT" + std::string(performer ? "-" : "_t-") + std::to_string(layers), [=] {
          auto options = models::T2TViTOptions::size(layers);
          options.performer = performer;
          return models::T2TViT(options);
        });
  for (int64_t patch : {32, 16})
    for (int64_t partition : {2, 3, 6})
      for (bool early : {false, true})
        add("OmniNet-B/" + std::to_string(patch) + "-P" + std::to_string(partition) + (early ? "-early" : ""), [=] {
          auto stack = models::omninet(models::OmniKind::transformer, 768, 12, 12, partition);
          stack.pool_after = early ? nn::PoolAfter::attention : nn::PoolAfter::feed_forward;
          return models::OmniNetViT({.stack = stack, .patch = patch});
        });
}

static void addSparse(std::vector<Claimed> &programs) {
  auto add = [&](const std::string &name, const models::SparseTransformerOptions &options) {
    programs.push_back({name, [=](const Sizes &, const std::string &) {
                          return models::SparseTransformer(options).parameter_count();
                        }});
  };
  add("Sparse-CIFAR-10", models::SparseTransformerOptions::cifar10());
  add("Sparse-enwik8", models::SparseTransformerOptions::enwik8());
  add("Sparse-ImageNet64", models::SparseTransformerOptions::imagenet64());
  auto music = models::SparseTransformerOptions::imagenet64();
  music.extents = {512, 128};
  add("Sparse-music", music);
}

namespace {
/// A Sparse Transformer whose gradient recomputes its blocks, or keeps what they compute.
struct Layers : nn::Module {
  models::SparseTransformer model;
  bool recomputes;
  XF_MEMBERS(model)

  Layers(const models::SparseTransformerOptions &options, bool recomputes) : model(options), recomputes(recomputes) {}
  Tensor operator()(const Tensor &ids) const {
    if (recomputes)
      return model(ids);
    Tensor x = model.embedding(ids) + slice(model.positions[0], 0, 0, ids.size(1));
    for (const models::SparseTransformerBlock &block : model.blocks)
      x = block(x);
    return model.head(model.norm(x));
  }
};
} // namespace

static void addMemory(std::vector<Claimed> &programs) {
  for (int64_t slice : {0, 1024, 512, 256, 128})
    programs.push_back({"slices-" + std::to_string(slice), [=](const Sizes &sizes, const std::string &file) {
                          int64_t tokens = sizes.tokens ? sizes.tokens : 4096;
                          models::Performer model({.dropout = 0, .slice = slice < tokens ? slice : 0});
                          TensorSpec ids{"data", i32, {1, tokens}}, next{"targets", i32, {1, tokens}};
                          return saveTraining(model, ids, next, file);
                        }});
  for (bool recomputes : {true, false})
    programs.push_back({recomputes ? "recomputed" : "kept", [=](const Sizes &sizes, const std::string &file) {
                          int64_t tokens = sizes.tokens ? sizes.tokens : 4096;
                          Layers model({.width = 64,
                                        .layers = 32,
                                        .heads = 1,
                                        .hidden = 128,
                                        .extents = {tokens},
                                        .patterns = {strided(64)},
                                        .dropout = 0},
                                       recomputes);
                          TensorSpec ids{"data", i32, {1, tokens}}, next{"targets", i32, {1, tokens}};
                          return saveTraining(model, ids, next, file);
                        }});
}

void bench::addModels(std::vector<Claimed> &programs) {
  addImages(programs);
  addSparse(programs);
  addMemory(programs);
}
