//===- xf/models/parts/resnet.h - ResNet that makes patches -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ResNet of hybrid Vision Transformers (Dosovitskiy 2020, arXiv 2010.11929, section 3.1, "Hybrid Architecture", and
// 4.1): bottlenecks of He 2015 with group normalisation (Wu 2018) in place of batch normalisation, and standardised
// weights (Qiao 2019). Padding is that of TensorFlow: a convolution of stride s has ceil(size / s) outputs. If it needs
// an odd number of zeros, the end gets one more than the beginning. Names and epsilons are those of timm's checkpoints.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_PARTS_RESNET_H
#define XF_MODELS_PARTS_RESNET_H

#include "xf/nn.h"
#include "xf/nn/vision.h"
#include "xf/ops/arrange.h"

#include <algorithm>
#include <cmath>

namespace xf::models {

/// Options of ResNet. The defaults are those of R50+ViT-B/16. There the last stage of a ResNet50 is left out, and the
/// third stage has its layers in addition.
struct ResNetOptions {
  /// Number of bottlenecks of each stage. From the second on, a stage halves height and width.
  std::vector<int64_t> blocks = {3, 4, 9};
  /// Number of channels of the stem, and of the convolutions inside the bottlenecks of the first stage. It doubles from
  /// stage to stage. The result of a bottleneck has four times as many channels.
  int64_t width = 64;
  int64_t channels = 3, groups = 32;

  int64_t outputs() const { return width * 2 << blocks.size(); }
  /// Returns the factor by which the result is smaller than the image, along each axis.
  int64_t reduction() const { return int64_t(2) << blocks.size(); }
};

/// Returns an image with `value` around it. The border is so wide that windows of `size` elements, `stride` apart, give
/// ceil(n / stride) results along an axis of n elements.
inline Tensor padded_alike(const Tensor &image, int64_t size, int64_t stride, double value, Here here) {
  std::vector<Padding> paddings;
  for (int64_t axis : {2, 3}) {
    int64_t length = image.shape()[static_cast<size_t>(axis)].value();
    int64_t zeros = std::max<int64_t>((length - 1) / stride * stride + size - length, 0);
    paddings.push_back({axis, zeros / 2, zeros - zeros / 2});
  }
  return pad(image, paddings, value, here);
}

/// A convolution whose weights are standardised: the weights of each output channel have mean 0 and variance 1.
struct StandardConv2d : nn::Conv2d {
  StandardConv2d(int64_t in, int64_t out, int64_t size, int64_t stride, Here here)
      : nn::Conv2d(in, out, size, {.stride = stride}, false, here) {}
  Tensor operator()(const Tensor &image, Here here = Here::current()) const {
    const Shape &shape = weight.shape();
    Tensor rows = layer_norm(reshape(weight, {shape[0], -1}, here), {}, {}, 1e-8, here);
    Tensor all = padded_alike(image, shape[2].value(), options.stride.height, 0, here);
    return conv2d(all, reshape(rows, shape, here), {}, options, here);
  }
};

/// A convolution with standardised weights, and the normalisation of its result.
struct NormedConv2d : nn::Module {
  StandardConv2d conv;
  nn::GroupNorm norm;
  XF_MEMBERS(conv, norm)

  NormedConv2d(int64_t in, int64_t out, int64_t size, int64_t stride, int64_t groups, Here here)
      : conv(in, out, size, stride, here), norm(groups, out, 1e-5, here) {}
  Tensor operator()(const Tensor &image, Here here = Here::current()) const { return norm(conv(image, here), here); }
};

/// relu(shortcut(x) + f(x)), where f reduces x to `middle` channels, applies a 3 x 3 convolution, and returns 4
/// `middle` channels. The shortcut is x, or a projection of x if f changes its shape.
struct Bottleneck : nn::Module {
  std::optional<NormedConv2d> downsample;
  StandardConv2d conv1, conv2, conv3;
  nn::GroupNorm norm1, norm2, norm3;
  XF_MEMBERS(downsample, conv1, norm1, conv2, norm2, conv3, norm3)

  Bottleneck(int64_t in, int64_t middle, int64_t stride, int64_t groups, Here here)
      : conv1(in, middle, 1, 1, here), conv2(middle, middle, 3, stride, here), conv3(middle, 4 * middle, 1, 1, here),
        norm1(groups, middle, 1e-5, here), norm2(groups, middle, 1e-5, here), norm3(groups, 4 * middle, 1e-5, here) {
    if (in != 4 * middle || stride != 1)
      downsample.emplace(in, 4 * middle, 1, stride, groups, here);
  }
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    Tensor y = relu(norm1(conv1(x, here), here), here);
    y = relu(norm2(conv2(y, here), here), here);
    y = norm3(conv3(y, here), here);
    return relu(y + (downsample ? (*downsample)(x, here) : x), here);
  }
};

/// A ResNet without its classifier: B x channels x H x W becomes B x outputs() x H / reduction() x W / reduction().
struct ResNet : nn::Module {
  struct Stage : nn::Module {
    std::vector<Bottleneck> blocks;
    XF_MEMBERS(blocks)
  };
  NormedConv2d stem;
  std::vector<Stage> stages;
  XF_MEMBERS(stem, stages)

  explicit ResNet(const ResNetOptions &o, Here here = Here::current())
      : stem(o.channels, o.width, 7, 2, o.groups, here) {
    int64_t in = o.width, middle = o.width;
    for (int64_t count : o.blocks) {
      Stage &stage = stages.emplace_back();
      for (int64_t n = 0; n < count; ++n, in = 4 * middle)
        stage.blocks.emplace_back(in, middle, n == 0 && middle > o.width ? 2 : 1, o.groups, here);
      middle *= 2;
    }
  }
  /// Computes the feature map of `images`, whose height and width are static.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = relu(stem(images, here), here);
    x = max_pool(padded_alike(x, 3, 2, -HUGE_VAL, here), {.size = 3, .stride = 2}, here);
    for (const Stage &stage : stages)
      for (const Bottleneck &block : stage.blocks)
        x = block(x, here);
    return x;
  }
};

} // namespace xf::models

#endif // XF_MODELS_PARTS_RESNET_H
