//===- corpus.cpp - Reading text and cutting windows -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "training/Corpus.h"
#include "Folder.h"

#include <gtest/gtest.h>

using namespace xf::programs;

/// An output folder that holds no text.
static const std::filesystem::path nowhere = "/absent/output";

static std::vector<uint8_t> counting(size_t count) {
  std::vector<uint8_t> bytes;
  for (size_t n = 0; n < count; ++n)
    bytes.push_back(static_cast<uint8_t>(n));
  return bytes;
}

TEST(Corpus, ReadsFoldersInOrderAndHoldsTheEndOut) {
  Folder folder;
  folder.write("b/second", "3456789");
  folder.write("a", "012");
  Corpus corpus = readCorpus({folder.path}, nowhere, 0.2, 1, 1000);
  EXPECT_EQ(std::string(corpus.training.begin(), corpus.training.end()), "01234567");
  EXPECT_EQ(std::string(corpus.validation.begin(), corpus.validation.end()), "89");
  EXPECT_EQ(corpus.files, 2u);
}

TEST(Corpus, LeavesCopiesAndBinariesOut) {
  Folder folder;
  folder.write("a", "text");
  folder.write("b", "text");
  folder.write("c", std::string("bin\0ary", 7));
  EXPECT_EQ(readCorpus({folder.path}, nowhere, 0, 1, 1000).files, 1u);
}

TEST(Corpus, StopsAtTheLimit) {
  Folder folder;
  folder.write("a", "0123");
  folder.write("b", "4567");
  EXPECT_EQ(readCorpus({folder.path}, nowhere, 0, 1, 6).training.size(), 6u);
}

TEST(Corpus, RefusesTooLittleAndWhatIsNotThere) {
  Folder folder;
  folder.write("a", "0123");
  EXPECT_THROW(readCorpus({folder.path}, nowhere, 0, 5, 1000), std::runtime_error);
  EXPECT_THROW(readCorpus({folder.path / "absent"}, nowhere, 0, 1, 1000), std::runtime_error);
}

TEST(Corpus, SaysWhichPathCannotBeRead) {
  Folder folder;
  try {
    readCorpus({folder.path / "absent"}, nowhere, 0, 1, 1000);
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_EQ(error.what(),
              "expected a readable file or folder, got '" + (folder.path / "absent").string() + "': no such file");
  }
  EXPECT_THROW(readCorpus({"/dev/null"}, nowhere, 0, 1, 1000), std::runtime_error);
}

TEST(Corpus, LeavesLinksToNothingOut) {
  Folder folder;
  folder.write("a", "0123");
  std::filesystem::create_symlink(folder.path / "absent", folder.path / "b");
  EXPECT_EQ(readCorpus({folder.path}, nowhere, 0, 1, 1000).files, 1u);
}

TEST(Corpus, LeavesTheOutputFolderOut) {
  Folder folder;
  folder.write("text/a", "0123");
  folder.write("text/out/pattern.svg", "<svg>");
  folder.write("text/out/deeper/b", "4567");
  folder.write("text/outside", "89");
  std::filesystem::create_symlink(folder.path / "text/out/pattern.svg", folder.path / "text/picture");
  std::filesystem::create_directory_symlink(folder.path / "text/out", folder.path / "alias");
  for (const char *output : {"text/out", "text/out/", "alias", "text/../text/./out"}) {
    Corpus corpus = readCorpus({folder.path / "text"}, folder.path / output, 0, 1, 1000);
    EXPECT_EQ(std::string(corpus.training.begin(), corpus.training.end()), "012389") << output;
  }
}

TEST(Corpus, LeavesAnOutputFolderOutThatIsNamedFromTheCurrentOne) {
  Folder folder;
  folder.write("a", "0123");
  folder.write("out/b", "4567");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  EXPECT_EQ(readCorpus({"."}, "out", 0, 1, 1000).files, 1u);
  std::filesystem::current_path(before);
}

TEST(Corpus, ReadsAFileOfTheOutputFolderThatIsNamed) {
  Folder folder;
  folder.write("out/notes", "0123");
  EXPECT_EQ(readCorpus({folder.path / "out/notes"}, folder.path / "out", 0, 1, 1000).files, 1u);
}

TEST(Corpus, SaysThatTheOutputFolderDoesNotCount) {
  Folder folder;
  folder.write("a", "0123");
  try {
    readCorpus({folder.path}, folder.path, 0, 1, 1000);
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_EQ(error.what(), "expected at least 1 bytes of text outside of '" + folder.path.string() + "', got 0");
  }
}

TEST(Corpus, MeasuresPiecesAtEvenDistances) {
  const std::vector<uint8_t> text = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(evenlySpaced(text, 3, 2), (std::vector<uint8_t>{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(evenlySpaced(text, 1, 2), (std::vector<uint8_t>{0, 1}));
  EXPECT_EQ(evenlySpaced(text, 5, 2), text);
}

TEST(Corpus, FingerprintDiffersWithTheText) {
  Corpus a{counting(10), counting(3), 1}, b = a;
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  b.validation[2] = 9;
  EXPECT_NE(a.fingerprint(), b.fingerprint());
}

TEST(Batches, TargetsAreTheNextBytes) {
  Batch batch = randomBatch(counting(200), /*seed=*/1, /*step=*/5, /*rows=*/3, /*length=*/16);
  ASSERT_EQ(batch.tokens.size(), 48u);
  for (size_t n = 0; n < 48; ++n)
    EXPECT_EQ(batch.targets[n], batch.tokens[n] + 1);
}

TEST(Batches, AreAFunctionOfSeedAndStep) {
  std::vector<uint8_t> text = counting(250);
  EXPECT_EQ(randomBatch(text, 1, 5, 4, 8).tokens, randomBatch(text, 1, 5, 4, 8).tokens);
  EXPECT_NE(randomBatch(text, 1, 5, 4, 8).tokens, randomBatch(text, 1, 6, 4, 8).tokens);
  EXPECT_NE(randomBatch(text, 1, 5, 4, 8).tokens, randomBatch(text, 2, 5, 4, 8).tokens);
}

TEST(Batches, ReachTheLastByte) {
  std::vector<uint8_t> text = counting(9); // windows of 8 start at 0 only
  EXPECT_EQ(randomBatch(text, 1, 1, 1, 8).targets.back(), 8);
  EXPECT_THROW(randomBatch(text, 1, 1, 1, 9), std::runtime_error);
}

TEST(Batches, FollowEachOtherAndFillUpWithoutCounting) {
  std::vector<uint8_t> text = counting(4 * 3 + 2); // three windows of four
  Batch batch;
  ASSERT_TRUE(consecutiveBatch(text, 1, /*rows=*/2, /*length=*/4, batch));
  EXPECT_EQ(batch.tokens, (std::vector<int32_t>{8, 9, 10, 11, 0, 0, 0, 0}));
  EXPECT_EQ(batch.targets, (std::vector<int32_t>{9, 10, 11, 12, -100, -100, -100, -100}));
  EXPECT_FALSE(consecutiveBatch(text, 2, 2, 4, batch));
  EXPECT_FALSE(consecutiveBatch({}, 0, 2, 4, batch));
}
