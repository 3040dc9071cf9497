//===- models.cpp - The library's models at their published sizes ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   bench-models                     prints the names of the programs, one a line
//   bench-models NAME FILE.mlir      writes one of them
//
// Each program has one entry, `forward`, or `train`: loss, gradients and AdamW. One image or text of the paper's size;
// compile.py --models measures how long they take to compile.
//
//===----------------------------------------------------------------------===//

#include <xf/models.h>
#include <xf/xf.h>

#include <cstdio>

using namespace xf;
using namespace xf::models;

namespace {
/// A program by name, which `write` saves to a file.
struct Entry {
  std::string name;
  std::function<void(const std::string &file)> write;
};

class Programs {
public:
  /// Adds the forward pass of the model that `make` makes.
  template <typename Make>
  void add(const std::string &name, const Make &make, TensorSpec input) {
    all.push_back({name, [=](const std::string &file) {
                     auto model = make();
                     Program program("model", model);
                     program.entry("forward", {input}, [&](const Tensor &x) { return model(x); });
                     program.save(file);
                   }});
  }
  /// Adds a training step: the mean cross entropy of logits whose classes are `targets`.
  template <typename Make>
  void addTraining(const std::string &name, const Make &make, TensorSpec input, TensorSpec targets) {
    all.push_back({name, [=](const std::string &file) {
                     auto model = make();
                     Program program("model", model);
                     program.train_step(
                         "train", model, {input, targets},
                         [&](const Tensor &x, const Tensor &y) { return cross_entropy(model(x), y); }, optim::AdamW{});
                     program.save(file);
                   }});
  }
  std::vector<Entry> all;
};

TensorSpec image(int64_t size) { return {"images", f32, {1, 3, size, size}}; }
TensorSpec text(int64_t tokens) { return {"ids", i32, {1, tokens}}; }

/// Encoder and decoder in one: both read the same text.
struct Translator : nn::Module {
  T5 t5{T5Options::base()};
  XF_MEMBERS(t5)
  Tensor operator()(const Tensor &ids) const { return t5(ids, ids); }
};
/// A segment after one that filled the memory.
struct Segment : nn::Module {
  TransformerXL model{TransformerXLOptions::enwik8()};
  XF_MEMBERS(model)
  Tensor operator()(const Tensor &ids) const {
    return model(ids, std::vector<Tensor>(12, zeros({1, 512, 512}))).logits;
  }
};

void addImages(Programs &programs) {
  programs.add("ViT-B/16", [] { return ViT(ViTOptions::base(16)); }, image(224));
  programs.addTraining("ViT-B/16, training step", [] { return ViT(ViTOptions::base(16)); }, image(224),
                       {"classes", i32, {1}});
  programs.add("ViT-L/16", [] { return ViT(ViTOptions::large(16)); }, image(224));
  programs.add("ViT-H/14", [] { return ViT(ViTOptions::huge(14)); }, image(224));
  programs.add("T2T-ViT-14", [] { return T2TViT(T2TViTOptions::size(14)); }, image(224));
  programs.add("Swin-T", [] { return models::Swin(SwinOptions::tiny()); }, image(224));
  programs.add("Swin-B", [] { return models::Swin(SwinOptions::base()); }, image(224));
  programs.add("MViTv2-T", [] { return MViT(MViTOptions::tiny()); }, image(224));
  programs.add("MViTv2-B", [] { return MViT(MViTOptions::base()); }, image(224));
  programs.add("Perceiver", [] { return Perceiver(PerceiverOptions()); }, image(224));
  programs.add("Gaussian attention", [] { return GaussianViT(GaussianViTOptions()); }, image(32));
  programs.add(
      "OmniNet-T on ViT-B/32", [] { return OmniNetViT({.stack = omninet(OmniKind::transformer, 768, 12, 12, 4)}); },
      image(224));
}

void addLanguage(Programs &programs) {
  programs.add("GPT-2 small", [] { return GPT2(GPT2Options::small()); }, text(1024));
  programs.addTraining("GPT-2 small, training step", [] { return GPT2(GPT2Options::small()); }, text(1024),
                       {"targets", i32, {1, 1024}});
  programs.add("GPT-2 xl", [] { return GPT2(GPT2Options::xl()); }, text(1024));
  programs.add("BERT base", [] { return Bert(BertOptions::base()); }, text(512));
  programs.add("MiniLM-L6", [] { return Bert(BertOptions::minilm_l6()); }, text(256));
  programs.add("Llama 3.2 1B", [] { return Llama(LlamaOptions::llama32_1b()); }, text(2048));
  programs.add("Llama 3 8B", [] { return Llama(LlamaOptions::llama3_8b()); }, text(2048));
  programs.add("T5 base", [] { return Translator(); }, text(512));
  programs.add("Transformer-XL, 12 layers", [] { return Segment(); }, text(512));
  programs.add("RetNet", [] { return RetNet(); }, text(2048));
  programs.add("GLA", [] { return GLA(); }, text(2048));
  programs.add("DeltaNet", [] { return DeltaNet(); }, text(2048));
  programs.add("Linear transformer", [] { return LinearTransformer(); }, text(3072));
  programs.add("Performer", [] { return Performer(); }, text(4096));
  programs.add("Linformer, k = 128", [] { return Linformer(LinformerOptions()); }, text(512));
  programs.add("Nystromformer", [] { return Nystromformer(NystromformerOptions()); }, text(448));
  programs.add("BigBird base", [] { return models::BigBird(BigBirdOptions::base()); }, text(4096));
  programs.add("Longformer base", [] { return Longformer(LongformerOptions::base()); }, text(4096));
  programs.add(
      "Sparse Transformer, CIFAR-10", [] { return SparseTransformer(SparseTransformerOptions::cifar10()); },
      text(3072));
  programs.add(
      "Sparse Transformer, enwik8", [] { return SparseTransformer(SparseTransformerOptions::enwik8()); }, text(12160));
  programs.add("Set Transformer", [] { return SetTransformer({.in = 3, .outputs = 1, .out = 40}); },
               {"points", f32, {1, 1000, 3}});
}
} // namespace

int main(int argc, char **argv) {
  Programs programs;
  addImages(programs);
  addLanguage(programs);
  if (argc == 1)
    for (const Entry &entry : programs.all)
      std::printf("%s\n", entry.name.c_str());
  if (argc == 1)
    return 0;
  for (const Entry &entry : programs.all)
    if (argc == 3 && entry.name == argv[1])
      return entry.write(argv[2]), 0;
  std::fprintf(stderr, "usage: bench-models [NAME FILE.mlir], with a name that bench-models prints\n");
  return 2;
}
