//===- xf/nn/positions.h - Rotary embeddings and sinusoids -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings of the positions of tokens. A rotary embedding turns queries and keys by an angle; sinusoids are vectors
// that are added to tokens. Positions are a tensor of integers, or count from a number that is known when the program
// is written.
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_POSITIONS_H
#define XF_NN_POSITIONS_H

#include "xf/ops.h"

namespace xf {

//===--- rotary embeddings ---===//

/// How rotary frequencies f change for texts longer than those of training.
class RotaryScaling {
public:
  /// Makes a scaling that leaves the frequencies as they are.
  RotaryScaling() = default;
  /// Position interpolation (Chen 2023): f / factor.
  static RotaryScaling linear(double factor, Here here = Here::current());
  /// NTK-aware scaling: the base becomes base factor^(R / (R - 2)), where R is the number of elements of a head that
  /// are turned. This keeps the fastest frequency and divides the slowest by `factor`.
  static RotaryScaling ntk(double factor, Here here = Here::current());
  /// Options of the scaling of Llama 3.1, with the defaults of its checkpoints.
  struct Llama3 {
    double factor = 8;
    /// Frequencies with wavelengths above length / low are divided by `factor`. Frequencies with wavelengths below
    /// length / high stay as they are.
    double low = 1, high = 4;
    /// Number of positions in training.
    double length = 8192;
  };
  /// The scaling of Llama 3.1: f for short waves, f / factor for long waves, and between them a mixture of both.
  static RotaryScaling llama3(const Llama3 &options, Here here = Here::current());

  /// Returns the scaled frequencies, where the unscaled ones are f_n = base^(-2n / size) for n < size / 2.
  std::vector<double> frequencies(double base, int64_t size) const;

private:
  enum Kind { none, interpolated, rebased, llama } kind = none;
  Llama3 options;
};

/// Rotary embedding (Su 2021): turns pairs of elements of each query and key by the angle position x f_n, with
/// f_n = base^(-2n / size) for pair n. The product of a query and a key then depends on the distance of their
/// positions only.
struct Rotary {
  double base = 10000;
  /// Number of elements of a head that are turned, from the first on; an even number. The others stay as they are
  /// (GPT-NeoX). 0: all elements are turned.
  int64_t size = 0;
  /// Which elements are a pair: 2n and 2n + 1 (the paper, GPT-J) if true, else n and n + size / 2 (Llama, GPT-NeoX).
  bool interleaved = false;
  RotaryScaling scaling = {};

  /// Turns the rows of x, ..xNxD, by `positions`: an integer tensor of shape [N], or of [B, N] for x of BxHxNxD. Angles
  /// and their sines are computed in f64 in each call, once for all heads and layers that have the same positions. The
  /// result has the element type of x. Throws Error for a size that is odd or above D, and for other shapes.
  Tensor operator()(const Tensor &x, const Tensor &positions, Here here = Here::current()) const;
  /// Turns the rows of x by the positions `first`, `first` + 1, .. Up to 1024 positions are a constant of the program;
  /// more are computed in each call.
  Tensor operator()(const Tensor &x, int64_t first = 0, Here here = Here::current()) const;
};

//===--- sinusoids ---===//

/// Options of sinusoids.
struct SinusoidOptions {
  double base = 10000;
  /// Order of the columns: sin, cos, sin, cos, .. (Vaswani 2017) if true, else all sines before all cosines
  /// (tensor2tensor, fairseq, diffusion timesteps).
  bool interleaved = true;
  Dtype dtype = f32;
};

/// Returns sin(p f_n) and cos(p f_n) of each position p, with f_n = base^(-2n / width), as in Vaswani 2017, section
/// 3.5. For positions of shape [..], the result is ..xwidth. Throws Error unless `width` is even.
Tensor sinusoids(const Tensor &positions, int64_t width, const SinusoidOptions &options = {},
                 Here here = Here::current());
/// Returns the sinusoids of the positions 0, 1, .., count - 1, of shape [count, width].
Tensor sinusoids(const Dim &count, int64_t width, const SinusoidOptions &options = {}, Here here = Here::current());

/// Returns the sinusoids of the positions of an image, row by row, of shape [height width, token_width]. The first half
/// of the columns has the sinusoids of a position's row, the second half those of its column. In each half, all sines
/// come before all cosines (MAE, He 2021). Throws Error unless `token_width` is a multiple of 4.
Tensor image_sinusoids(int64_t height, int64_t width, int64_t token_width, Dtype dtype = f32,
                       Here here = Here::current());

} // namespace xf

#endif // XF_NN_POSITIONS_H
