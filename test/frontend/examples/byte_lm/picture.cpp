//===- picture.cpp - What is drawn -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picture.h"
#include "Folder.h"

#include <gtest/gtest.h>
#include <zlib.h>

using namespace byte_lm;

static const xf::Pattern pattern = xf::heads({xf::fixed(4, 1).local(), xf::fixed(4, 1).column()});

TEST(Picture, ShowsWhatEachHeadSees) {
  Picture picture(pattern, 2, 8);
  EXPECT_EQ(picture.at(0, 2, 2), Cell::own);
  EXPECT_EQ(picture.at(0, 2, 1), Cell::seen);
  EXPECT_EQ(picture.at(0, 4, 3), Cell::unseen); // the block before
  EXPECT_EQ(picture.at(0, 2, 3), Cell::future);
  EXPECT_EQ(picture.at(1, 6, 3), Cell::seen); // its summary
  EXPECT_EQ(picture.at(1, 6, 6), Cell::unseen);
}

TEST(Picture, SvgHasOneRectangleForARunOfCells) {
  Folder folder;
  Picture(xf::causal(), 1, 3).writeSvg(folder.path / "p.svg");
  EXPECT_EQ(folder.read("p.svg"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 3 3\" shape-rendering=\"crispEdges\">\n"
            "<path fill=\"#e2e2e2\" d=\"M1 0h2v1h-2zM2 1h1v1h-1z\"/>\n"
            "<path fill=\"#ffffff\" d=\"\"/>\n"
            "<path fill=\"#6ba3d6\" d=\"M0 1h1v1h-1zM0 2h2v1h-2z\"/>\n"
            "<path fill=\"#14366b\" d=\"M0 0h1v1h-1zM1 1h1v1h-1zM2 2h1v1h-1z\"/>\n"
            "</svg>\n");
}

static uint32_t numberAt(const std::string &bytes, size_t at) {
  uint32_t number = 0;
  for (size_t n = 0; n < 4; ++n)
    number = number << 8 | static_cast<uint8_t>(bytes[at + n]);
  return number;
}

TEST(Picture, PngUnpacksToItsPixels) {
  Folder folder;
  Picture(xf::causal(), 1, 2).writePng(folder.path / "p.png");
  std::string file = folder.read("p.png");
  ASSERT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(numberAt(file, 16), 6u); // three pixels to a cell
  EXPECT_EQ(numberAt(file, 20), 6u);
  size_t data = 8 + 12 + 13, length = numberAt(file, data);
  EXPECT_EQ(file.substr(data + 4, 4), "IDAT");
  EXPECT_EQ(numberAt(file, data + 8 + length),
            crc32(0, reinterpret_cast<const Bytef *>(file.data()) + data + 4, length + 4));
  std::string pixels(6 * (1 + 6 * 3), '\0');
  uLongf size = pixels.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef *>(pixels.data()), &size,
                       reinterpret_cast<const Bytef *>(file.data()) + data + 8, length),
            Z_OK);
  ASSERT_EQ(size, pixels.size());
  EXPECT_EQ(pixels.substr(1, 3), "\x14\x36\x6b");     // own
  EXPECT_EQ(pixels.substr(1 + 9, 3), "\xe2\xe2\xe2"); // future
  EXPECT_EQ(pixels.substr(3 * 19 + 1, 3), "\x6b\xa3\xd6");
}

TEST(Picture, SaysWhereItCannotWrite) {
  EXPECT_THROW(Picture(xf::causal(), 1, 2).writePng("/nowhere/p.png"), std::runtime_error);
}
