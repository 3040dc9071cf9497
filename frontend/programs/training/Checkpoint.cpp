//===- Checkpoint.cpp - Saving and resuming training -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <tuple>

using namespace xf;
using namespace xf::programs;
namespace fs = std::filesystem;

static constexpr const char *hashKey = "content_hash", *stepKey = "step";

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

namespace {
/// Computes a 64-bit hash of a sequence of strings and arrays. Takes eight bytes at a time, since a checkpoint is
/// large.
class Hash {
public:
  void add(std::span<const std::byte> bytes) {
    mix(bytes.size());
    while (!bytes.empty()) {
      uint64_t word = 0;
      size_t count = std::min(bytes.size(), sizeof(word));
      std::memcpy(&word, bytes.data(), count);
      mix(word);
      bytes = bytes.subspan(count);
    }
  }
  void add(const std::string &text) { add(std::as_bytes(std::span(text))); }
  void add(int64_t number) { mix(static_cast<uint64_t>(number)); }

  std::string hexadecimal() const {
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(state));
    return text;
  }

private:
  void mix(uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15;
    state ^= state >> 32;
  }
  uint64_t state = 0x243F6A8885A308D3;
};
} // namespace

/// Returns a hash of a checkpoint's contents: names, shapes, element types and elements of the tensors, and all
/// metadata except the entry that stores this hash.
static std::string contentHash(const StateDict &values, const Metadata &metadata) {
  Hash hash;
  for (const auto &[key, value] : metadata) {
    if (key == hashKey)
      continue;
    hash.add(key);
    hash.add(value);
  }
  for (const auto &[name, value] : values) {
    hash.add(name);
    hash.add(static_cast<int64_t>(value.dtype()));
    for (int64_t size : value.shape())
      hash.add(size);
    hash.add(value.bytes());
  }
  return hash.hexadecimal();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A checkpoint file in a folder: its run and step, parsed from its name, and its path. Sorts from old to new: by run,
/// then by step.
struct StoredCheckpoint {
  int64_t run, step;
  fs::path path;

  bool operator<(const StoredCheckpoint &other) const { return std::tie(run, step) < std::tie(other.run, other.step); }
};
} // namespace

static fs::path pathOf(const fs::path &folder, int64_t run, int64_t step) {
  char name[64];
  std::snprintf(name, sizeof(name), "checkpoint-%010lld", static_cast<long long>(step));
  std::string restart = run > 0 ? "-restart-" + std::to_string(run) : "";
  return folder / (name + restart + ".safetensors");
}

/// Parses a non-negative number at the beginning of a text, and removes it from the text. Returns false where the text
/// begins with no such number.
static bool takeNumber(std::string_view &text, int64_t &number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(end - text.data());
  return error == std::errc() && number >= 0;
}

static bool takePrefix(std::string_view &text, std::string_view prefix) {
  bool fits = text.starts_with(prefix);
  text.remove_prefix(fits ? prefix.size() : 0);
  return fits;
}

/// Parses the name of a checkpoint file, as pathOf makes it. Returns nullopt for any other name.
static std::optional<StoredCheckpoint> parsePath(const fs::path &path) {
  StoredCheckpoint stored{0, 0, path};
  std::string name = path.filename();
  std::string_view rest = name;
  if (!takePrefix(rest, "checkpoint-") || !takeNumber(rest, stored.step) ||
      (takePrefix(rest, "-restart-") && !takeNumber(rest, stored.run)) || rest != ".safetensors")
    return std::nullopt;
  return stored;
}

/// Returns the checkpoints in a folder, oldest first.
static std::vector<StoredCheckpoint> listCheckpoints(const fs::path &folder) {
  std::vector<StoredCheckpoint> found;
  std::error_code ignored; // a missing folder has no checkpoints
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored))
    if (std::optional<StoredCheckpoint> stored = parsePath(entry.path()))
      found.push_back(*stored);
  std::sort(found.begin(), found.end());
  return found;
}

/// Removes all checkpoints except `newest` and the previous one of the same run. Also removes checkpoints of the same
/// run at higher steps. Those are damaged: otherwise the run would have resumed from one of them.
static void removeOthers(const fs::path &folder, const Checkpoint &newest) {
  std::vector<StoredCheckpoint> all = listCheckpoints(folder);
  auto own = std::find_if(all.begin(), all.end(), [&](const StoredCheckpoint &stored) {
    return stored.run == newest.run && stored.step == newest.step;
  });
  if (own == all.end())
    return;
  bool hasEarlier = own != all.begin() && std::prev(own)->run == newest.run;
  std::error_code ignored; // a checkpoint that remains does no harm
  for (auto stored = all.begin(); stored != all.end(); ++stored)
    if (stored != own && !(hasEarlier && stored == std::prev(own)))
      fs::remove(stored->path, ignored);
}

void programs::saveCheckpoint(const fs::path &folder, const Checkpoint &checkpoint) {
  Metadata metadata = checkpoint.settings;
  metadata[stepKey] = std::to_string(checkpoint.step);
  metadata[hashKey] = contentHash(checkpoint.values, metadata);
  save_safetensors(pathOf(folder, checkpoint.run, checkpoint.step), checkpoint.values, metadata);
  removeOthers(folder, checkpoint);
}

int64_t programs::nextRun(const fs::path &folder) {
  std::vector<StoredCheckpoint> all = listCheckpoints(folder);
  return all.empty() ? 0 : all.back().run + 1;
}

static Checkpoint load(const StoredCheckpoint &stored) {
  const fs::path &path = stored.path;
  Checkpoint checkpoint;
  checkpoint.run = stored.run;
  checkpoint.values = load_safetensors(path, &checkpoint.settings);
  std::string expected = contentHash(checkpoint.values, checkpoint.settings), found = checkpoint.settings[hashKey];
  if (found != expected)
    throw std::runtime_error("'" + path.string() + "': expected contents of hash " + expected + ", got " + found);
  checkpoint.step = std::stoll(checkpoint.settings.at(stepKey));
  checkpoint.settings.erase(hashKey);
  checkpoint.settings.erase(stepKey);
  return checkpoint;
}

std::optional<Checkpoint> programs::loadNewestCheckpoint(const fs::path &folder, std::vector<std::string> &warnings) {
  std::vector<StoredCheckpoint> all = listCheckpoints(folder);
  for (auto stored = all.rbegin(); stored != all.rend(); ++stored) {
    try {
      return load(*stored);
    } catch (const std::exception &error) {
      warnings.push_back(error.what());
    }
  }
  return std::nullopt;
}
