//===- xf/nn/vision.h - Images: windows, convolution, sizes, patches -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are batch x channels x height x width, weights out x in x height x width, as in torch. A convolution is a
// linear layer on windows. Windows that tile the image are a view of it; others are copied, one axis after the other.
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_VISION_H
#define XF_NN_VISION_H

#include "xf/module.h"

namespace xf {

//===--- windows ---===//

/// Returns the windows of `size` elements along one axis as a new last dimension (torch's Tensor.unfold): [.., N, ..]
/// becomes [.., (N - span) / step + 1, .., size]. Windows begin at 0, step, 2 step, .. A window's elements are
/// `dilation` apart, so its span is (size - 1) dilation + 1. Throws Error if N is below the span. If N is not static,
/// every call checks this.
Tensor unfold(const Tensor &x, int64_t axis, int64_t size, int64_t step, int64_t dilation = 1,
              Here here = Here::current());

/// Windows of an image. `size` is the size of a window, and `stride` the distance of neighbouring windows (default: the
/// size, so that windows tile the image). `padding` is the number of zeros around the image, and `dilation` the
/// distance of neighbouring elements of a window.
struct Windows {
  Size2 size;
  std::optional<Size2> stride = {};
  Size2 padding = 0;
  Size2 dilation = 1;
};

/// Returns the windows of an image as tokens, row by row: B x C x H x W becomes B x windows x (C height width). The
/// elements of a token are in the order of a convolution's weight. Windows that tile the image are the patches of ViT,
/// and overlapping ones the soft split of T2T-ViT (Yuan 2021, section 3.1).
Tensor image_windows(const Tensor &image, const Windows &windows, Here here = Here::current());

/// Pool each window of an image, channel by channel, into its mean (average_pool) or maximum (max_pool): B x C x H x W
/// becomes B x C x rows x columns of windows. Zeros around the image count in a mean (torch's default), and are never a
/// maximum. The gradient of a maximum goes to the first of equal elements.
Tensor average_pool(const Tensor &image, const Windows &windows, Here here = Here::current());
Tensor max_pool(const Tensor &image, const Windows &windows, Here here = Here::current());

//===--- convolution ---===//

/// Options of conv2d. The channels of input and output are divided into `groups` groups, and each group of the output
/// sees only the same group of the input. With as many groups as channels, this is a depthwise convolution.
struct Conv2dOptions {
  Size2 stride = 1;
  Size2 padding = 0;
  Size2 dilation = 1;
  int64_t groups = 1;
};
/// Computes a convolution (cross-correlation) of an image, B x in x H x W. `weight` is out x (in / groups) x height x
/// width. `bias` has `out` elements, or is undefined.
Tensor conv2d(const Tensor &image, const Tensor &weight, const Tensor &bias = {}, const Conv2dOptions &options = {},
              Here here = Here::current());

/// Options of conv1d.
struct Conv1dOptions {
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  /// Whether no output sees a later input (WaveNet, van den Oord 2016; the short convolutions of state-space models).
  /// Adds (size - 1) dilation zeros before the first element and none after the last, in addition to `padding`.
  bool causal = false;
};
/// Computes a convolution of x, B x in x N, along the last axis. `weight` is out x (in / groups) x size. `bias` has
/// `out` elements, or is undefined.
Tensor conv1d(const Tensor &x, const Tensor &weight, const Tensor &bias = {}, const Conv1dOptions &options = {},
              Here here = Here::current());

//===--- other sizes ---===//

/// How interpolate() computes an element that lies between elements of the image. bilinear: along each axis, from the
/// two nearest elements. bicubic: along each axis, from four, by the cubic convolution of Keys 1981 with a = -0.75.
enum class Interpolation { bilinear, bicubic };

/// Returns an image at another size, as torch.nn.functional.interpolate does with align_corners=False and
/// antialias=False: B x C x H x W becomes B x C x size. Along an axis, element n of N lies at position (n + 1/2) H / N
/// - 1/2 of the H elements of the image. Beyond the border, the image repeats its border elements. Throws Error for a
/// size below 1, and for an image whose H and W are not static.
Tensor interpolate(const Tensor &image, Size2 size, Interpolation kind = Interpolation::bilinear,
                   Here here = Here::current());

/// Returns learned positions of an image of `to` patches, 1 x (k + to) x width, from those of an image of `from`
/// patches, 1 x (k + from) x width (ViT, Dosovitskiy 2020, section 3.2). Positions of patches, row by row, are
/// interpolated. The first k tokens, such as a class token, stay as they are. Throws Error for other shapes.
Tensor resize_positions(const Tensor &positions, Size2 from, Size2 to, Interpolation kind = Interpolation::bicubic,
                        Here here = Here::current());
/// Returns the positions of a checkpoint for another size of image, computed in f64:
///
///   values["positions"] = resize_positions(values["positions"], 24, 36);
Array resize_positions(const Array &positions, Size2 from, Size2 to, Interpolation kind = Interpolation::bicubic,
                       Here here = Here::current());

//===--- groups of channels ---===//

/// Divides the C channels of x, B x C x .., into `groups` groups. Normalises each group of each batch entry to mean 0
/// and variance 1 (Wu 2018). Then multiplies channels by `weight` and adds `bias`, of C elements each, where defined.
/// Throws Error unless `groups` divides C.
Tensor group_norm(const Tensor &x, int64_t groups, const Tensor &weight = {}, const Tensor &bias = {},
                  double eps = 1e-5, Here here = Here::current());

namespace nn {

/// Group normalisation of x, B x channels x .. (any number of further dimensions). weight is initialised to ones, bias
/// to zeros.
class GroupNorm : public Module {
public:
  GroupNorm(int64_t groups, int64_t channels, double eps = 1e-5, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    return group_norm(x, groups, weight, bias, eps, here);
  }

