//===- Corpus.cpp - Text to learn from -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Corpus.h"
#include "Random.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

using namespace byte_lm;
namespace fs = std::filesystem;

static uint64_t hashBytes(std::span<const uint8_t> bytes, uint64_t hash = 0xcbf29ce484222325) {
  for (uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

uint64_t Corpus::fingerprint() const { return hashBytes(validation, hashBytes(training)); }

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::vector<fs::path> byte_lm::defaultSources() {
  std::vector<fs::path> sources = {"/usr/share/common-licenses"};
  std::error_code ignored; // a system without the folder has licences still
  for (const fs::directory_entry &package : fs::directory_iterator("/usr/share/doc", ignored))
    if (fs::is_regular_file(package.path() / "copyright", ignored))
      sources.push_back(package.path() / "copyright");
  std::sort(sources.begin(), sources.end());
  return sources;
}

/// The regular files of a path, sorted.
static std::vector<fs::path> listFiles(const fs::path &source) {
  if (!fs::is_directory(source))
    return {source};
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(source))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// At most `limit` bytes.
static std::vector<uint8_t> readBytes(const fs::path &path, size_t limit) {
  if (!fs::is_regular_file(path))
    throw std::runtime_error("expected a file or folder, got '" + path.string() + "'");
  std::vector<uint8_t> bytes(std::min<uintmax_t>(fs::file_size(path), limit));
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error("expected a readable file, got '" + path.string() + "'");
  return bytes;
}

Corpus byte_lm::readCorpus(const std::vector<fs::path> &sources, double validationShare, size_t minimum, size_t limit) {
  Corpus corpus;
  std::vector<uint8_t> text;
  std::set<uint64_t> seen;
  for (const fs::path &source : sources)
    for (const fs::path &file : listFiles(source)) {
      std::vector<uint8_t> bytes = readBytes(file, limit - text.size());
      bool isText = std::find(bytes.begin(), bytes.end(), 0) == bytes.end();
      if (!isText || !seen.insert(hashBytes(bytes)).second)
        continue;
      text.insert(text.end(), bytes.begin(), bytes.end());
      ++corpus.files;
    }
  if (text.size() < minimum)
    throw std::runtime_error("expected at least " + std::to_string(minimum) + " bytes of text, got " +
                             std::to_string(text.size()));
  size_t cut = text.size() - static_cast<size_t>(static_cast<double>(text.size()) * validationShare);
  corpus.training.assign(text.begin(), text.begin() + cut);
  corpus.validation.assign(text.begin() + cut, text.end());
  return corpus;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

static void appendWindow(std::span<const uint8_t> text, size_t start, int64_t length, Batch &batch) {
  for (int64_t n = 0; n < length; ++n) {
    batch.tokens.push_back(text[start + n]);
    batch.targets.push_back(text[start + n + 1]);
  }
}

Batch byte_lm::randomBatch(std::span<const uint8_t> text, uint64_t seed, uint64_t step, int64_t rows, int64_t length) {
  if (text.size() < static_cast<size_t>(length) + 1)
    throw std::runtime_error("expected at least " + std::to_string(length + 1) + " bytes, got " +
                             std::to_string(text.size()));
  Batch batch;
  uint64_t starts = text.size() - length;
  for (int64_t row = 0; row < rows; ++row)
    appendWindow(text, randomBits(seed, step, row) % starts, length, batch);
  return batch;
}

bool byte_lm::consecutiveBatch(std::span<const uint8_t> text, size_t index, int64_t rows, int64_t length,
                               Batch &batch) {
  batch = {};
  size_t windows = text.empty() ? 0 : (text.size() - 1) / length;
  size_t first = index * rows;
  if (first >= windows)
    return false;
  for (int64_t row = 0; row < rows; ++row) {
    if (first + row < windows) {
      appendWindow(text, (first + row) * length, length, batch);
      continue;
    }
    batch.tokens.insert(batch.tokens.end(), length, 0);
    batch.targets.insert(batch.targets.end(), length, -100);
  }
  return true;
}
