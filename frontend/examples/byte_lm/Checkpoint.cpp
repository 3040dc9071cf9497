//===- Checkpoint.cpp - Training that survives being killed -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"

#include <algorithm>
#include <cstring>

using namespace byte_lm;
namespace fs = std::filesystem;

static constexpr const char *hashKey = "content_hash", *stepKey = "step";

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

namespace {
/// 64 bits over a sequence of strings and arrays; eight bytes at a time, since a checkpoint is large.
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

/// Of names, shapes, element types, bytes and metadata without the hash itself.
static std::string contentHash(const xf::StateDict &values, const xf::Metadata &metadata) {
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

static fs::path pathOf(const fs::path &folder, int64_t step) {
  char name[64];
  std::snprintf(name, sizeof(name), "checkpoint-%010lld.safetensors", static_cast<long long>(step));
  return folder / name;
}

/// What a writer that was killed left behind.
static void removeUnfinished(const fs::path &folder) {
  std::error_code ignored; // they are in nobody's way
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(".xfrt-"))
      fs::remove(entry.path(), ignored);
}

/// Oldest first: the number of the step has a fixed width.
static std::vector<fs::path> listCheckpoints(const fs::path &folder) {
  std::vector<fs::path> found;
  std::error_code ignored; // no folder, no checkpoints
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
    std::string name = entry.path().filename();
    if (name.starts_with("checkpoint-") && name.ends_with(".safetensors"))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void byte_lm::saveCheckpoint(const fs::path &folder, const Checkpoint &checkpoint) {
  removeUnfinished(folder);
  xf::Metadata metadata = checkpoint.settings;
  metadata[stepKey] = std::to_string(checkpoint.step);
  metadata[hashKey] = contentHash(checkpoint.values, metadata);
  xf::save_safetensors(pathOf(folder, checkpoint.step), checkpoint.values, metadata);
  std::vector<fs::path> all = listCheckpoints(folder);
  std::error_code ignored; // one too many does no harm
  for (size_t n = 0; n + 2 < all.size(); ++n)
    fs::remove(all[n], ignored);
}

static Checkpoint load(const fs::path &path) {
  Checkpoint checkpoint;
  checkpoint.values = xf::load_safetensors(path, &checkpoint.settings);
  std::string expected = contentHash(checkpoint.values, checkpoint.settings), found = checkpoint.settings[hashKey];
  if (found != expected)
    throw std::runtime_error("'" + path.string() + "': expected contents of hash " + expected + ", got " + found);
  checkpoint.step = std::stoll(checkpoint.settings.at(stepKey));
  checkpoint.settings.erase(hashKey);
  checkpoint.settings.erase(stepKey);
  return checkpoint;
}

std::optional<Checkpoint> byte_lm::loadNewestCheckpoint(const fs::path &folder, std::vector<std::string> &warnings) {
  std::vector<fs::path> all = listCheckpoints(folder);
  for (auto path = all.rbegin(); path != all.rend(); ++path) {
    try {
      return load(*path);
    } catch (const std::exception &error) {
      warnings.push_back(error.what());
    }
  }
  return std::nullopt;
}
