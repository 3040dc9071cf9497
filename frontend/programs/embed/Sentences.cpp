//===- Sentences.cpp - Rows of ids from files -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sentences.h"
#include "runtime/tools/Npy.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using namespace xf;
using namespace xf::programs;

static std::vector<Sentence> readMatrix(const std::string &path) {
  xfrt::tools::Tensor tensor;
  std::string error;
  if (!xfrt::tools::readNpy(path, XFRT_I32, tensor, error))
    throw std::runtime_error(error);
  if (tensor.shape.size() != 2)
    throw std::runtime_error(path + ": expected a matrix of ids, found shape " +
                             xfrt::tools::describeShape(tensor.shape));
  std::vector<Sentence> sentences;
  for (int64_t row = 0; row < tensor.shape[0]; ++row) {
    const auto *begin = reinterpret_cast<const int32_t *>(tensor.data()) + row * tensor.shape[1];
    const int32_t *end = std::find_if(begin, begin + tensor.shape[1], [](int32_t id) { return id < 0; });
    sentences.emplace_back(begin, end);
  }
  return sentences;
}

static std::vector<Sentence> readLines(const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw std::runtime_error(path + ": expected a file of ids, found a folder");
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(path + ": " + std::strerror(errno));
  std::vector<Sentence> sentences;
  for (std::string line; std::getline(file, line);) {
    Sentence &sentence = sentences.emplace_back();
    const char *at = line.data(), *end = at + line.size();
    while (true) {
      at = std::find_if(at, end, [](char c) { return std::string_view(" \t\r,").find(c) == std::string_view::npos; });
      if (at == end)
        break;
      auto [next, failure] = std::from_chars(at, end, sentence.emplace_back());
      if (failure != std::errc())
        throw std::runtime_error(path + ":" + std::to_string(sentences.size()) + ": expected ids, found '" +
                                 std::string(at, std::min(end, at + 16)) + "'");
      at = next;
    }
  }
  return sentences;
}

std::vector<Sentence> programs::readSentences(const std::string &path, int64_t vocabulary, int64_t longest) {
  std::vector<Sentence> sentences = path.ends_with(".npy") ? readMatrix(path) : readLines(path);
  for (size_t n = 0; n < sentences.size(); ++n) {
    std::string where = path + ":" + std::to_string(n + 1);
    if (sentences[n].empty() || static_cast<int64_t>(sentences[n].size()) > longest)
      throw std::runtime_error(where + ": expected 1 to " + std::to_string(longest) + " ids, found " +
                               std::to_string(sentences[n].size()));
    for (int32_t id : sentences[n])
      if (id < 0 || id >= vocabulary)
        throw std::runtime_error(where + ": expected ids between 0 and " + std::to_string(vocabulary - 1) + ", found " +
                                 std::to_string(id));
  }
  if (sentences.empty())
    throw std::runtime_error(path + ": expected at least one sentence, found none");
  return sentences;
}
