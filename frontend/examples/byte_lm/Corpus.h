//===- Corpus.h - Text to learn from -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_CORPUS_H
#define BYTE_LM_CORPUS_H

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace byte_lm {

/// The bytes of some files, cut in two: what is trained on, and what is only measured.
struct Corpus {
  std::vector<uint8_t> training, validation;
  size_t files = 0;

  /// A number that differs when the text does.
  uint64_t fingerprint() const;
};

/// Text that every Debian system carries: the licences and the copyright files of packages.
std::vector<std::filesystem::path> defaultSources();

/// Reads files, and all regular files below folders, in the order of their paths, until there are `limit` bytes; a file
/// that has the contents of an earlier one, or a zero byte (no text), is left out, and so is one below a folder that
/// may not be read. What lies in the folder `output` or is a link to something there is no text either, since it
/// changes while a run writes: only a file that `sources` name is read there. The last `validationShare` of the bytes
/// is held out. Throws std::runtime_error where a path cannot be read or less than `minimum` bytes are found.
Corpus readCorpus(const std::vector<std::filesystem::path> &sources, const std::filesystem::path &output,
                  double validationShare, size_t minimum, size_t limit);

/// `count` pieces of `length` bytes at even distances, joined; all of the text where it is not longer than that.
std::vector<uint8_t> evenlySpaced(std::span<const uint8_t> text, size_t count, size_t length);

/// Windows of `length` + 1 bytes: row r is the input, shifted by one the target.
struct Batch {
  std::vector<int32_t> tokens, targets;
};

/// Windows at random places: a function of the seed and the step only, so that a resumed run sees what an uninterrupted
/// one does.
Batch randomBatch(std::span<const uint8_t> text, uint64_t seed, uint64_t step, int64_t rows, int64_t length);

/// Window number `index` of text cut into windows that follow each other; false where there is none. Rows past the end
/// of the text have targets of -100, which do not count.
bool consecutiveBatch(std::span<const uint8_t> text, size_t index, int64_t rows, int64_t length, Batch &batch);

} // namespace byte_lm

#endif // BYTE_LM_CORPUS_H
