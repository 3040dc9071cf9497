//===- Checkpoint.cpp - The tensors of one or several files ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "ShardIndex.h"

using namespace xfrt;

static constexpr int64_t maxIndexBytes = 100'000'000; // as much as a header may have

bool Checkpoint::open(const std::string &path, std::string &error) {
  constexpr std::string_view suffix = ".json";
  return std::string_view(path).ends_with(suffix) ? openIndex(path, error) : openFile(path, error);
}

bool Checkpoint::openFile(const std::string &path, std::string &error) {
  files.push_back(std::make_unique<File>());
  File &file = *files.back();
  file.path = path;
  bool malformed = false;
  if (!file.input.open(path, error))
    return false;
  if (!readSafetensorsHeader(file.input, file.header, malformed, error)) {
    error = "'" + path + "': " + error;
    return false;
  }
  for (const FileTensor &tensor : file.header.tensors)
    if (!entries.emplace(tensor.name, Entry{&tensor, file.header.shapeOf(tensor), files.size() - 1}).second) {
      error = "'" + path + "': expected tensor " + printable(tensor.name) + " in one file, got it in '" +
              files[entries[tensor.name].file]->path + "' too";
      return false;
    }
  texts.insert(file.header.metadata.begin(), file.header.metadata.end());
  return true;
}

/// Reads the whole text of an index file into `text`.
static bool readText(const std::string &path, std::string &text, std::string &error) {
  InputFile file;
  if (!file.open(path, error))
    return false;
  if (file.size() > maxIndexBytes) {
    error = "'" + path + "': expected an index of at most " + std::to_string(maxIndexBytes) + " bytes, got " +
            std::to_string(file.size());
    return false;
  }
  text.resize(size_t(file.size()));
  if (file.read(0, text.data(), file.size(), error))
    return true;
  error = "'" + path + "': " + error;
  return false;
}

bool Checkpoint::openIndex(const std::string &path, std::string &error) {
  std::string text;
  std::vector<ShardedTensor> listed;
  if (!readText(path, text, error))
    return false;
  auto fail = [&](const std::string &message) {
    error = "'" + path + "': " + message;
    return false;
  };
  if (!parseShardIndex(text, listed, error))
    return fail(error);
  std::string folder = path.substr(0, path.rfind('/') + 1); // empty without a '/'
  std::map<std::string, size_t> numbers;
  for (const auto &[name, file] : listed)
    if (numbers.emplace(file, files.size()).second && !openFile(folder + file, error))
      return false;
  for (const auto &[name, file] : listed) {
    auto found = entries.find(name);
    if (found == entries.end() || found->second.file != numbers[file])
      return fail("expected tensor " + printable(name) + " in " + printable(file) + ", got " +
                  (found == entries.end() ? "none" : "it in '" + files[found->second.file]->path + "'"));
  }
  if (entries.size() == listed.size())
    return true;
  size_t next = 0; // both are sorted by name
  for (const auto &[name, entry] : entries)
    if (next == listed.size() || listed[next++].first != name)
      return fail("expected all tensors of its files, got no tensor " + printable(name) + " of '" +
                  files[entry.file]->path + "'");
  return true;
}

bool Checkpoint::read(const Entry &entry, void *data, std::string &error) const {
  const File &file = *files[entry.file];
  if (file.input.read(file.header.dataBegin + entry.tensor->begin, data, entry.bytes(), error))
    return true;
  error = "'" + file.path + "': " + error;
  return false;
}

bool Checkpoint::checkUnchanged(std::string &error) const {
  for (const std::unique_ptr<File> &file : files)
    if (!file->input.checkUnchanged(error)) {
      error = "'" + file->path + "': " + error;
      return false;
    }
  return true;
}
