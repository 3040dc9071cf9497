//===- Picture.cpp - The attention pattern as a picture -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <zlib.h>

using namespace byte_lm;

/// A cell's side in the PNG, and the gap between heads, in cells.
static constexpr int64_t cellPixels = 3, gap = 4;

using Colour = std::array<uint8_t, 3>;
static constexpr Colour paper{255, 255, 255};

static Colour colourOf(Cell cell) {
  static constexpr Colour colours[] = {{226, 226, 226}, {255, 255, 255}, {107, 163, 214}, {20, 54, 107}};
  return colours[static_cast<size_t>(cell)];
}

Picture::Picture(const xf::Pattern &pattern, int64_t heads, int64_t size) : heads(heads), size(size) {
  cells.reserve(heads * size * size);
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j) {
        bool seen = xf::contains(pattern, head, i, j, size);
        Cell other = j > i ? Cell::future : Cell::unseen;
        cells.push_back(!seen ? other : i == j ? Cell::own : Cell::seen);
      }
}

static void writeFile(const std::filesystem::path &path, const char *data, size_t count) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(data, static_cast<std::streamsize>(count)).flush())
    throw std::runtime_error("expected to write '" + path.string() + "', and could not");
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

std::string Picture::svg() const {
  int64_t width = heads * (size + gap) - gap;
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(width) + " " +
                     std::to_string(size) + "\" shape-rendering=\"crispEdges\">\n";
  for (Cell kind : {Cell::future, Cell::unseen, Cell::seen, Cell::own}) {
    auto [red, green, blue] = colourOf(kind);
    char colour[8];
    std::snprintf(colour, sizeof(colour), "#%02x%02x%02x", red, green, blue);
    text += "<path fill=\"" + std::string(colour) + "\" d=\"";
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0, end; j < size; j = end + 1) { // one rectangle for each run of equal cells
          for (end = j; end < size && at(head, i, end) == kind; ++end)
            ;
          if (end > j)
            text += "M" + std::to_string(head * (size + gap) + j) + " " + std::to_string(i) + "h" +
                    std::to_string(end - j) + "v1h-" + std::to_string(end - j) + "z";
        }
    text += "\"/>\n";
  }
  return text + "</svg>\n";
}

void Picture::writeSvg(const std::filesystem::path &path) const {
  std::string text = svg();
  writeFile(path, text.data(), text.size());
}

//===----------------------------------------------------------------------===//
// PNG: a signature, and chunks of length, name, data and CRC (RFC 2083)
//===----------------------------------------------------------------------===//

static void appendNumber(std::vector<uint8_t> &bytes, uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(number >> shift));
}

static void appendChunk(std::vector<uint8_t> &file, const std::string &name, const std::vector<uint8_t> &data) {
  appendNumber(file, static_cast<uint32_t>(data.size()));
  size_t start = file.size();
  file.insert(file.end(), name.begin(), name.end());
  file.insert(file.end(), data.begin(), data.end());
  appendNumber(file, static_cast<uint32_t>(crc32(0, file.data() + start, static_cast<uInt>(file.size() - start))));
}

std::vector<uint8_t> Picture::png() const {
  int64_t width = (heads * (size + gap) - gap) * cellPixels, height = size * cellPixels;
  std::vector<uint8_t> pixels;
  for (int64_t y = 0; y < height; ++y) {
    pixels.push_back(0); // no filter
    for (int64_t x = 0; x < width; ++x) {
      int64_t column = x / cellPixels, head = column / (size + gap), j = column % (size + gap);
      Colour colour = j < size ? colourOf(at(head, y / cellPixels, j)) : paper;
      pixels.insert(pixels.end(), colour.begin(), colour.end());
    }
  }
  std::vector<uint8_t> packed(compressBound(pixels.size()));
  uLongf packedSize = packed.size();
  if (compress(packed.data(), &packedSize, pixels.data(), pixels.size()) != Z_OK)
    throw std::runtime_error("expected memory to pack a picture, and there was none");
  packed.resize(packedSize);

  std::vector<uint8_t> header;
  appendNumber(header, static_cast<uint32_t>(width));
  appendNumber(header, static_cast<uint32_t>(height));
  header.insert(header.end(), {8, 2, 0, 0, 0}); // 8 bits, RGB, deflate, no interlace
  std::vector<uint8_t> file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  appendChunk(file, "IHDR", header);
  appendChunk(file, "IDAT", packed);
  appendChunk(file, "IEND", {});
  return file;
}

void Picture::writePng(const std::filesystem::path &path) const {
  std::vector<uint8_t> file = png();
  writeFile(path, reinterpret_cast<const char *>(file.data()), file.size());
}
