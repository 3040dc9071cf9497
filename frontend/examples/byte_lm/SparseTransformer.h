//===- SparseTransformer.h - A byte-level Sparse Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_SPARSETRANSFORMER_H
#define BYTE_LM_SPARSETRANSFORMER_H

#include <xf/xf.h>

#include <cmath>

namespace byte_lm {

enum class PatternKind { strided, fixed };

struct ModelOptions {
  int64_t layers = 2;
  int64_t width = 128;
  int64_t heads = 4;
  int64_t context = 256;
  /// Parameters of the attention pattern. `stride` is the distance between columns of the strided pattern, or the block
  /// size of the fixed pattern. `summary` is the number of summary columns in each block of the fixed pattern.
  int64_t stride = 16;
  int64_t summary = 8;
  PatternKind pattern = PatternKind::fixed;
  /// Computes the logits with the token embedding as output projection, instead of a projection matrix of their own.
  bool tied = true;
  /// Element type of the parameters and of what is computed from them: f32, or bf16 with f32 masters.
  xf::Dtype dtype = xf::f32;
};

/// Returns the attention pattern of every layer: heads alternate between the local part and the column part of the
/// strided or fixed pattern, so that each layer has both.
inline xf::Pattern attentionPattern(const ModelOptions &options) {
  if (options.pattern == PatternKind::strided) {
    xf::StridedPattern strided = xf::strided(options.stride);
    return xf::heads({strided.local(), strided.column()});
  }
  xf::FixedPattern fixed = xf::fixed(options.stride, options.summary);
  return xf::heads({fixed.local(), fixed.column()});
}

/// A pre-norm residual block: maps h to h + a + mlp(norm2(h + a)) with a = attention(norm1(h)). The initial weights of
/// both projections into the residual stream are scaled by 1/sqrt(2 layers).
struct ResidualBlock : xf::nn::Module {
  xf::nn::LayerNorm norm1, norm2;
  xf::nn::MultiheadAttention attention;
  xf::nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  explicit ResidualBlock(const ModelOptions &options)
      : norm1(options.width), norm2(options.width), attention({.width = options.width,
                                                               .heads = options.heads,
                                                               .pattern = attentionPattern(options),
                                                               .output_scale = 1 / std::sqrt(2.0 * options.layers)}),
        mlp({.width = options.width,
             .hidden = 4 * options.width,
             .activation = [](xf::Tensor x) { return xf::gelu(x, xf::Gelu::sigmoid); },
             .output_scale = 1 / std::sqrt(2.0 * options.layers)}) {}

  xf::Tensor operator()(xf::Tensor h) const {
    xf::Tensor a = attention(norm1(h));
    return h + a + mlp(norm2(h + a));
  }
};

/// A byte-level Sparse Transformer (Child et al. 2019). Maps bytes, batch x context, to the logits of the next byte at
/// each position, batch x context x 256.
struct SparseTransformer : xf::nn::Module {
  static constexpr int64_t vocabulary = 256;

  ModelOptions options;
  xf::nn::Embedding tokens, positions, rows, columns;
  std::vector<ResidualBlock> blocks;
  xf::nn::LayerNorm norm;
  std::optional<xf::nn::Linear> head;
  XF_MEMBERS(tokens, positions, rows, columns, blocks, norm, head)

  explicit SparseTransformer(const ModelOptions &options)
      : options(options), tokens(vocabulary, options.width, deviation),
        positions(options.context, options.width, deviation),
        rows((options.context + options.stride - 1) / options.stride, options.width, deviation),
        columns(options.stride, options.width, deviation), norm(options.width) {
    for (int64_t layer = 0; layer < options.layers; ++layer)
      blocks.emplace_back(options);
    if (!options.tied)
      head.emplace(options.width, vocabulary, /*with_bias=*/false);
    to(options.dtype);
  }

  xf::Tensor operator()(xf::Tensor ids) const {
    xf::Tensor h = tokens(ids) + positionEmbedding();
    for (const ResidualBlock &block : blocks)
      h = block(h);
    h = norm(h);
    return head ? (*head)(h) : xf::linear(h, tokens.weight);
  }

private:
  static constexpr double deviation = 0.02;

  /// Returns the position embeddings, context x width. The embedding of position n is the sum of three learned vectors:
  /// one for n, one for n div stride and one for n mod stride (the paper's "attention embeddings").
  xf::Tensor positionEmbedding() const {
    std::vector<int64_t> row, column;
    for (int64_t n = 0; n < options.context; ++n) {
      row.push_back(n / options.stride);
      column.push_back(n % options.stride);
    }
    xf::Tensor byRow = rows(xf::constant(row, {options.context})),
               byColumn = columns(xf::constant(column, {options.context}));
    return positions.weight + byRow + byColumn;
  }
};

} // namespace byte_lm

#endif // BYTE_LM_SPARSETRANSFORMER_H