  int64_t groups;
  double eps;
  Parameter weight, bias;
  XF_MEMBERS(weight, bias)
};

/// Convolution of images, B x in x H x W, with weight out x (in / groups) x height x width. Weight and bias are
/// initialised uniformly in [-1/sqrt(n), 1/sqrt(n)], where n is the number of input elements that an output element
/// reads.
class Conv2d : public Module {
public:
  Conv2d(int64_t in, int64_t out, Size2 size, Conv2dOptions options = {}, bool with_bias = true,
         Here here = Here::current());
  Tensor operator()(const Tensor &image, Here here = Here::current()) const {
    return conv2d(image, weight, bias, options, here);
  }

  Conv2dOptions options;
  Parameter weight, bias;
  XF_MEMBERS(weight, bias)
};

/// Convolution along the last axis of x, B x in x N, with weight out x (in / groups) x size. Weight and bias are
/// initialised as in Conv2d.
class Conv1d : public Module {
public:
  Conv1d(int64_t in, int64_t out, int64_t size, Conv1dOptions options = {}, bool with_bias = true,
         Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    return conv1d(x, weight, bias, options, here);
  }

  Conv1dOptions options;
  Parameter weight, bias;
  XF_MEMBERS(weight, bias)
};

/// Options of nn::PatchEmbedding. `size` and `width` have no default.
struct PatchEmbeddingOptions {
  int64_t channels = 3;
  /// Height and width of a patch.
  Size2 size;
  /// Width of a token.
  int64_t width;
  bool bias = true;
};

/// Patch embedding (ViT, Dosovitskiy 2020, equation 1): cuts an image, B x C x H x W, into patches and maps each patch
/// to a token. Returns B x patches x width, patches row by row. weight has the layout of a convolution: width x C x
/// height x width of a patch.
class PatchEmbedding : public Module {
public:
  explicit PatchEmbedding(const PatchEmbeddingOptions &options, Here here = Here::current());
  /// Returns the tokens of `image`. Throws Error unless the height and the width of a patch divide those of the image.
  /// If sizes of the image are not static, every call checks this.
  Tensor operator()(const Tensor &image, Here here = Here::current()) const;

  Parameter weight, bias;
  XF_MEMBERS(weight, bias)
};

} // namespace nn
} // namespace xf

#endif // XF_NN_VISION_H
