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

/// Reads sentences: from a file NAME.npy a matrix of integers, a row for each sentence, which a negative number ends;
/// from any other file a line for each, with ids between spaces or commas. Throws std::runtime_error, which names the
/// file and the line or row, where the file cannot be read, for a sentence without ids or with more than `longest`, and
/// for ids that are not in [0, vocabulary).
std::vector<Sentence> readSentences(const std::string &path, int64_t vocabulary, int64_t longest);

} // namespace xf::programs

#endif // XF_PROGRAMS_SENTENCES_H
