//===- sentences.cpp - Rows of ids from files -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "embed/Sentences.h"
#include "runtime/tools/Npy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace xf::programs;

namespace {
/// A file that is removed with the test.
class File {
public:
  explicit File(const std::string &text) : path(::testing::TempDir() + "xf-sentences") { std::ofstream(path) << text; }
  ~File() { std::filesystem::remove(path); }
  std::string path;
};
} // namespace

static std::string messageOf(const std::string &text) {
  File file(text);
  try {
    readSentences(file.path, 100, 4);
  } catch (const std::runtime_error &error) {
    return std::string(error.what()).substr(file.path.size());
  }
  return "no error";
}

TEST(Sentences, AreLinesOfNumbers) {
  File file("1 22,3\n\t99 , 0 \r\n7");
  EXPECT_EQ(readSentences(file.path, 100, 4), (std::vector<Sentence>{{1, 22, 3}, {99, 0}, {7}}));
}

TEST(Sentences, AreRowsThatANegativeNumberEnds) {
  xfrt::tools::Tensor tensor;
  std::string error, path = ::testing::TempDir() + "xf-sentences.npy";
  ASSERT_TRUE(tensor.allocate(XFRT_I64, {2, 3}, error));
  int64_t ids[] = {5, -1, 7, 1, 2, 3};
  for (int64_t n = 0; n < 6; ++n)
    tensor.setInteger(n, ids[n]);
  ASSERT_TRUE(xfrt::tools::writeNpy(path, tensor, error));
  EXPECT_EQ(readSentences(path, 100, 4), (std::vector<Sentence>{{5}, {1, 2, 3}}));
  std::filesystem::remove(path);
}

TEST(Sentences, AreRefusedAtTheirLine) {
  EXPECT_EQ(messageOf(""), ": expected at least one sentence, found none");
  EXPECT_EQ(messageOf("1\n\n2\n"), ":2: expected 1 to 4 ids, found 0");
  EXPECT_EQ(messageOf("1 2 3 4 5\n"), ":1: expected 1 to 4 ids, found 5");
  EXPECT_EQ(messageOf("1\n100\n"), ":2: expected ids between 0 and 99, found 100");
  EXPECT_EQ(messageOf("-3\n"), ":1: expected ids between 0 and 99, found -3");
  EXPECT_EQ(messageOf("1\n2 the cat\n"), ":2: expected ids, found 'the cat'");
  EXPECT_EQ(messageOf("99999999999\n"), ":1: expected ids, found '99999999999'");
  EXPECT_THROW(readSentences("/absent/ids.txt", 100, 4), std::runtime_error);
  EXPECT_THROW(readSentences("/absent/ids.npy", 100, 4), std::runtime_error);
  EXPECT_THROW(readSentences(::testing::TempDir(), 100, 4), std::runtime_error);
}
