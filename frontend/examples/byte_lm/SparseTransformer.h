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
  /// The stride or block l, and the number c of summary columns of a block in the fixed pattern.
  int64_t stride = 16;
  int64_t summary = 8;
  PatternKind pattern = PatternKind::fixed;
  /// Computes the logits with the token embedding instead of a matrix of their own.
  bool tied = true;
};

/// Returns the pattern of attention. Heads alternate between the two parts of the pattern, so that every layer has
/// both.
inline xf::Pattern attentionPattern(const ModelOptions &options) {
  if (options.pattern == PatternKind::strided) {
    xf::StridedPattern strided = xf::strided(options.stride);
    return xf::heads({strided.local(), strided.column()});
  }
  xf::FixedPattern fixed = xf::fixed(options.stride, options.summary);
  return xf::heads({fixed.local(), fixed.column()});
}

/// Computes a = attention(norm H), b = feed-forward(norm (H + a)) and H + a + b. The initial weights of both
/// projections into the residual stream are scaled by 1/sqrt(2 layers).
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

/// A byte-level Sparse Transformer (Child et al. 2019). Maps bytes, batch x context, to the logits of the bytes that
/// follow, batch x context x 256.
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

  /// Returns the sum of a learned vector per position n and the "attention" embeddings, one per n div l and one per n
  /// mod l.
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
