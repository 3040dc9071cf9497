//===- Image.cpp - Pictures from files, as the input of a model -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <jpeglib.h>
#include <png.h>

using namespace xf;
using namespace xf::programs;

using Bytes = std::vector<uint8_t>;

static constexpr int64_t mostPixels = int64_t{1} << 27;
static constexpr int64_t channels = 3;

[[noreturn]] static void refuse(const std::string &path, const std::string &expected, const std::string &found) {
  throw std::runtime_error(path + ": expected " + expected + ", found " + found);
}

static Bytes readFile(const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    refuse(path, "an image file", "a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(path + ": " + std::strerror(errno));
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

static Image blank(const std::string &path, int64_t height, int64_t width) {
  if (height < 1 || width < 1 || height > mostPixels / width)
    refuse(path, "between 1 and " + std::to_string(mostPixels) + " pixels",
           std::to_string(height) + " x " + std::to_string(width));
  return {height, width, Bytes(static_cast<size_t>(height * width * channels))};
}

//===----------------------------------------------------------------------===//
// PPM
//===----------------------------------------------------------------------===//

namespace {
/// Reads the header of a PPM file: numbers between white space and comments.
class PpmHeader {
public:
  PpmHeader(const std::string &path, const Bytes &bytes) : path(path), bytes(bytes) {}

  int64_t number(const char *what) {
    skipSpace();
    const char *begin = reinterpret_cast<const char *>(bytes.data()) + position;
    int32_t value = 0;
    auto [end, error] = std::from_chars(begin, reinterpret_cast<const char *>(bytes.data()) + bytes.size(), value);
    if (error != std::errc() || value < 1)
      refuse(path, std::string("a positive ") + what + " in the header of a PPM file", "none");
    position += static_cast<size_t>(end - begin);
    return value;
  }
  /// Returns where the pixels begin: behind one character of white space.
  size_t end() const { return position + 1; }

private:
  void skipSpace() {
    while (position < bytes.size() && (std::isspace(bytes[position]) || bytes[position] == '#')) {
      if (bytes[position] == '#')
        while (position < bytes.size() && bytes[position] != '\n')
          ++position;
      else
        ++position;
    }
  }

  const std::string &path;
  const Bytes &bytes;
  size_t position = 2;
};
} // namespace

static Image decodePpm(const std::string &path, const Bytes &bytes) {
  PpmHeader header(path, bytes);
  int64_t width = header.number("width"), height = header.number("height"), highest = header.number("highest value");
  if (highest != 255)
    refuse(path, "8 bits per channel (a highest value of 255)", std::to_string(highest));
  size_t begin = header.end(), held = bytes.size() > begin ? bytes.size() - begin : 0;
  Image image = blank(path, height, width);
  if (held < image.pixels.size())
    refuse(path, std::to_string(image.pixels.size()) + " bytes of pixels", std::to_string(held));
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), image.pixels.size(), image.pixels.begin());
  return image;
}

//===----------------------------------------------------------------------===//
// PNG, JPEG
//===----------------------------------------------------------------------===//

static Image decodePng(const std::string &path, const Bytes &bytes) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    refuse(path, "a PNG file", png.message);
  png.format = PNG_FORMAT_RGB;
  Image image;
  try {
    image = blank(path, png.height, png.width);
  } catch (...) {
    png_image_free(&png);
    throw;
  }
  png_color white = {255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr))
    refuse(path, "a whole PNG file", png.message);
  return image;
}

namespace {
/// An error handler of libjpeg. libjpeg expects that the handler does not return, so the handler jumps (longjmp) back
/// to decodeJpeg.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf start;
  char message[JMSG_LENGTH_MAX];
};
} // namespace

static void leave(j_common_ptr codec) {
  auto *errors = reinterpret_cast<JpegErrors *>(codec->err);
  codec->err->format_message(codec, errors->message);
  std::longjmp(errors->start, 1);
}

/// Treats a warning as an error, because libjpeg warns of missing or damaged data.
static void warn(j_common_ptr codec, int level) {
  if (level < 0)
    leave(codec);
}

