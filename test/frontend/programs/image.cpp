//===- image.cpp - Pictures from files -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "classify/Image.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <jpeglib.h>
#include <png.h>

using namespace xf::programs;

namespace {
/// A file that is removed with the test.
class File {
public:
  explicit File(const std::string &bytes) : path(::testing::TempDir() + "xf-image") {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path); }
  std::string path;
};
} // namespace

static Image pattern(int64_t height, int64_t width) {
  Image image = {height, width, {}};
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      for (int64_t channel = 0; channel < 3; ++channel)
        image.pixels.push_back(static_cast<uint8_t>(37 * y + 11 * x * x + 71 * channel + x * y));
  return image;
}

static std::string pixelBytes(const Image &image) { return {image.pixels.begin(), image.pixels.end()}; }

static std::string encodePng(const Image &image, png_uint_32 format) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = format;
  png_alloc_size_t size = 0;
  EXPECT_TRUE(png_image_write_to_memory(&png, nullptr, &size, 0, image.pixels.data(), 0, nullptr));
  std::string bytes(size, '\0');
  EXPECT_TRUE(png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr));
  return bytes.substr(0, size);
}

static std::string encodeJpeg(const Image &image) {
  jpeg_compress_struct codec = {};
  jpeg_error_mgr errors = {};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char *memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &memory, &size);
  codec.image_width = static_cast<JDIMENSION>(image.width);
  codec.image_height = static_cast<JDIMENSION>(image.height);
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, 100, TRUE);
  jpeg_start_compress(&codec, TRUE);
  for (int64_t y = 0; y < image.height; ++y) {
    JSAMPROW row = const_cast<uint8_t *>(image.pixels.data()) + y * image.width * 3;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  std::string bytes(reinterpret_cast<char *>(memory), size);
  free(memory);
  return bytes;
}

static std::string messageOf(const std::string &bytes) {
  File file(bytes);
  try {
    readImage(file.path);
  } catch (const std::runtime_error &error) {
    return std::string(error.what()).substr(file.path.size());
  }
  return "no error";
}

TEST(Image, ReadsPpm) {
  Image image = pattern(5, 9);
  File file("P6\n# a comment\n9 5\n255\n" + pixelBytes(image));
  Image read = readImage(file.path);
  EXPECT_EQ(read.height, 5);
  EXPECT_EQ(read.width, 9);
  EXPECT_EQ(read.pixels, image.pixels);
}

TEST(Image, ReadsPng) {
  Image image = pattern(5, 9);
  File file(encodePng(image, PNG_FORMAT_RGB));
  Image read = readImage(file.path);
  EXPECT_EQ(read.height, 5);
  EXPECT_EQ(read.width, 9);
  EXPECT_EQ(read.pixels, image.pixels);
}

TEST(Image, ShowsWhiteThroughTransparentPixelsAndGrayInAllChannels) {
  File transparent(encodePng({1, 1, {10, 20, 30, 0}}, PNG_FORMAT_RGBA));
  EXPECT_EQ(readImage(transparent.path).pixels, (std::vector<uint8_t>{255, 255, 255}));
  File gray(encodePng({1, 2, {7, 200}}, PNG_FORMAT_GRAY));
  EXPECT_EQ(readImage(gray.path).pixels, (std::vector<uint8_t>{7, 7, 7, 200, 200, 200}));
}

TEST(Image, ReadsJpeg) {
  Image image = {16, 24, std::vector<uint8_t>(16 * 24 * 3, 130)}; // one colour survives compression
  File file(encodeJpeg(image));
  Image read = readImage(file.path);
  EXPECT_EQ(read.height, 16);
  EXPECT_EQ(read.width, 24);
  EXPECT_EQ(read.pixels, image.pixels);
}

TEST(Image, RefusesWhatIsNoImage) {
  std::string png = encodePng(pattern(50, 90), PNG_FORMAT_RGB), jpeg = encodeJpeg(pattern(50, 90));
  EXPECT_EQ(messageOf(""), ": expected a PNG, JPEG or binary PPM file, found an empty file");
  EXPECT_EQ(messageOf("GIF89a"), ": expected a PNG, JPEG or binary PPM file, found other first bytes");
  EXPECT_EQ(messageOf("P6 2 2 65535\n"), ": expected 8 bits per channel (a highest value of 255), found 65535");
  EXPECT_EQ(messageOf("P6 2 2 255\nabc"), ": expected 12 bytes of pixels, found 3");
  EXPECT_EQ(messageOf("P6 2"), ": expected a positive height in the header of a PPM file, found none");
  EXPECT_EQ(messageOf("P6 2000000000 2000000000 255\n"),
            ": expected between 1 and 134217728 pixels, found 2000000000 x 2000000000");
  EXPECT_TRUE(messageOf(png.substr(0, 20)).starts_with(": expected a PNG file, found "));
  EXPECT_TRUE(messageOf(png.substr(0, png.size() / 2)).starts_with(": expected a whole PNG file, found "));
  EXPECT_TRUE(messageOf(jpeg.substr(0, jpeg.size() / 2)).starts_with(": expected a whole JPEG file, found "));
  EXPECT_TRUE(messageOf(jpeg.substr(0, 4)).starts_with(": expected a whole JPEG file, found "));
  EXPECT_THROW(readImage("/absent/image.png"), std::runtime_error);
  EXPECT_THROW(readImage(::testing::TempDir()), std::runtime_error);
}

/// Compares the first channel, and the sum of the third, with numbers that Pillow 13.0 computes in its mode "F".
static void expectResized(const Image &image, int64_t size, const std::vector<float> &first, double sumOfThird) {
  xf::Array input = modelInput(image, size, {{.5f, .25f, 0}, {2, 4, 1.f / 255}});
  ASSERT_EQ(input.shape(), (std::vector<int64_t>{1, 3, size, size}));
  auto numbers = input.data<float>();
  for (size_t n = 0; n < first.size(); ++n)
    EXPECT_NEAR(numbers[n], (first[n] / 255 - .5f) / 2, 1e-6) << n;
  double sum = 0;
  for (size_t n = 2 * first.size(); n < 3 * first.size(); ++n)
    sum += numbers[n];
  EXPECT_NEAR(sum, sumOfThird, 1e-2);
}

TEST(Image, ResizesAsPillowDoes) {
  expectResized(pattern(5, 9), 4,
                {22.97143f, 102.7195f, 99.f, 121.9286f, 67.10476f, 125.8008f, 124.7561f, 133.8429f, 111.2381f,
                 139.5163f, 101.0813f, 100.0429f, 155.3714f, 106.4024f, 116.9512f, 130.2429f},
                2007.6934);
  expectResized(pattern(3, 2), 5,
                {0.f,   1.1f, 5.5f,  9.9f,   11.f,  14.8f,  15.94f, 20.5f, 25.06f, 26.2f, 37.f,  38.2f, 43.f,
                 47.8f, 49.f, 59.2f, 60.46f, 65.5f, 70.54f, 71.8f,  74.f,  75.3f,  80.5f, 85.7f, 87.f},
                4625);
}
