//===- output_folder.cpp - One run at a time -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folder.h"
#include "training/OutputFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>

using namespace xf::programs;

static std::string errorOf(const std::filesystem::path &path) {
  try {
    OutputFolder folder(path);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

TEST(OutputFolder, IsMadeWithTheFoldersAbove) {
  Folder folder;
  OutputFolder output(folder.path / "a/b");
  EXPECT_TRUE(std::filesystem::is_directory(folder.path / "a/b"));
}

TEST(OutputFolder, MustBeAFolder) {
  Folder folder;
  folder.write("file", "");
  EXPECT_EQ(errorOf(folder.path / "file/x"),
            "expected a folder that can be written, got '" + (folder.path / "file/x").string() + "': Not a directory");
}

TEST(OutputFolder, BelongsToOneRunAtATime) {
  Folder folder;
  {
    OutputFolder first(folder.path);
    EXPECT_EQ(errorOf(folder.path), "expected an output folder that no other run uses, got '" + folder.path.string() +
                                        "' (process " + std::to_string(getpid()) +
                                        "); wait for it or use another --output");
  }
  EXPECT_EQ(errorOf(folder.path), "");
}

TEST(OutputFolder, IsFreeAgainAfterAKill) {
  Folder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    OutputFolder output(folder.path);
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_NE(errorOf(folder.path).find("(process " + std::to_string(child) + ")"), std::string::npos);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(errorOf(folder.path), "");
  close(ready[0]);
  close(ready[1]);
}

TEST(OutputFolder, LosesWhatAKilledRunLeftAndNothingElse) {
  Folder folder;
  folder.write(".checkpoint-0000000010.safetensors.xfrt-a1b2c3d4", "half of a checkpoint");
  folder.write(".weights.safetensors.xfrt-a1b2c3d4", "half of the weights");
  folder.write(".model.safetensors.xfrt-a1b2c3d4", "what another program is writing");
  folder.write(".xfrt-notes", "of the user");
  folder.write("checkpoint-0000000005.safetensors", "whole");
  OutputFolder output(folder.path);
  EXPECT_FALSE(std::filesystem::exists(folder.path / ".checkpoint-0000000010.safetensors.xfrt-a1b2c3d4"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / ".weights.safetensors.xfrt-a1b2c3d4"));
  EXPECT_TRUE(std::filesystem::exists(folder.path / ".model.safetensors.xfrt-a1b2c3d4"));
  EXPECT_TRUE(std::filesystem::exists(folder.path / ".xfrt-notes"));
  EXPECT_TRUE(std::filesystem::exists(folder.path / "checkpoint-0000000005.safetensors"));
}