/// Decodes the header, then the pixels into memory from `allocate`. Returns false after an error, and stores it in
/// `errors`. Must not have objects with destructors, because longjmp skips them.
static bool decodeJpeg(const Bytes &bytes, JpegErrors &errors, uint8_t *(*allocate)(void *, int64_t, int64_t),
                       void *context) {
  jpeg_decompress_struct codec = {};
  codec.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  errors.manager.emit_message = warn;
  if (setjmp(errors.start)) {
    jpeg_destroy_decompress(&codec);
    return false;
  }
  jpeg_create_decompress(&codec);
  jpeg_mem_src(&codec, bytes.data(), bytes.size());
  jpeg_read_header(&codec, TRUE);
  codec.out_color_space = JCS_RGB;
  jpeg_start_decompress(&codec);
  uint8_t *pixels = allocate(context, codec.output_height, codec.output_width);
  while (pixels && codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels + size_t{codec.output_scanline} * codec.output_width * channels;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  if (pixels)
    jpeg_finish_decompress(&codec);
  jpeg_destroy_decompress(&codec);
  return true;
}

static Image decodeJpeg(const std::string &path, const Bytes &bytes) {
  struct Context {
    const std::string &path;
    Image image;
    std::exception_ptr failure;
  } context = {path, {}, {}};
  // Exceptions do not pass through the C code of libjpeg.
  auto allocate = [](void *opaque, int64_t height, int64_t width) -> uint8_t * {
    auto &own = *static_cast<Context *>(opaque);
    try {
      own.image = blank(own.path, height, width);
      return own.image.pixels.data();
    } catch (...) {
      own.failure = std::current_exception();
      return nullptr;
    }
  };
  JpegErrors errors = {};
  if (!decodeJpeg(bytes, errors, allocate, &context))
    refuse(path, "a whole JPEG file", errors.message);
  if (context.failure)
    std::rethrow_exception(context.failure);
  return std::move(context.image);
}

Image programs::readImage(const std::string &path) {
  Bytes bytes = readFile(path);
  auto begins = [&](std::initializer_list<uint8_t> with) {
    return bytes.size() >= with.size() && std::equal(with.begin(), with.end(), bytes.begin());
  };
  if (begins({0x89, 'P', 'N', 'G'}))
    return decodePng(path, bytes);
  if (begins({0xFF, 0xD8, 0xFF}))
    return decodeJpeg(path, bytes);
  if (begins({'P', '6'}))
    return decodePpm(path, bytes);
  refuse(path, "a PNG, JPEG or binary PPM file", bytes.empty() ? "an empty file" : "other first bytes");
}

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

namespace {
/// A pixel of the result along one axis: the pixels of the image that contribute to it, from `first` on, and their
/// weights. The weights add up to 1.
struct Filter {
  int64_t first;
  std::vector<float> weights;
};
} // namespace

static Filter triangle(int64_t from, int64_t to, int64_t place) {
  double scale = static_cast<double>(from) / static_cast<double>(to), radius = std::max(scale, 1.0);
  double centre = (static_cast<double>(place) + .5) * scale;
  int64_t first = std::max<int64_t>(static_cast<int64_t>(centre - radius + .5), 0);
  int64_t last = std::min<int64_t>(static_cast<int64_t>(centre + radius + .5), from);
  Filter filter = {first, {}};
  double sum = 0;
  for (int64_t n = first; n < last; ++n) {
    double distance = std::abs(static_cast<double>(n) + .5 - centre) / radius;
    filter.weights.push_back(static_cast<float>(std::max(1 - distance, 0.0)));
    sum += filter.weights.back();
  }
  for (float &weight : filter.weights)
    weight /= static_cast<float>(sum);
  return filter;
}

/// Resizes `lines` lines of `from` pixels to `to` pixels each, and exchanges the axes: lines x from x channels becomes
/// to x lines x channels.
template <typename Number>
static std::vector<float> resizeLines(const std::vector<Number> &pixels, int64_t lines, int64_t from, int64_t to) {
  std::vector<float> result(static_cast<size_t>(lines * to * channels));
  for (int64_t place = 0; place < to; ++place) {
    Filter filter = triangle(from, to, place);
    for (int64_t line = 0; line < lines; ++line) {
      const Number *pixel = pixels.data() + (line * from + filter.first) * channels;
      float *sum = result.data() + (place * lines + line) * channels;
      for (float weight : filter.weights)
        for (int64_t channel = 0; channel < channels; ++channel)
          sum[channel] += weight * static_cast<float>(*pixel++);
    }
  }
  return result;
}

Array programs::modelInput(const Image &image, int64_t size, const Normalization &normalization) {
  std::vector<float> columns = resizeLines(image.pixels, image.height, image.width, size); // size x height
  std::vector<float> pixels = resizeLines(columns, size, image.height, size);              // height x width again
  Array input(f32, {1, channels, size, size});
  float *target = input.data<float>().data();
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t n = 0; n < size * size; ++n) {
      float mean = normalization.mean[static_cast<size_t>(channel)];
      float deviation = normalization.deviation[static_cast<size_t>(channel)];
      *target++ = (pixels[static_cast<size_t>(n * channels + channel)] / 255 - mean) / deviation;
    }
  return input;
}
