// A model as a user writes it: modules with names, patterns as values, entries with a dynamic batch.
#include <xf/xf.h>

#include <cstdio>

using namespace xf;

struct Block : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  Block(int64_t width, int64_t heads, Pattern pattern)
      : norm1(width), norm2(width), attention({.width = width, .heads = heads, .pattern = pattern}),
        mlp({.width = width, .hidden = 4 * width, .activation = gelu}) {}

  Tensor operator()(Tensor x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct ByteLMOptions {
  int64_t vocabulary, width, layers, heads, context;
  Pattern pattern;
};

struct ByteLM : nn::Module {
  nn::Embedding tokens, positions;
  std::vector<Block> blocks;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(tokens, positions, blocks, norm, head)

  explicit ByteLM(const ByteLMOptions &options)
      : tokens(options.vocabulary, options.width), positions(options.context, options.width), norm(options.width),
        head(options.width, options.vocabulary) {
    for (int64_t layer = 0; layer < options.layers; ++layer)
      blocks.emplace_back(options.width, options.heads, options.pattern);
  }

  Tensor operator()(Tensor ids) const {
    Tensor x = tokens(ids) + positions.weight;
    for (const Block &block : blocks)
      x = block(x);
    return head(norm(x));
  }
};

int main() {
  ByteLM model({.vocabulary = 16,
                .width = 16,
                .layers = 2,
                .heads = 2,
                .context = 32,
                .pattern = heads({fixed(8, 2).local(), fixed(8, 2).column()})});
  model.initialize(1);

  Program program("byte_lm");
  Dim batch = dim("batch", {.min = 1, .max = 64});
  TensorSpec tokens{"tokens", i32, {batch, 32}}, targets{"targets", i32, {batch, 32}};

  program.entry("logits", {tokens}, [&](Tensor t) { return model(t); });
  program.train_step(
      "train", model, {tokens, targets}, [&](Tensor t, Tensor y) { return cross_entropy(model(t), y); },
      optim::AdamW{.weight_decay = 0.1, .clip_norm = 1.0});

  program.save("byte_lm.mlir");
  save_safetensors("start.safetensors", model.state_dict());
  Executable run = program.compile();

  // The same numbers in process: a step of the batch that application.cpp trains on.
  Array ids(i32, {2, 32}), next(i32, {2, 32}), rate(f32, {});
  for (int n = 0; n < 64; ++n) {
    ids.data<int32_t>()[n] = n * 7 % 16;
    next.data<int32_t>()[n] = (n + 1) * 7 % 16;
  }
  rate.data<float>()[0] = 0.01f;
  Arrays results = run.call("train", {{"tokens", ids}, {"targets", next}, {"learning_rate", rate}});
  std::printf("loss %.9g\n", results.at("loss").data<float>()[0]);
}
