//===- checkpoint.cpp - Checkpoints that are whole, damaged, or not there -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "Folder.h"

#include <gtest/gtest.h>

using namespace byte_lm;

static Checkpoint makeCheckpoint(int64_t step, float value) {
  Checkpoint checkpoint{step, {}, {{"seed", "7"}}};
  xf::Array weight(xf::f32, {2, 3}), count(xf::i64, {});
  weight.data<float>()[4] = value;
  count.data<int64_t>()[0] = step;
  checkpoint.values = {{"layer.weight", weight}, {"step", count}};
  return checkpoint;
}

static float valueOf(const Checkpoint &checkpoint) { return checkpoint.values.at("layer.weight").data<float>()[4]; }

static std::optional<Checkpoint> load(const Folder &folder, size_t warningCount = 0) {
  std::vector<std::string> warnings;
  std::optional<Checkpoint> checkpoint = loadNewestCheckpoint(folder.path, warnings);
  EXPECT_EQ(warnings.size(), warningCount);
  return checkpoint;
}

static std::string nameOf(int64_t step) {
  std::string digits = std::to_string(step);
  return "checkpoint-" + std::string(10 - digits.size(), '0') + digits + ".safetensors";
}

TEST(Checkpoint, ComesBackAsItWas) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(3, 1.5f));
  std::optional<Checkpoint> loaded = load(folder);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->step, 3);
  EXPECT_EQ(loaded->settings, (xf::Metadata{{"seed", "7"}}));
  EXPECT_EQ(valueOf(*loaded), 1.5f);
  EXPECT_EQ(loaded->values.at("layer.weight").shape(), (std::vector<int64_t>{2, 3}));
}

TEST(Checkpoint, NoneIsNoError) {
  Folder folder;
  EXPECT_FALSE(load(folder));
}

TEST(Checkpoint, KeepsTwo) {
  Folder folder;
  for (int64_t step : {9, 10, 11})
    saveCheckpoint(folder.path, makeCheckpoint(step, 1));
  EXPECT_FALSE(std::filesystem::exists(folder.path / nameOf(9)));
  EXPECT_TRUE(std::filesystem::exists(folder.path / nameOf(10)));
  EXPECT_EQ(load(folder)->step, 11);
}

/// What a kill, a bad disk or an editor leave behind.
static void damageNewest(const Folder &folder, std::string bytes) {
  folder.write(nameOf(2), bytes);
  std::optional<Checkpoint> loaded = load(folder, /*warningCount=*/1);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->step, 1);
  EXPECT_EQ(valueOf(*loaded), 1.0f);
}

TEST(Checkpoint, FallsBackToTheOlderWhereTheNewestIsDamaged) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(1, 1));
  saveCheckpoint(folder.path, makeCheckpoint(2, 2));
  const std::string whole = folder.read(nameOf(2));
  std::string flipped = whole;
  flipped.back() ^= 1;
  damageNewest(folder, flipped);
  damageNewest(folder, whole.substr(0, whole.size() - 1));
  damageNewest(folder, "");
  damageNewest(folder, "no checkpoint");
}

TEST(Checkpoint, MetadataIsPartOfTheHash) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(1, 1));
  saveCheckpoint(folder.path, makeCheckpoint(2, 2));
  std::string bytes = folder.read(nameOf(2));
  size_t seed = bytes.find("\"seed\":\"7\"");
  ASSERT_NE(seed, std::string::npos);
  bytes[seed + 8] = '8';
  damageNewest(folder, bytes);
}

TEST(Checkpoint, WhatAKilledWriterLeftIsIgnoredAndRemoved) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(1, 1));
  folder.write(".xfrt-a1b2c3", "half of a checkpoint");
  EXPECT_EQ(load(folder)->step, 1);
  saveCheckpoint(folder.path, makeCheckpoint(2, 2));
  EXPECT_FALSE(std::filesystem::exists(folder.path / ".xfrt-a1b2c3"));
}

TEST(Checkpoint, WhereNothingCanBeWrittenTheOldOneIsIntact) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(1, 1));
  EXPECT_THROW(saveCheckpoint(folder.path / "absent", makeCheckpoint(2, 2)), xf::Error);
  // A folder in the way of the new file: cannot be replaced, by root neither.
  std::filesystem::create_directories(folder.path / nameOf(2) / "inside");
  EXPECT_THROW(saveCheckpoint(folder.path, makeCheckpoint(2, 2)), xf::Error);
  EXPECT_EQ(load(folder, /*warningCount=*/1)->step, 1);
}
