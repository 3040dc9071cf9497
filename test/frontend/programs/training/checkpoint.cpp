//===- checkpoint.cpp - Checkpoints that are whole, damaged, or not there -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "training/Checkpoint.h"
#include "Folder.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace xf::programs;

static Checkpoint makeCheckpoint(int64_t step, float value, int64_t run = 0) {
  Checkpoint checkpoint{run, step, {}, {{"seed", "7"}}};
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

static std::string nameOf(int64_t step, int64_t run = 0) {
  std::string digits = std::to_string(step), restart = run > 0 ? "-restart-" + std::to_string(run) : "";
  return "checkpoint-" + std::string(10 - digits.size(), '0') + digits + restart + ".safetensors";
}

static std::vector<std::string> list(const Folder &folder) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
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

TEST(Checkpoint, ALaterRunReplacesALongerOneOnceItHasACheckpoint) {
  Folder folder;
  for (int64_t step : {30, 40})
    saveCheckpoint(folder.path, makeCheckpoint(step, 1));
  EXPECT_EQ(nextRun(folder.path), 1);
  EXPECT_EQ(load(folder)->step, 40) << "until then the earlier run can go on";
  saveCheckpoint(folder.path, makeCheckpoint(10, 2, /*run=*/1));
  EXPECT_EQ(list(folder), (std::vector<std::string>{nameOf(10, 1)}));
  saveCheckpoint(folder.path, makeCheckpoint(20, 2, /*run=*/1));
  EXPECT_EQ(list(folder), (std::vector<std::string>{nameOf(10, 1), nameOf(20, 1)}));
  EXPECT_EQ(load(folder)->step, 20);
  EXPECT_EQ(load(folder)->run, 1);
}

/// A kill between the writing of the first checkpoint and the removal of the old ones.
TEST(Checkpoint, OfTwoRunsTheLaterCounts) {
  Folder folder, later;
  saveCheckpoint(folder.path, makeCheckpoint(40, 1));
  saveCheckpoint(later.path, makeCheckpoint(10, 2, /*run=*/10));
  std::filesystem::copy(later.path, folder.path);
  saveCheckpoint(later.path, makeCheckpoint(20, 2, /*run=*/9));
  std::filesystem::copy_file(later.path / nameOf(20, 9), folder.path / nameOf(20, 9));
  EXPECT_EQ(load(folder)->step, 10);
  EXPECT_EQ(nextRun(folder.path), 11);
  saveCheckpoint(folder.path, makeCheckpoint(11, 2, /*run=*/10));
  EXPECT_EQ(list(folder), (std::vector<std::string>{nameOf(10, 10), nameOf(11, 10)}));
}

TEST(Checkpoint, RunsAreNumberedFromZeroAndDamagedOnesCount) {
  Folder folder;
  EXPECT_EQ(nextRun(folder.path), 0);
  folder.write("checkpoint-notes.txt", "no checkpoint");
  folder.write("checkpoint-0000000010-restart-.safetensors", "neither");
  EXPECT_EQ(nextRun(folder.path), 0);
  folder.write(nameOf(40), "damaged");
  EXPECT_EQ(nextRun(folder.path), 1);
  saveCheckpoint(folder.path, makeCheckpoint(10, 1, /*run=*/1));
  EXPECT_EQ(load(folder)->step, 10);
}

/// A run that went on from an earlier step, since the last file did not verify, must not lose what it writes.
TEST(Checkpoint, HigherStepsOfTheSameRunGiveWay) {
  Folder folder;
  saveCheckpoint(folder.path, makeCheckpoint(550, 1));
  folder.write(nameOf(600), "damaged");
  saveCheckpoint(folder.path, makeCheckpoint(560, 1));
  EXPECT_EQ(list(folder), (std::vector<std::string>{nameOf(550), nameOf(560)}));
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
