//===- Sentences.h - Rows of ids from files ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_SENTENCES_H
#define XF_PROGRAMS_SENTENCES_H

#include <cstdint>
#include <string>
#include <vector>

namespace xf::programs {

/// The ids of the tokens of a sentence.
using Sentence = std::vector<int32_t>;

/// Reads sentences. A file NAME.npy is a matrix of integers with a row for each sentence; the sentence ends at the
/// first negative number of its row. Any other file has a line for each sentence, with ids separated by spaces or
/// commas. Throws std::runtime_error, which names the file and the line or row, if the file cannot be read, for a
/// sentence without ids or with more than `longest`, and for ids that are not in [0, vocabulary).
std::vector<Sentence> readSentences(const std::string &path, int64_t vocabulary, int64_t longest);

} // namespace xf::programs

#endif // XF_PROGRAMS_SENTENCES_H
