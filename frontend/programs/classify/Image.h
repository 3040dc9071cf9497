//===- Image.h - Pictures from files, as the input of a model --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_IMAGE_H
#define XF_PROGRAMS_IMAGE_H

#include <xf/array.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace xf::programs {

/// Pixels of red, green and blue, height x width x 3, row-major.
struct Image {
  int64_t height = 0, width = 0;
  std::vector<uint8_t> pixels;
};

/// Reads a PNG, a JPEG or a binary PPM (P6) file with 8 bits per channel. Recognises the format by the first bytes.
/// Transparent pixels become white, and gray ones get three equal channels. Throws std::runtime_error, which names the
/// file, if the file cannot be read, has another format or is damaged, or if the image has more than 2^27 pixels.
Image readImage(const std::string &path);

/// Normalisation of a channel's values x in [0, 1]: (x - mean) / deviation.
struct Normalization {
  std::array<float, 3> mean, deviation;
};

/// Returns the image resized to `size` x `size` pixels and normalised: 1 x 3 x size x size, f32. Each pixel of the
/// result is a mean of pixels, weighted by a triangle as wide as two pixels of the smaller image. This is "bilinear
/// with antialiasing" of Pillow and torchvision, but computed in floats.
Array modelInput(const Image &image, int64_t size, const Normalization &normalization);

} // namespace xf::programs

#endif // XF_PROGRAMS_IMAGE_H
