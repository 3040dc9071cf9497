//===- PicturePng.cpp - Pictures as PNG -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints pictures and writes them as PNG (RFC 2083): a signature, then chunks, each with its length, name, data and
// CRC. Pixels are indices into a palette.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/PictureFont.h"
#include "compiler/Pattern/Picture/PictureLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include <cmath>

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

/// Palette indices after those of the squares' colours: lines between tiles, texts, and frames of panels.
static constexpr uint8_t lineIndex = std::size(squareColours), textIndex = lineIndex + 1, frameIndex = lineIndex + 2;
static_assert(frameIndex < FirstShade);
static constexpr Colour textColour = {0, 0, 0}, frameColour = {153, 153, 153};

static int64_t pixelsPerSquare(const Panel &panel) {
  return std::max<int64_t>(1, 512 / std::max<int64_t>(panel.columns, 1));
}

namespace {
/// Collects the elements of a picture, and paints them once the size of the picture is known.
class PngCanvas : public Canvas {
public:
  double sideOf(const Panel &panel) const override { return double(pixelsPerSquare(panel)); }
  double letterOf(double) const override { return letterPitch / 0.62; }
  size_t longestLine() const override { return 72; }
  void addText(double x, double y, StringRef text, Anchor anchor, double) override;
  void addSwatch(double x, double y, unsigned square, double letter) override;
  void addPanel(const Panel &panel, double x, double y, double) override;

  Pixels paint(const Extent &extent);

private:
  static constexpr int64_t dot = 2, letterPitch = (letterWidth + 1) * dot, margin = 8;

  struct Place {
    int64_t x, y;
  };
  struct Text : Place {
    std::string text;
  };
  struct Swatch : Place {
    int64_t side;
    uint8_t index;
  };
  struct PlacedPanel : Place {
    const Panel *panel;
  };

  static Place placeOf(double x, double y) { return {margin + std::lround(x), margin + std::lround(y)}; }
  void fill(int64_t x, int64_t y, int64_t width, int64_t height, uint8_t index);
  void paintText(const Text &text);
  void paintPanel(const PlacedPanel &placed);

  std::vector<Text> texts;
  std::vector<Swatch> swatches;
  std::vector<PlacedPanel> panels;
  Pixels pixels;
};
} // namespace

void PngCanvas::addText(double x, double y, StringRef text, Anchor anchor, double) {
  double width = double(int64_t(text.size()) * letterPitch - dot);
  double before = anchor == Anchor::Start ? 0 : anchor == Anchor::Middle ? width / 2 : width;
  texts.push_back({placeOf(x - before, y), text.str()});
}

void PngCanvas::addSwatch(double x, double y, unsigned square, double letter) {
  swatches.push_back({placeOf(x, y), std::lround(letter), static_cast<uint8_t>(square)});
}

void PngCanvas::addPanel(const Panel &panel, double x, double y, double) { panels.push_back({placeOf(x, y), &panel}); }

/// Fills a rectangle of pixels with palette index `index`, as far as it lies in the image.
void PngCanvas::fill(int64_t x, int64_t y, int64_t width, int64_t height, uint8_t index) {
  int64_t left = std::clamp<int64_t>(x, 0, pixels.width), right = std::clamp<int64_t>(x + width, left, pixels.width);
  for (int64_t row = std::max<int64_t>(y, 0); row < std::min(y + height, pixels.height); ++row)
    std::fill(&pixels.indices[row * pixels.width] + left, &pixels.indices[row * pixels.width] + right, index);
}

void PngCanvas::paintText(const Text &text) {
  int64_t x = text.x, top = text.y - (letterHeight - 1) * dot;
  for (char c : text.text) {
    const uint8_t *columns = letters[(llvm::isPrint(c) ? c : '?') - ' '];
    for (int column = 0; column < letterWidth; ++column)
      for (int row = 0; row < letterHeight; ++row)
        if (columns[column] >> row & 1)
          fill(x + column * dot, top + row * dot, dot, dot, textIndex);
    x += letterPitch;
  }
}

/// Paints the squares of a panel, the lines between its tiles, and a frame around it.
void PngCanvas::paintPanel(const PlacedPanel &placed) {
  constexpr int64_t leastScale = 4; // pixels per square, so that lines leave part of it visible
  const Panel &panel = *placed.panel;
  int64_t scale = pixelsPerSquare(panel), width = panel.columns * scale, height = panel.rows * scale;
  auto isLine = [&](int64_t y, int64_t x) {
    return scale >= leastScale && ((x % scale == 0 && panel.hasLineLeft(y / scale, x / scale)) ||
                                   (y % scale == 0 && panel.hasLineAbove(y / scale, x / scale)));
  };
  fill(placed.x - 1, placed.y - 1, width + 2, height + 2, frameIndex);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      pixels.indices[(placed.y + y) * pixels.width + placed.x + x] =
          isLine(y, x) ? lineIndex : panel.at(y / scale, x / scale);
}

Pixels PngCanvas::paint(const Extent &extent) {
  pixels.width = int64_t(std::ceil(extent.width)) + 2 * margin;
  pixels.height = int64_t(std::ceil(extent.height)) + 2 * margin;
  pixels.indices.assign(pixels.width * pixels.height, Unseen);
  for (const PlacedPanel &panel : panels)
    paintPanel(panel);
  for (const Swatch &swatch : swatches)
    fill(swatch.x, swatch.y, swatch.side, swatch.side, swatch.index);
  for (const Text &text : texts)
    paintText(text);
  return std::move(pixels);
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

static bool hasWeights(const Picture &picture) {
  return llvm::any_of(picture, [](const PictureRow &row) {
    return llvm::any_of(row.panels, [](const Panel &panel) { return !panel.weights.empty(); });
  });
}

std::string mlir::xf::pattern::toPng(const Picture &picture) {
  PngCanvas canvas;
  Extent extent = drawPicture(picture, canvas);
  Pixels pixels = canvas.paint(extent);
  std::string header, palette, rows;
  appendNumber(header, pixels.width);
  appendNumber(header, pixels.height);
  header.append({8, 3, 0, 0, 0}); // 8 bits, palette, deflate, no filter types, no interlace
  for (Colour colour : squareColours)
    palette.append(colour.begin(), colour.end());
  for (Colour colour : {lineColour, textColour, frameColour}) // lineIndex and so on
    palette.append(colour.begin(), colour.end());
  if (hasWeights(picture))
    for (unsigned square = frameIndex + 1; square < NumSquares; ++square) {
      Colour colour = colourOf(square);
      palette.append(colour.begin(), colour.end());
    }
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
