//===- PicturePng.cpp - Pictures as PNG -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signature, then chunks of length, name, data and CRC (RFC 2083). Pixels are indices into a palette.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/PictureColours.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::xf::pattern;

namespace {
/// An image of palette indices, row by row. Index 0 is the colour of the paper, which is also the colour of Unseen
/// squares.
struct Pixels {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> indices;
};
} // namespace

/// The palette index of the lines between tiles. It follows the indices of the squares' colours.
static constexpr uint8_t lineIndex = std::size(squareColours);

static int64_t pixelsPerSquare(const Panel &panel) {
  return std::max<int64_t>(1, 512 / std::max<int64_t>(panel.columns, 1));
}

static void paint(const Panel &panel, int64_t left, int64_t top, Pixels &pixels) {
  constexpr int64_t leastScale = 4; // pixels per square, so that lines leave part of it visible
  int64_t scale = pixelsPerSquare(panel);
  auto isLine = [&](int64_t y, int64_t x) {
    return scale >= leastScale && ((x % scale == 0 && panel.hasLineLeft(y / scale, x / scale)) ||
                                   (y % scale == 0 && panel.hasLineAbove(y / scale, x / scale)));
  };
  for (int64_t y = 0; y < panel.rows * scale; ++y)
    for (int64_t x = 0; x < panel.columns * scale; ++x)
      pixels.indices[(top + y) * pixels.width + left + x] = isLine(y, x) ? lineIndex : panel.at(y / scale, x / scale);
}

static Pixels paint(const Picture &picture) {
  Pixels pixels;
  for (const PictureRow &row : picture) {
    int64_t width = -panelGap, height = 0;
    for (const Panel &panel : row.panels) {
      width += panel.columns * pixelsPerSquare(panel) + panelGap;
      height = std::max(height, panel.rows * pixelsPerSquare(panel));
    }
    pixels.width = std::max(pixels.width, width);
    pixels.height += height + (pixels.height == 0 ? 0 : panelGap);
  }
  pixels.indices.assign(pixels.width * pixels.height, Unseen);
  int64_t top = 0;
  for (const PictureRow &row : picture) {
    int64_t left = 0, height = 0;
    for (const Panel &panel : row.panels) {
      paint(panel, left, top, pixels);
      left += panel.columns * pixelsPerSquare(panel) + panelGap;
      height = std::max(height, panel.rows * pixelsPerSquare(panel));
    }
    top += height + panelGap;
  }
  return pixels;
}

static void appendNumber(std::string &bytes, uint32_t number) {
  char text[4];
  llvm::support::endian::write32be(text, number);
  bytes.append(text, sizeof(text));
}

static void appendChunk(std::string &file, StringRef name, StringRef data) {
  appendNumber(file, data.size());
  size_t start = file.size();
  file.append(name);
  file.append(data);
  appendNumber(file, llvm::crc32(llvm::arrayRefFromStringRef(StringRef(file).substr(start))));
}

/// Returns `data` as a zlib stream. The stream is uncompressed if LLVM was built without zlib.
static std::string pack(const std::string &data) {
  if (llvm::compression::zlib::isAvailable()) {
    SmallVector<uint8_t, 0> packed;
    llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(data), packed);
    return std::string(packed.begin(), packed.end());
  }
  std::string stored = "\x78\x01";
  uint32_t a = 1, b = 0; // Adler-32 (RFC 1950)
  for (unsigned char byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  constexpr size_t longest = 65535;
  for (size_t begin = 0; begin < data.size(); begin += longest) {
    size_t length = std::min(longest, data.size() - begin);
    stored += char(begin + length == data.size()); // last block or not, stored
    for (size_t number : {length, ~length})
      stored += {char(number & 255), char(number >> 8 & 255)};
    stored.append(data, begin, length);
  }
  appendNumber(stored, b << 16 | a);
  return stored;
}

std::string mlir::xf::pattern::toPng(const Picture &picture) {
  Pixels pixels = paint(picture);
  std::string header, palette, rows;
  appendNumber(header, pixels.width);
  appendNumber(header, pixels.height);
  header.append({8, 3, 0, 0, 0}); // 8 bits, palette, deflate, no filter types, no interlace
  for (Colour colour : squareColours)
    palette.append(colour.begin(), colour.end());
  palette.append(lineColour.begin(), lineColour.end());
  for (int64_t y = 0; y < pixels.height; ++y) {
    rows += '\0'; // no filter
    rows.append(pixels.indices.begin() + y * pixels.width, pixels.indices.begin() + (y + 1) * pixels.width);
  }
  std::string file = "\x89PNG\r\n\x1a\n";
  appendChunk(file, "IHDR", header);
  appendChunk(file, "PLTE", palette);
  appendChunk(file, "IDAT", pack(rows));
  appendChunk(file, "IEND", "");
  return file;
}
