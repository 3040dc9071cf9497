//===- Corpus.h - Text for training and validation -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_CORPUS_H
#define XF_PROGRAMS_CORPUS_H

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace xf::programs {

/// The bytes of all files, split into bytes for training and bytes that are held out for validation.
struct Corpus {
  std::vector<uint8_t> training, validation;
  size_t files = 0;

  /// Returns a hash of all bytes. A resumed run recognises its text by this hash.
  uint64_t fingerprint() const;
};

/// Returns the paths of text that every Debian system has: the licences and the copyright files of packages.
std::vector<std::filesystem::path> defaultSources();

/// Reads files, and all regular files below folders, in the order of their paths, until there are `limit` bytes. Skips
/// files with the contents of an earlier file, files with a zero byte (not text), and files below a folder that cannot
/// be read. Also skips files below the folder `output` and links to them, because a run changes them, unless `sources`
/// names the file itself. Holds out the last `validationShare` of the bytes (a fraction) for validation. Throws
/// std::runtime_error if a path cannot be read or fewer than `minimum` bytes are found.
Corpus readCorpus(const std::vector<std::filesystem::path> &sources, const std::filesystem::path &output,
                  double validationShare, size_t minimum, size_t limit);

/// Returns the concatenation of `count` substrings of `length` bytes that start at equal distances in the text. Returns
/// the whole text if it has at most count x length bytes.
std::vector<uint8_t> evenlySpaced(std::span<const uint8_t> text, size_t count, size_t length);

/// A batch of windows of `length` + 1 bytes. Row r of `tokens` holds all bytes of window r except the last, row r of
/// `targets` all except the first.
struct Batch {
  std::vector<int32_t> tokens, targets;
};

/// Returns a batch of windows at random positions of the text. The positions depend only on the text, the seed and the
/// step, so that a resumed run has the same batches as an uninterrupted run.
Batch randomBatch(std::span<const uint8_t> text, uint64_t seed, uint64_t step, int64_t rows, int64_t length);

/// Cuts the text into consecutive windows, `rows` of them per batch, and stores batch `index` in `batch`. Returns false
/// if the text has no such batch. Rows past the end of the text have targets of -100, which the loss ignores.
bool consecutiveBatch(std::span<const uint8_t> text, size_t index, int64_t rows, int64_t length, Batch &batch);

} // namespace xf::programs

#endif // XF_PROGRAMS_CORPUS_H
