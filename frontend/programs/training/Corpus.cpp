//===- Corpus.cpp - Text for training and validation -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Corpus.h"
#include "Random.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>

using namespace xf;
using namespace xf::programs;
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

std::vector<fs::path> programs::defaultSources() {
  std::vector<fs::path> sources = {"/usr/share/common-licenses"};
  std::error_code ignored; // a system without the folder still has the licences
  for (const fs::directory_entry &package : fs::directory_iterator("/usr/share/doc", ignored))
    if (fs::is_regular_file(package.path() / "copyright", ignored))
      sources.push_back(package.path() / "copyright");
  std::sort(sources.begin(), sources.end());
  return sources;
}

static std::runtime_error unreadable(const fs::path &path, const std::string &why) {
  return std::runtime_error("expected a readable file or folder, got '" + path.string() + "': " + why);
}

/// Returns the absolute path. Resolves the symbolic links of that part of the path that exists.
static fs::path withoutLinks(const fs::path &path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

/// Returns true if `path`, with its symbolic links resolved, is `folder` or lies below it. The links of `folder` are
/// already resolved.
static bool isInside(const fs::path &path, const fs::path &folder) {
  std::error_code ignored; // a missing path lies in no folder
  fs::path real = fs::canonical(path, ignored);
  return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

/// Returns the regular files to read, sorted: `source` itself if it is a regular file, otherwise those below the folder
/// `source`. Leaves out files below the folder `output`, but never `source` itself. Throws std::runtime_error where
/// `source` cannot be read.
static std::vector<fs::path> listFiles(const fs::path &source, const fs::path &output) {
  std::error_code error;
  if (!fs::is_directory(source, error)) {
    if (!fs::exists(source, error))
      throw unreadable(source, error ? error.message() : "no such file");
    if (!fs::is_regular_file(source))
      throw unreadable(source, "it is neither");
    return {source};
  }
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry(source, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    std::error_code ignored; // a broken link is not a file
    if (entry->is_regular_file(ignored) && !isInside(entry->path(), output))
      files.push_back(entry->path());
  }
  if (error)
    throw unreadable(source, error.message());
  std::sort(files.begin(), files.end());
  return files;
}

/// Reads at most `limit` bytes of a file; returns nullopt where the file cannot be read.
static std::optional<std::vector<uint8_t>> readBytes(const fs::path &path, size_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> bytes;
  constexpr size_t most = size_t{1} << 20;
  while (file && bytes.size() < limit) {
    size_t before = bytes.size(), wanted = std::min(most, limit - before);
    bytes.resize(before + wanted);
    file.read(reinterpret_cast<char *>(bytes.data()) + before, static_cast<std::streamsize>(wanted));
    bytes.resize(before + static_cast<size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad())
    return std::nullopt;
  return bytes;
}

namespace {
/// Accumulates the text of several files.
struct Text {
  std::vector<uint8_t> bytes;
  size_t files = 0;
  std::set<uint64_t> seen;

  /// Appends the contents of a file, unless they are empty, not text, or equal to those of an earlier file.
  void add(const std::vector<uint8_t> &file) {
    bool isText = std::find(file.begin(), file.end(), 0) == file.end();
    if (file.empty() || !isText || !seen.insert(hashBytes(file)).second)
      return;
    bytes.insert(bytes.end(), file.begin(), file.end());
    ++files;
  }
};
} // namespace

Corpus programs::readCorpus(const std::vector<fs::path> &sources, const fs::path &output, double validationShare,
                            size_t minimum, size_t limit) {
  Text text;
  const fs::path realOutput = withoutLinks(output);
  for (const fs::path &source : sources)
    for (const fs::path &file : listFiles(source, realOutput)) {
      if (text.bytes.size() >= limit)
        break;
      std::optional<std::vector<uint8_t>> bytes = readBytes(file, limit - text.bytes.size());
      if (!bytes && file == source)
        throw unreadable(file, std::strerror(errno));
      if (bytes)
        text.add(*bytes);
    }
  if (text.bytes.size() < minimum)
    throw std::runtime_error("expected at least " + std::to_string(minimum) + " bytes of text outside of '" +
                             output.string() + "', got " + std::to_string(text.bytes.size()));
  size_t cut = text.bytes.size() - static_cast<size_t>(static_cast<double>(text.bytes.size()) * validationShare);
  Corpus corpus;
  corpus.files = text.files;
  corpus.training.assign(text.bytes.begin(), text.bytes.begin() + static_cast<ptrdiff_t>(cut));
  corpus.validation.assign(text.bytes.begin() + static_cast<ptrdiff_t>(cut), text.bytes.end());
  return corpus;
}

std::vector<uint8_t> programs::evenlySpaced(std::span<const uint8_t> text, size_t count, size_t length) {
  if (text.size() <= count * length)
    return {text.begin(), text.end()};
  std::vector<uint8_t> pieces;
  for (size_t n = 0; n < count; ++n) {
    std::span<const uint8_t> piece = text.subspan(n * (text.size() - length) / std::max<size_t>(count - 1, 1), length);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  return pieces;
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

Batch programs::randomBatch(std::span<const uint8_t> text, uint64_t seed, uint64_t step, int64_t rows, int64_t length) {
  if (text.size() < static_cast<size_t>(length) + 1)
    throw std::runtime_error("expected at least " + std::to_string(length + 1) + " bytes, got " +
                             std::to_string(text.size()));
  Batch batch;
  uint64_t starts = text.size() - length;
  for (int64_t row = 0; row < rows; ++row)
    appendWindow(text, randomBits(seed, step, row) % starts, length, batch);
  return batch;
}

bool programs::consecutiveBatch(std::span<const uint8_t> text, size_t index, int64_t rows, int64_t length,
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
